// Versions for many boards: what can be rolled out, how far that is, and what an owner decides about it.

import { make, write } from "../elements.js";
import { post, read, sendFile } from "../service.js";
import { say } from "../words.js";
import { complain } from "./complaints.js";
import { field } from "./login.js";
import { sayTime } from "./said.js";

const LOOK_MS = 2000;
const MEGABYTE = 1e6;
const STEPS = {
  waiting: "step_waiting", offered: "step_offered", fetching: "step_fetching", ready: "step_ready", taking: "step_taking", tried: "step_tried",
  well: "step_well", ill: "step_ill", refused: "step_refused", lost: "step_lost", late: "step_late", "had it": "step_had",
};
const STAGES = { one: "rollout_one", tenth: "rollout_tenth", all: "rollout_all" };
const ENDS = { running: "rollout_running", stopped: "rollout_stopped", abandoned: "rollout_abandoned", done: "rollout_done" };
const WRONG = ["ill", "refused", "lost"];

export function buildVersions(into, user) {
  const owns = user.role === "owner";
  const place = make("div", { class: "rollout" });
  const list = make("ul", { class: "people" });
  const others = make("div", { class: "others" });
  const note = make("p", { class: "note", role: "status" });
  into.append(make("h2", { class: "unseen" }, say("versions")), place, list, ...(owns ? [adding()] : []), note, others);
  let told = "";
  show().catch(complain);
  // What boards do comes by and by, as long as somebody looks.
  const timer = setInterval(() => (list.isConnected ? show().catch(() => {}) : clearInterval(timer)), LOOK_MS);

  async function show() {
    const now = await read("versions");
    const text = JSON.stringify(now);
    // What somebody chooses just now is left alone until he is done.
    const isChoosing = into.contains(document.activeElement) && ["INPUT", "SELECT"].includes(document.activeElement.tagName) && document.activeElement.type !== "file";
    if (text === told || isChoosing) return;
    told = text;
    const { versions, boards, rollout } = now;
    const isOver = !rollout || rollout.state === "abandoned" || rollout.stage === "done";
    place.replaceChildren(
      ...(rollout ? progress(rollout, isOver) : []),
      ...(owns && isOver && versions.length && boards.some((board) => board.card) ? [beginning(versions, boards)] : []));
    list.replaceChildren(...(versions.length ? versions.map((each) => versionRow(each, isOver || each.sha256 !== rollout.sha256)) : [make("li", { class: "note" }, say("no_versions"))]));
    const byHand = boards.filter((board) => board.known && !board.card).map((board) => board.name);
    const unknown = boards.filter((board) => !board.known).map((board) => board.name);
    others.replaceChildren(
      ...(byHand.length ? [make("p", { class: "note by-hand" }, say("by_hand_boards", { boards: byHand.join(", ") }))] : []),
      ...(unknown.length ? [make("p", { class: "note" }, say("unknown_boards", { boards: unknown.join(", ") }))] : []));
  }

  function order(path, body = {}) {
    return post(path, body).then(show).catch(complain);
  }

  function progress(rollout, isOver) {
    const state = rollout.stage === "done" ? "done" : rollout.state;
    const about = [
      rollout.state === "running" && rollout.stage !== "done" ? say(STAGES[rollout.stage]) : "",
      rollout.state === "stopped" && !rollout.decided_by ? say("stopped_itself") : "",
      rollout.decided_by ? say("decided_by", { name: rollout.decided_by }) : "",
      `${say("step_well")}: ${rollout.boards.filter((board) => board.step === "well").length} / ${rollout.boards.length}`,
    ].filter(Boolean).join(" · ");
    const buttons = !owns || isOver ? [] : [
      rollout.state === "running" ? button("stop_rollout", () => order("rollout/stop")) : button("resume_rollout", () => order("rollout/resume")),
      twice("abandon_rollout", say("sure_abandon"), () => order("rollout/abandon")),
    ];
    return [
      make("h3", { class: "rollout-state", "data-state": state }, say(ENDS[state], { version: rollout.version })),
      make("p", { class: "rollout-about" }, about),
      ...(rollout.why ? [make("p", { class: "rollout-why", lang: "en" }, rollout.why)] : []),
      make("div", { class: "orders" }, ...buttons),
      make("ul", { class: "orders-of-boards" }, ...rollout.boards.map(boardRow)),
    ];
  }

  function boardRow(board) {
    const percent = board.step === "fetching" ? `${board.percent} %` : "";
    const outcome = WRONG.includes(board.step) ? "refused" : board.step === "well" ? "taken" : "waits";
    return make("li", { class: "order-row", "data-board": board.name, "data-step": board.step, "data-state": outcome },
      make("strong", {}, board.name),
      make("span", {}, say("since", { time: sayTime(board.since) })),
      make("span", { class: "order-state" }, [say(STEPS[board.step]), percent].filter(Boolean).join(" · ")),
      board.why ? make("p", { class: "fleet-todo", lang: "en" }, board.why) : null);
  }

  function versionRow(each, mayGo) {
    const signed = each.checked ? say("publisher_checked") : say("publisher_unchecked");
    return make("li", { class: "person", "data-version": each.version },
      make("strong", {}, each.version),
      make("span", {}, [`${Math.ceil(each.size / MEGABYTE)} MB`, signed, say("version_by", { name: each.by })].join(" · ")),
      owns && mayGo ? twice("remove", say("remove_person", { name: each.version }), () => order("versions/remove", { version: each.sha256 })) : null);
  }

  function beginning(versions, boards) {
    const cards = boards.filter((board) => board.card);
    const houses = [...new Set(cards.map((board) => board.house))].filter(Boolean).sort();
    const version = make("select", { id: "rollout-version" }, ...versions.map((each) => make("option", { value: each.sha256 }, each.version)));
    const house = make("select", { id: "rollout-house" },
      make("option", { value: "" }, say("all_boards")), ...houses.map((each) => make("option", { value: each }, each)));
    const only = make("input", { type: "text", id: "rollout-only", autocomplete: "off", autocapitalize: "none", spellcheck: "false" });
    const first = make("select", { id: "rollout-first" });
    const offerFirst = () => first.replaceChildren(
      make("option", { value: "" }, say("any_board")),
      ...cards.filter((board) => !house.value || board.house === house.value).map((board) => make("option", { value: board.name }, board.name)));
    house.addEventListener("change", offerFirst);
    offerFirst();
    const form = make("form", { class: "adding" },
      field("rollout-version", "which_version", version),
      field("rollout-house", "for_boards", house),
      field("rollout-only", "only_boards", only),
      field("rollout-first", "first_board", first),
      make("button", { type: "submit", class: "order" }, say("roll_out")));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      document.activeElement?.blur();
      const named = only.value.split(",").map((each) => each.trim()).filter(Boolean);
      const which = named.length ? { boards: named } : house.value ? { house: house.value } : {};
      order("rollout", { version: version.value, first: first.value, ...which });
    });
    return form;
  }

  function adding() {
    const file = make("input", { type: "file", id: "version-file", accept: ".raucb", hidden: true });
    const choose = button("add_version", () => {
      file.value = "";
      file.click();
    });
    choose.id = "version-choose";
    file.addEventListener("change", () => {
      if (!file.files[0]) return;
      choose.disabled = true;
      write(note, say("version_sending"));
      sendFile("versions/file", file.files[0])
        .then((kept) => {
          write(note, say("version_added", { version: kept.version }));
          return show();
        })
        .catch((error) => {
          write(note, "");
          complain(error);
        })
        .finally(() => { choose.disabled = false; });
    });
    return make("div", { class: "adding" }, make("p", { class: "note" }, say("version_help")), choose, file);
  }
}

function button(key, act) {
  const made = make("button", { type: "button", class: "order" }, say(key));
  made.addEventListener("click", act);
  return made;
}

// A second press is meant.
function twice(key, sure, act) {
  const made = make("button", { type: "button", class: "order" }, say(key));
  let isSure = false;
  made.addEventListener("click", () => {
    if (isSure) return act();
    isSure = true;
    write(made, sure);
  });
  return made;
}

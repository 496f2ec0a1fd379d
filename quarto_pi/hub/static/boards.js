// All boards: what each is, since when, and what to do.

import { draw, make, mark, write } from "../elements.js";
import { say } from "../words.js";
import { CONDITIONS, houseChoice, housesOf, saySeatAt, sayState, sayTime } from "./said.js";

const ROWS = 60;

// Each state has a sign of its own, so that none hangs on colour alone.
const SIGNS = {
  playing: "M8 5v14l11-7z",
  waiting: "M12 4a8 8 0 1 0 .01 0M12 8v4l3 2",
  asleep: "M19.5 14.5A8 8 0 0 1 9.5 4.5a8 8 0 1 0 10 10z",
  ill: "M12 5v9M12 18.2v.3",
  gone: "M6 6l12 12M18 6L6 18",
};
// Those that need somebody come first.
const ORDER = ["ill", "gone", "playing", "waiting", "asleep"];

let place = null;
let shown = "";
let house = "";
let sought = "";
let most = ROWS;
let houses = "";
let hub = null;
const rows = new Map();

export function buildBoards(into, _user, known) {
  hub = known;
  rows.clear();
  most = ROWS;
  houses = null;
  const search = make("input", { type: "search", "aria-label": say("find_board"), placeholder: say("find_board"), value: sought });
  search.addEventListener("input", () => {
    sought = search.value.trim().toLowerCase();
    most = ROWS;
    showBoards(hub);
  });
  const chips = CONDITIONS.map((condition) => {
    const chip = make("button", { type: "button", class: "chip", "data-condition": condition, "aria-pressed": String(shown === condition) },
      sign(condition), make("span", { class: "chip-name" }, sayState(condition)), make("b", { class: "count" }));
    chip.addEventListener("click", () => {
      shown = shown === condition ? "" : condition;
      most = ROWS;
      for (const each of place.chips) mark(each, "aria-pressed", String(each.dataset.condition === shown));
      showBoards(hub);
    });
    return chip;
  });
  const list = make("ul", { class: "fleet" });
  const note = make("p", { class: "note" });
  const more = make("button", { type: "button", class: "order", hidden: true }, say("show_more"));
  more.addEventListener("click", () => {
    most += ROWS;
    showBoards(hub);
  });
  const choice = make("span", { class: "choice" });
  place = { chips, list, note, more, choice };
  into.append(
    make("h2", { class: "unseen" }, say("hub_boards")),
    make("div", { class: "chips", role: "group", "aria-label": say("condition") }, ...chips),
    make("div", { class: "filters" }, search, choice),
    list, note, more);
}

export function showBoards({ boards }) {
  if (houses !== housesOf(hub)) {
    houses = housesOf(hub);
    const choice = houseChoice(hub, house, (chosen) => {
      house = chosen;
      most = ROWS;
      showBoards(hub);
    });
    if (!choice) house = "";
    place.choice.replaceChildren(...(choice ? [choice] : []));
  }
  const all = [...boards.values()].filter((board) => !house || board.house === house);
  for (const chip of place.chips) {
    write(chip.querySelector(".count"), String(all.filter((board) => board.condition === chip.dataset.condition).length));
  }
  const found = all
    .filter((board) => !shown || board.condition === shown)
    .filter((board) => !sought || `${board.name} ${board.house}`.toLowerCase().includes(sought))
    .sort((one, other) => ORDER.indexOf(one.condition) - ORDER.indexOf(other.condition) || one.name.localeCompare(other.name));
  write(place.note, found.length ? "" : say(boards.size ? "no_such_board" : "no_boards"));
  place.more.hidden = found.length <= most;
  const wanted = found.slice(0, most).map((board) => row(board));
  // What stays where it is is left alone: a screen reader does not lose its place.
  wanted.forEach((element, index) => {
    if (place.list.children[index] !== element) place.list.insertBefore(element, place.list.children[index] ?? null);
  });
  while (place.list.children.length > wanted.length) place.list.lastChild.remove();
}

function row(board) {
  const known = rows.get(board.name);
  // Who a board plays with hangs on what the other one says.
  if (known && known.board === board && !board.other) return known.element;
  const element = known?.element ?? make("li", { class: "fleet-row", "data-board": board.name });
  element.dataset.condition = board.condition;
  element.replaceChildren(
    sign(board.condition),
    make("strong", { class: "fleet-name" }, board.name),
    make("span", { class: "fleet-house" }, board.house),
    make("span", { class: "fleet-state" }, sayState(board.condition)),
    make("span", { class: "fleet-since" }, board.since ? say("since", { time: sayTime(board.since) }) : ""),
    make("span", { class: "fleet-more" }, ...about(board)),
    ...toDo(board));
  rows.set(board.name, { board, element });
  return element;
}

function about(board) {
  const parts = [];
  if (board.game && !board.game.over && board.here) parts.push(board.game.seats.map((_, index) => saySeatAt(hub, board, index)).join(" · "));
  if (board.queued) parts.push(say("queued_there", { count: board.queued }));
  if (board.version) parts.push(board.version);
  return parts.flatMap((part, index) => (index ? [" · ", part] : [part]));
}

function toDo(board) {
  if (board.condition === "gone") return [make("p", { class: "fleet-todo" }, say(board.ever_heard ? "gone_lost" : "gone_never"))];
  // What is the matter and what to do is said in the words of `quarto-pi check`, which is English.
  return board.to_do.map(({ device, detail, fix }) =>
    make("p", { class: "fleet-todo", lang: "en" }, make("b", {}, device), `: ${detail}`, fix ? make("span", { class: "fix" }, ` → ${fix}`) : null));
}

export function sign(condition) {
  return make("span", { class: "state-sign", "data-condition": condition },
    draw("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, draw("path", { d: SIGNS[condition] })));
}

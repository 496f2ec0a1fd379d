// For makers: faults to try out, how well each reader hears, and a trace of what the sensors see.

import { byId, make, mark, save, write } from "./elements.js";
import { SQUARES } from "./notation.js";
import { post } from "./service.js";
import { sheetHead } from "./settings.js";
import { say } from "./words.js";

let complain = () => {};
let dead = null;
let records = false;
let rows = new Map();

export function buildMakers(onTrouble) {
  complain = onTrouble;
  const place = byId("makers");
  rows = new Map();
  // The board is seen beside this sheet, which is left as all others are.
  place.onkeydown = (event) => {
    if (event.key === "Escape") place.close();
  };
  place.onclose = () => byId("open-settings").focus();
  place.replaceChildren(
    sheetHead("makers", "makers-title"),
    make("div", { class: "workbench" },
      make("fieldset", { class: "part" }, make("legend", {}, say("faults")), deadReader(), noise(), crossTalk(), breakDown()),
      make("div", { class: "part" }, record()),
      readers()),
  );
}

const fault = (wishes) => post("faults", wishes).catch(complain);

function deadReader() {
  const select = make("select", { id: "dead-reader" }, make("option", { value: "" }, say("no")));
  for (const cell of SQUARES) select.append(make("option", { value: cell }, cell));
  select.append(make("option", { value: "offer" }, say("give_place")));
  select.addEventListener("change", () => {
    if (dead) fault({ reader: dead, dead: false });
    dead = select.value || null;
    if (dead) fault({ reader: dead, dead: true });
  });
  return make("div", { class: "row" }, make("label", { for: "dead-reader" }, say("kill_reader")), select);
}

function noise() {
  const slider = make("input", { type: "range", id: "noise", min: 0, max: 0.5, step: 0.05, value: 0 });
  slider.addEventListener("change", () => fault({ noise: Number(slider.value) }));
  return make("div", { class: "row" }, make("label", { for: "noise" }, say("noise")), slider);
}

function crossTalk() {
  const box = make("input", { type: "checkbox", id: "cross-talk" });
  box.addEventListener("change", () => fault({ cross_talk: box.checked }));
  return make("div", { class: "row" }, make("label", { for: "cross-talk" }, say("cross_talk")), box);
}

function breakDown() {
  const cut = make("button", { type: "button", class: "order" }, say("cut_power"));
  cut.addEventListener("click", () => fault({ power: "cut" }));
  const repair = make("button", { type: "button", class: "order" }, say("repair"));
  repair.addEventListener("click", () => {
    dead = null;
    byId("dead-reader").value = "";
    byId("noise").value = "0";
    byId("cross-talk").checked = false;
    fault({ repair: true });
  });
  return make("div", { class: "orders" }, cut, repair);
}

function record() {
  const button = make("button", { type: "button", class: "order", id: "record" }, say(records ? "stop_recording" : "record"));
  button.addEventListener("click", async () => {
    try {
      const told = await post("record", { on: !records });
      records = !records;
      if (told.trace) save("quarto.trace", told.trace);
    } catch (error) {
      complain(error);
    }
    write(button, say(records ? "stop_recording" : "record"));
    mark(button, "data-on", records || null);
  });
  return button;
}

function readers() {
  const head = ["readers", "condition", "errors", "misses", "cross_reads"].map((key) => make("th", { scope: "col" }, say(key)));
  const body = make("tbody", {});
  for (const cell of [...SQUARES, "offer"]) {
    const name = make("th", { scope: "row" }, cell === "offer" ? say("give_place") : cell);
    const row = make("tr", { hidden: true }, name, ...[1, 2, 3, 4].map(() => make("td")));
    rows.set(cell, row);
    body.append(row);
  }
  return make("table", { class: "readers" }, make("caption", {}, say("readers")), make("thead", {}, make("tr", {}, ...head)), body);
}

export function showMakers(state) {
  if (state.faults) follow(state);
  if (!byId("makers").open || !state.readers) return;
  for (const [cell, row] of rows) {
    const reader = state.readers[cell];
    row.hidden = !reader;
    if (!reader) continue;
    const [condition, errors, misses, overheard] = row.querySelectorAll("td");
    mark(row, "data-lost", reader.ok ? null : "yes");
    write(condition, say(reader.ok ? "reader_works" : "reader_dead"));
    write(errors, percent(reader.errors));
    write(misses, percent(reader.misses));
    write(overheard, String(reader.cross_reads));
  }
}

// What another page has switched on, or this one before it was loaded again.
function follow(state) {
  dead = state.faults.dead[0] ?? null;
  for (const [id, value] of [["dead-reader", dead ?? ""], ["noise", String(state.faults.noise)]]) {
    if (document.activeElement !== byId(id)) byId(id).value = value;
  }
  byId("cross-talk").checked = state.faults.cross_talk;
  if (state.recording !== undefined && state.recording !== records) {
    records = state.recording;
    write(byId("record"), say(records ? "stop_recording" : "record"));
  }
}

const percent = (part) => `${Math.round(part * 100)} %`;

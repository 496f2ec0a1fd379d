// The sheet of settings: who plays, by which rules, in which language; and a new game, a pause, a move taken back.

import { byId, make, mark } from "./elements.js";
import { knowPin, post } from "./service.js";
import { languages, say, sayLevel } from "./words.js";

const CLOCKS = [null, 30, 60, 120, 300];
const CALLINGS = { button: "by_players", auto: "by_board" };
const TRAITS = ["colour", "height", "shape", "top"];

let state = null;
let complain = () => {};

// `writing` tells who may change something: everybody ("free"), the owner ("pin"), or nobody ("no").
export function buildSettings(hands, writing, onTrouble) {
  complain = onTrouble;
  const sheet = byId("settings");
  const parts = [
    sheetHead("settings", "settings-title"),
    writing === "no" ? note("look_only") : make("div", { class: "orders" }, ...orders(hands)),
    writing === "pin" ? pinField() : null,
    part("players", ...[0, 1].map(seat), starter()),
    part("variant", calling(), clock(), flag("squares", "squares_count"), traits(), note("next_game")),
    part("language", language(), flag("coach", "coach", "coach_help"), flag("voice", "voice")),
    hands ? keyboardPart() : null,
  ];
  sheet.replaceChildren(...parts.filter(Boolean));
  if (writing === "no") for (const field of sheet.querySelectorAll("select, input")) field.disabled = true;
  byId("open-settings").onclick = () => sheet.showModal();
  leaveByTap(sheet);
  if (state) showSettings(state);
}

export function sheetHead(key, id, ...more) {
  const leave = make("button", { type: "button", class: "tool", "aria-label": say("close"), title: say("close") });
  leave.innerHTML = '<svg aria-hidden="true" viewBox="0 0 24 24"><path d="M6 6l12 12M18 6L6 18"/></svg>';
  leave.addEventListener("click", () => leave.closest("dialog").close());
  return make("header", { class: "sheet-head" }, make("h2", { id }, say(key)), ...more, leave);
}

export function leaveByTap(sheet) {
  sheet.onclick = (event) => {
    if (event.target === sheet) sheet.close();
  };
}

function part(key, ...children) {
  return make("fieldset", { class: "part" }, make("legend", {}, say(key)), ...children);
}

const note = (key) => make("p", { class: "note" }, say(key));

function change(wishes) {
  post("settings", wishes).catch((error) => {
    complain(error);
    showSettings(state);
  });
}

function choice(id, label, options, onChoose) {
  const select = make("select", { id });
  for (const [value, text] of options) select.append(make("option", { value }, text));
  select.addEventListener("change", () => onChoose(select.value));
  return make("div", { class: "row" }, make("label", { for: id }, label), select);
}

function seat(index) {
  const levels = Array.from({ length: 10 }, (_, step) => [String(step + 1), sayLevel(step + 1)]);
  return choice(`seat-${index}`, say("player", { number: index + 1 }), [["0", say("person")], ...levels], (value) => {
    const chosen = [...wishesOf(state).levels];
    chosen[index] = Number(value);
    change({ levels: chosen });
  });
}

function starter() {
  const people = ["a", "b"].map((value, index) => [value, say("player", { number: index + 1 })]);
  const options = [...people, ["in turn", say("in_turn")], ["drawn", say("by_lot")]];
  return choice("starter", say("who_begins"), options, (value) => change({ starter: value }));
}

function calling() {
  const options = Object.entries(CALLINGS).map(([value, key]) => [value, say(key)]);
  return choice("calling", say("calling"), options, (value) => change({ calling: value }));
}

function clock() {
  const options = CLOCKS.map((seconds) => [String(seconds ?? 0), time(seconds)]);
  return choice("clock", say("clock"), options, (value) => change({ clock_seconds: Number(value) || null }));
}

function time(seconds) {
  return seconds ? say("seconds", { count: seconds }) : say("no_limit");
}

function language() {
  return choice("language", say("language"), Object.entries(languages()), (value) => change({ language: value }));
}

function flag(id, key, hint = null) {
  const box = make("input", { type: "checkbox", id: `flag-${id}` });
  box.addEventListener("change", () => change({ [id]: box.checked }));
  const text = hint ? make("small", {}, say(hint)) : null;
  return make("div", { class: "row" }, make("label", { for: `flag-${id}` }, say(key), text), box);
}

function traits() {
  const boxes = TRAITS.map((trait) => {
    const box = make("input", { type: "checkbox", value: trait, name: "trait" });
    box.addEventListener("change", () => {
      const chosen = TRAITS.filter((each) => byId("settings").querySelector(`[value="${each}"]`).checked);
      if (chosen.length) change({ traits: chosen });
      else box.checked = true;
    });
    return make("label", { class: "tick" }, box, make("span", {}, say(trait)));
  });
  return make("div", { class: "row stacked", role: "group", "aria-labelledby": "traits-name" },
    make("span", { id: "traits-name" }, say("traits")), make("div", { class: "ticks" }, ...boxes));
}

function orders(hands) {
  const order = (key, id, text) => {
    const button = make("button", { type: "button", id, class: "order" }, say(key));
    button.addEventListener("click", () => {
      post("order", { order: text }).catch(complain);
      if (text !== "pause") byId("settings").close();
    });
    return button;
  };
  const clear = make("button", { type: "button", class: "order" }, say("clear_board"));
  clear.addEventListener("click", () => {
    post("hands", { do: "clear" }).catch(complain);
    byId("settings").close();
  });
  return [
    order("new_game", "order-new", "new game"),
    order("pause", "order-pause", "pause"),
    order("take_back", "order-undo", "undo"),
    order("teach_me", "order-lesson", "teach me"),
    order("how_to_play", "order-rules", "how to play"),
    ...(hands ? [clear] : []),
  ];
}

function pinField() {
  const field = make("input", { id: "pin", type: "password", autocomplete: "off" });
  field.addEventListener("input", () => knowPin(field.value));
  const form = make("form", { class: "row" }, make("label", { for: "pin" }, say("pin")), field);
  form.addEventListener("submit", (event) => event.preventDefault());
  return form;
}

function keyboardPart() {
  const two = state?.settings.buttons === 2;
  const lines = ["key_arrows", "key_enter", "key_escape", two ? "key_call_two" : "key_call"].map((key) => make("li", {}, say(key)));
  return part("keyboard", make("ul", { class: "keys" }, ...lines));
}

const wishesOf = (snapshot) => snapshot.next_settings ?? snapshot.settings;

export function showSettings(snapshot) {
  state = snapshot;
  const wishes = wishesOf(snapshot);
  set("seat-0", wishes.levels[0]);
  set("seat-1", wishes.levels[1]);
  set("starter", wishes.starter);
  set("calling", wishes.calling);
  set("clock", wishes.clock_seconds ?? 0);
  set("language", wishes.language);
  byId("flag-voice").closest(".row").hidden = wishes.voice === null;
  for (const name of ["squares", "coach", "voice"]) byId(`flag-${name}`).checked = wishes[name];
  for (const box of byId("settings").querySelectorAll("[name=trait]")) box.checked = wishes.traits.includes(box.value);
  if (byId("order-pause")) showOrders(snapshot);
}

function showOrders(snapshot) {
  byId("order-pause").textContent = say(snapshot.overlays.includes("paused") ? "go_on" : "pause");
  byId("order-undo").hidden = !snapshot.settings.undo;
}

// A value that the page does not offer is shown all the same.
function set(id, value) {
  const select = byId(id);
  if (document.activeElement === select && select.matches(":open")) return;
  if (![...select.options].some((option) => option.value === String(value))) {
    select.append(make("option", { value }, id === "clock" ? time(value) : String(value)));
  }
  select.value = String(value);
  mark(select, "data-value", value);
}

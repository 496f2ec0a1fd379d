// The sheet of settings: who plays, by which rules, in which language; and a new game, a pause, a move taken back.

import { byId, hide, isOpen, make, mark, write } from "./elements.js";
import { reportPart } from "./report.js";
import { savedPart } from "./saved.js";
import { knowPin, post } from "./service.js";
import { forgetTrouble } from "./trouble.js";
import { updatePart } from "./update.js";
import { OFFERED_LEVELS, languages, say, sayLevel } from "./words.js";

const CLOCKS = [null, 30, 60, 120, 300];
const CALLINGS = { button: "by_players", auto: "by_board" };
const TRAITS = ["colour", "height", "shape", "top"];
const UNDER_WAY = new Set(["given", "waiting", "placed"]);

let state = null;
// The settings as they were put into the sheet last.
let shown = "";
let complain = () => {};

// `saved` tells whether the board keeps its games, `writing` who may change something: everybody ("free"), the owner ("pin"), or nobody ("no").
export function buildSettings({ hands, writing, saved, report, updates, wrong_pins: wrongPins }, onTrouble) {
  complain = onTrouble;
  const sheet = byId("settings");
  const parts = [
    sheetHead("settings", "settings-title"),
    writing === "pin" ? pinField() : null,
    wrongPins ? make("p", { class: "note" }, say("wrong_pins", { count: wrongPins })) : null,
    make("p", { class: "note", id: "chain-told", hidden: true }),
    writing === "no" ? note("look_only") : ordersPart(hands),
    part("players", ...[0, 1].map(seat), starter()),
    part("variant", calling(), clock(), flag("squares", "squares_count"), traits(), note("next_game")),
    part("language", language(), flag("coach", "coach", "coach_help"), flag("hindsight", "hindsight"), flag("voice", "voice"),
      flag("speak_squares", "speak_squares"),
      flag("photo_finish", "photo_finish", "photo_help")),
    saved && writing !== "no" ? savedPart(complain) : null,
    report && writing !== "no" ? reportPart(complain) : null,
    updates && writing !== "no" ? updatePart(complain) : null,
    hands ? keyboardPart() : null,
    hands ? makersPart() : null,
  ];
  sheet.replaceChildren(...parts.filter(Boolean));
  if (writing === "no") for (const field of sheet.querySelectorAll("select, input")) field.disabled = true;
  byId("open-settings").onclick = () => openSettings();
  sheet.onclose = forgetTrouble;
  leaveByTap(sheet);
  shown = "";
  if (state) showSettings(state);
}

function openSettings() {
  ask(false);
  if (!byId("settings").open) byId("settings").showModal();
}

// Somebody wants something that needs the PIN: this is where it is entered.
export function openPin() {
  document.querySelector("dialog[open]:not(#settings)")?.close();
  if (!byId("settings").open) openSettings();
  byId("pin")?.focus();
}

export function sheetHead(key, id, ...more) {
  const leave = make("button", { type: "button", class: "tool", "aria-label": say("close"), title: say("close") });
  leave.innerHTML = '<svg aria-hidden="true" viewBox="0 0 24 24"><path d="M6 6l12 12M18 6L6 18"/></svg>';
  leave.addEventListener("click", () => leave.closest("dialog").close());
  return make("div", { class: "sheet-head" }, make("h2", { id }, say(key)), ...more, leave,
    make("p", { class: "sheet-trouble", role: "alert" }));
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
  forgetTrouble();
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
  const levels = OFFERED_LEVELS.map((level) => [String(level), `${say("computer")}: ${sayLevel(level)}`]);
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

function ordersPart(hands) {
  const clear = button("clear_board", "order-clear", () => closing(post("hands", { do: "clear" })));
  const orders = [
    button("new_game", "order-new", () => (UNDER_WAY.has(state.phase) ? ask(true) : newGame(hands))),
    button("pause", "order-pause", () => asked(post("order", { order: "pause" }))),
    button("take_back", "order-undo", () => closing(post("order", { order: "undo" }))),
    button("teach_me", "order-lesson", () => closing(post("order", { order: "teach me" }))),
    button("how_to_play", "order-rules", () => closing(post("order", { order: "how to play" }))),
    ...(hands ? [clear] : []),
  ];
  const sure = make("div", { class: "sure", id: "sure", role: "group", "aria-labelledby": "sure-text", hidden: true },
    make("p", { id: "sure-text" }, say("sure_new_game")),
    make("div", { class: "orders" },
      button("end_game", "sure-yes", () => closing(post("order", { order: "new game" }))),
      button("play_on", "sure-no", () => ask(false))));
  return make("div", {}, make("div", { class: "orders", id: "orders" }, ...orders), sure);
}

function button(key, id, onPress) {
  const element = make("button", { type: "button", id, class: "order" }, say(key));
  element.addEventListener("click", () => {
    forgetTrouble();
    onPress();
  });
  return element;
}

// Whether a game is to be ended is asked before it is; "no" is the nearer answer.
function ask(asks) {
  if (!byId("sure") || byId("sure").hidden === !asks) return;
  const hadFocus = byId("settings").contains(document.activeElement);
  [byId("orders").hidden, byId("sure").hidden] = [asks, !asks];
  if (hadFocus) byId(asks ? "sure-no" : "order-new").focus();
}

// After a game the next one begins on a board that is clear: hands see to that where there are any.
function newGame(hands) {
  if (hands && state.phase === "over") closing(post("hands", { do: "clear" }));
  else closing(post("order", { order: "new game" }));
}

const asked = (answer) => answer.catch(complain);

const closing = (answer) => asked(answer.then(() => byId("settings").close()));

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

function makersPart() {
  const open = button("makers", "open-makers", () => {
    byId("settings").close();
    byId("makers").show();
    byId("makers").querySelector(".tool").focus();
  });
  return make("div", { class: "part orders" }, open);
}

const wishesOf = (snapshot) => snapshot.next_settings ?? snapshot.settings;

export function showSettings(snapshot) {
  state = snapshot;
  showChain(snapshot.chain);
  const wishes = wishesOf(snapshot);
  const told = JSON.stringify([wishes, snapshot.phase, snapshot.overlays, snapshot.settings.undo]);
  // In an open sheet somebody may have chosen what the board does not take.
  if (told === shown && !byId("settings").open) return;
  shown = told;
  set("seat-0", wishes.levels[0]);
  set("seat-1", wishes.levels[1]);
  set("starter", wishes.starter);
  set("calling", wishes.calling);
  set("clock", wishes.clock_seconds ?? 0);
  set("language", wishes.language);
  for (const name of ["voice", "speak_squares"]) hide(byId(`flag-${name}`).closest(".row"), wishes.voice === null);
  for (const name of ["squares", "coach", "hindsight", "voice", "speak_squares", "photo_finish"]) byId(`flag-${name}`).checked = wishes[name];
  for (const box of byId("settings").querySelectorAll("[name=trait]")) box.checked = wishes.traits.includes(box.value);
  if (byId("order-pause")) showOrders(snapshot);
}

// Whether the hub of a chain of boards is there, on a board that is on one.
function showChain(chain) {
  hide(byId("chain-told"), !chain);
  if (chain) write(byId("chain-told"), say(chain.connected && chain.hub ? "chain_there" : "chain_away"));
}

function showOrders(snapshot) {
  if (!UNDER_WAY.has(snapshot.phase)) ask(false);
  write(byId("order-pause"), say(snapshot.overlays.includes("paused") ? "go_on" : "pause"));
  hide(byId("order-undo"), !snapshot.settings.undo);
}

// A value that the page does not offer is shown all the same.
function set(id, value) {
  const select = byId(id);
  if (isOpen(select) || (select.value === String(value) && select.dataset.value === select.value)) return;
  if (![...select.options].some((option) => option.value === String(value))) {
    select.append(make("option", { value }, id === "clock" ? time(value) : id.startsWith("seat") ? `${say("computer")}: ${sayLevel(value)}` : String(value)));
  }
  select.value = String(value);
  mark(select, "data-value", value);
}

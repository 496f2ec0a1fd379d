// The front of the board: the display dot by dot, the lamps, the give place and the QUARTO! buttons.

import { OFFER, buildGivePlace, spots } from "./board.js";
import { byId, hide, make, mark } from "./elements.js";
import { post } from "./service.js";
import { say } from "./words.js";

const LIT = colour(190, 228, 255);
const DARK = colour(7, 10, 14);
const KEYS = { 1: { q: "call" }, 2: { q: "call0", p: "call1" } };

let shownDots = null;
let keys = {};
const down = new Set();

export function buildRail(hands, buttons, offers, onTrouble) {
  const rail = byId("rail");
  rail.replaceChildren();
  spots.delete(OFFER);
  rail.dataset.buttons = String(buttons);
  keys = hands ? KEYS[buttons] : {};
  const calls = Object.entries(KEYS[buttons]).map(([key, name]) => callButton(key, name, onTrouble));
  const give = offers || !hands ? giveCorner(hands, offers) : null;
  const parts = !hands ? [give, front()] : buttons === 2 ? [calls[0], give, front(), calls[1]] : [give, front(), calls[0]];
  rail.append(...parts.filter(Boolean));
}

function giveCorner(hands, offers) {
  const name = make("span", { class: "plate", "data-label": offers ? "give_place" : "piece_given", "aria-hidden": "true" });
  name.textContent = say(name.dataset.label);
  return make("div", { class: "giving" }, buildGivePlace(hands), name);
}

function front() {
  const lamps = ["a", "attention", "b"].map((lamp) => make("span", { class: `lamp ${lamp}`, id: `lamp-${lamp}` }));
  const glass = make("canvas", { id: "oled", width: 128, height: 64, role: "img", "data-label-aria": "display" });
  glass.setAttribute("aria-label", say("display"));
  shownDots = null;
  return make("div", { class: "front" }, glass, make("div", { class: "lamps", "aria-hidden": "true" }, ...lamps));
}

// --- the buttons: what a finger does is sent as it happens ---

function callButton(key, name, onTrouble) {
  const button = make("button", { type: "button", class: "call", "data-button": name, "aria-keyshortcuts": key.toUpperCase() });
  button.append(make("span", { "data-label": "call_button" }, say("call_button")));
  const press = (pressed) => set(name, pressed, onTrouble);
  button.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    button.setPointerCapture(event.pointerId);
    press(true);
  });
  for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) button.addEventListener(end, () => press(false));
  button.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    press(true);
  });
  button.addEventListener("keyup", (event) => {
    if (event.key === "Enter" || event.key === " ") press(false);
  });
  button.addEventListener("blur", () => press(false));
  button.addEventListener("contextmenu", (event) => event.preventDefault());
  return button;
}

function set(name, pressed, onTrouble) {
  if (down.has(name) === pressed) return;
  if (pressed) down.add(name);
  else down.delete(name);
  document.querySelector(`[data-button="${name}"]`)?.classList.toggle("down", pressed);
  post("button", { button: name, down: pressed }).catch(onTrouble);
}

export function callByKey(onTrouble) {
  const wanted = (event) => {
    const typing = event.target.closest?.("dialog, input, select, textarea");
    return typing || event.ctrlKey || event.altKey || event.metaKey ? null : keys[event.key.toLowerCase()];
  };
  document.addEventListener("keydown", (event) => {
    const name = wanted(event);
    if (name && !event.repeat) set(name, true, onTrouble);
  });
  document.addEventListener("keyup", (event) => {
    const name = keys[event.key.toLowerCase()];
    if (name) set(name, false, onTrouble);
  });
  window.addEventListener("blur", () => [...down].forEach((name) => set(name, false, onTrouble)));
}

// --- what is shown ---

export function showPanel(state) {
  for (const lamp of ["a", "attention", "b"]) {
    const pattern = state.lights?.panel?.[lamp] ?? "off";
    mark(byId(`lamp-${lamp}`), "data-light", pattern === "off" ? null : pattern);
  }
  document.querySelectorAll(".call").forEach((button, index) => {
    const name = state.settings.buttons === 2 ? state.players[index].name : null;
    mark(button, "aria-label", name ? `${say("call_button")} ${name}` : null);
    mark(button, "title", name);
  });
  hide(byId("oled"), !state.oled);
  if (state.oled) showDots(byId("oled"), state.oled);
}

function showDots(glass, oled) {
  const seen = oled.on ? oled.dots : "";
  if (seen === shownDots) return;
  shownDots = seen;
  if (glass.width !== oled.width || glass.height !== oled.height) [glass.width, glass.height] = [oled.width, oled.height];
  const bytes = Uint8Array.from(atob(seen), (letter) => letter.charCodeAt(0));
  const pen = glass.getContext("2d");
  const picture = pen.createImageData(oled.width, oled.height);
  const dots = new Uint32Array(picture.data.buffer);
  for (let dot = 0; dot < dots.length; dot += 1) dots[dot] = bytes[dot >> 3] & (128 >> (dot & 7)) ? LIT : DARK;
  pen.putImageData(picture, 0, 0);
}

// As one number, in the order of bytes that this machine has.
function colour(...parts) {
  return new Uint32Array(Uint8Array.of(...parts, 255).buffer)[0];
}

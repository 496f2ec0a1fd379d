// What went wrong, in the words of the page's language: in the open sheet, or at the foot of the page.

import { byId, write } from "./elements.js";
import { Refused } from "./service.js";
import { say } from "./words.js";

const TROUBLE_MS = 8000;

// The reasons that the board gives, and what the page says to each.
const REASONS = {
  "pin missing": "pin_missing",
  "pin wrong": "pin_wrong",
  "pin wait": "pin_wait",
  "look only": "look_only",
  "too fast": "too_fast",
  "busy": "busy",
  "guide first": "guide_first",
  "no game": "no_game_yet",
  "game over": "game_over",
  "game on": "game_on",
  "nothing placed": "nothing_placed",
  "square taken": "square_taken",
  "no games file": "no_games_file",
  "no stick": "no_stick",
  "no room": "no_room",
  "no update": "no_update",
};

const OF_PIN = new Set(["pin missing", "pin wrong"]);

let askForPin = () => {};
let timer = 0;

// `onPin` opens the place where the PIN is entered.
export function watchTrouble(onPin) {
  askForPin = onPin;
}

export function complain(error) {
  if (OF_PIN.has(error.reason)) askForPin();
  const sheet = document.querySelector("dialog[open] .sheet-trouble");
  if (sheet) return write(sheet, inWords(error));
  tellBelow(inWords(error));
}

// Something that is to be read, and goes away by itself.
export function tellBelow(text) {
  write(byId("trouble"), text);
  clearTimeout(timer);
  timer = setTimeout(() => write(byId("trouble"), ""), TROUBLE_MS);
}

// What went wrong before is past: something else has been asked for.
export function forgetTrouble() {
  write(byId("trouble"), "");
  for (const each of document.querySelectorAll(".sheet-trouble")) write(each, "");
}

function inWords(error) {
  if (!(error instanceof Refused)) return say(error instanceof TypeError ? "connection_lost" : "failed");
  return say(REASONS[error.reason] ?? "failed");
}

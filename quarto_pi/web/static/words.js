// The page's words in the board's language.

import { ENGLISH } from "./english.js";
import { read } from "./service.js";
import { pieceInEnglish } from "./notation.js";

let labels = {};
let told = {};
let spoken = "en";

// Changes the language; whoever shows words draws them again afterwards.
export async function speak(language) {
  if (language === spoken && Object.keys(labels).length) return false;
  try {
    told = await read(`words/${language}`);
    labels = told.labels;
  } catch {
    if (language === spoken) return false;
    labels = {};
  }
  spoken = language;
  document.documentElement.lang = language.replace("_", "-");
  for (const element of document.querySelectorAll("[data-label]")) element.textContent = say(element.dataset.label);
  for (const element of document.querySelectorAll("[data-label-aria]")) {
    element.setAttribute("aria-label", say(element.dataset.labelAria));
    if (element.classList.contains("tool")) element.title = say(element.dataset.labelAria);
  }
  document.title = say("title");
  return true;
}

// A label with its gaps filled in: say("game", { number: 3 }).
export function say(key, gaps = {}) {
  const text = labels[key] ?? ENGLISH[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (gap, name) => (name in gaps ? String(gaps[name]) : gap));
}

export function sayPiece(piece) {
  return told.pieces?.[piece] ?? pieceInEnglish(piece);
}

// Levels by words: those that are offered have one each, others that of the one below with their number behind it.
const LEVELS = { 1: "level_beginner", 3: "level_easy", 5: "level_medium", 8: "level_strong", 10: "level_perfect", 11: "level_like_me" };

export const OFFERED_LEVELS = Object.keys(LEVELS).map(Number);

export function sayLevel(number) {
  const word = say(LEVELS[OFFERED_LEVELS.findLast((level) => level <= number)]);
  return LEVELS[number] ? word : `${word} (${number})`;
}

// Every language that the board speaks, by its own name.
export function languages() {
  return told.languages ?? { en: "English" };
}

export function capital(text) {
  return text.charAt(0).toLocaleUpperCase(document.documentElement.lang) + text.slice(1);
}

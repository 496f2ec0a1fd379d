// The next language at one touch: for a page that stands beside the board, and for whoever knows its PIN.

import { byId, hide, mark, write } from "./elements.js";
import { post } from "./service.js";
import { languages, say } from "./words.js";

let state = null;

export function buildTongue(writing, complain) {
  const button = byId("next-language");
  button.dataset.writing = writing;
  button.onclick = () => post("settings", { language: following() }).catch(complain);
}

export function showTongue(snapshot) {
  state = snapshot;
  const button = byId("next-language");
  hide(button, button.dataset.writing === "no" || state.languages.length < 2);
  write(button, state.language.slice(0, 2).toUpperCase());
  const what = `${say("next_language")}: ${languages()[following()]}`;
  mark(button, "aria-label", what);
  mark(button, "title", what);
}

function following() {
  const offered = state.languages;
  return offered[(offered.indexOf(state.language) + 1) % offered.length];
}

// The guide of a first start: the piece that is asked for, and what can be pressed here instead of at the board.

import { byId, hide, make, write } from "./elements.js";
import { pieceElement } from "./pieces.js";
import { post } from "./service.js";
import { say } from "./words.js";

let shownPiece = null;

// Who may only look on has no buttons.
export function buildGuide(mayWrite, onTrouble) {
  const buttons = mayWrite ? [answer("press", "guide_press", onTrouble), answer("hold", "guide_hold", onTrouble)] : [];
  byId("guide").replaceChildren(
    make("div", { class: "asked", id: "guide-piece", "aria-hidden": "true" }),
    make("div", {}, make("p", { id: "guide-help" }), make("div", { class: "orders" }, ...buttons)),
  );
  shownPiece = null;
}

export function showGuide(state) {
  const guide = byId("guide");
  hide(guide, !state.guide);
  document.body.dataset.guide = state.guide ? "yes" : "no";
  if (!state.guide) return;
  write(byId("guide-help"), state.guide.help);
  if (shownPiece === state.guide.piece) return;
  shownPiece = state.guide.piece;
  byId("guide-piece").replaceChildren(...(shownPiece ? [pieceElement(shownPiece)] : []));
}

function answer(gesture, key, onTrouble) {
  const button = make("button", { type: "button", class: "order", "data-answer": gesture }, say(key));
  button.addEventListener("click", () => post("guide", { do: gesture }).catch(onTrouble));
  return button;
}

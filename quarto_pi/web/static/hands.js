// Hands at the simulated table: dragging, tapping and the keyboard. They move pieces, and nothing else.

import { readOut } from "./aloud.js";
import { OFFER, spots } from "./board.js";
import { COLUMNS, PIECES, RANKS } from "./notation.js";
import { post } from "./service.js";
import { drawingOf, expect, forget, home, pieceOn, placeOf } from "./table.js";
import { forgetTrouble, tellBelow } from "./trouble.js";
import { capital, say, sayPiece } from "./words.js";

const DRAG_PX = 6;

let picked = null;
// What moves the piece that is dragged, or null.
let dragger = null;
let redraw = () => {};
let complain = () => {};

export const pickedPiece = () => picked;

export function giveHands(onChange, onTrouble) {
  redraw = onChange;
  complain = onTrouble;
  document.body.addEventListener("pointerdown", grasp);
  document.body.addEventListener("keydown", press);
  document.body.addEventListener("focusin", roam);
}

function pick(piece) {
  picked = piece;
  forgetTrouble();
  if (piece) readOut(`${say("piece_chosen", { piece: capital(sayPiece(piece)) })}. ${say("choose_place")}`);
  redraw();
}

function letGo() {
  readOut(say("let_go", { piece: capital(sayPiece(picked)) }));
  pick(null);
}

function move(piece, name) {
  if (placeOf(piece) === name) return pick(null);
  const aside = name.startsWith("home-");
  expect(piece, aside ? home(piece) : name);
  post("hands", aside ? { do: "lift", piece } : { do: "put", piece, cell: name }).catch((error) => {
    forget(piece);
    complain(error);
    redraw();
  });
  pick(null);
}

// What Enter or a tap means on a spot.
function use(name) {
  const there = pieceOn(name);
  if (picked === null) {
    if (there) pick(there);
  } else if (there === picked) letGo();
  else if (there && name !== OFFER) tellBelow(say("still_held", { piece: sayPiece(picked) }));
  else move(picked, name);
}

const nameOf = (element) => element.dataset.cell ?? home(element.dataset.home);

// --- by mouse, pen or finger ---

function grasp(event) {
  const spot = event.target.closest?.(".spot");
  if (!spot || spot.closest("dialog") || event.button !== 0) return;
  const piece = pieceOn(nameOf(spot));
  const [x, y] = [event.clientX, event.clientY];
  const drawing = piece ? drawingOf(piece) : null;
  let drags = false;

  function wander(moved) {
    if (moved.pointerId !== event.pointerId || !drawing) return;
    const [dx, dy] = [moved.clientX - x, moved.clientY - y];
    if (!drags && Math.hypot(dx, dy) < DRAG_PX) return;
    if (!drags) begin();
    drawing.style.translate = `${dx}px ${dy}px`;
    hover(under(moved));
  }

  // The pointer keeps the look that it has over this spot, wherever it goes.
  function begin() {
    drags = true;
    dragger = event.pointerId;
    spot.setPointerCapture(event.pointerId);
    spot.classList.add("grasped");
    drawing.classList.add("held");
  }

  function release(ended) {
    if (ended.pointerId !== event.pointerId) return;
    for (const [kind, listener] of [["pointermove", wander], ["pointerup", release], ["pointercancel", release]]) {
      window.removeEventListener(kind, listener);
    }
    hover(null);
    if (!drags) {
      if (ended.type === "pointerup") use(nameOf(spot));
      return;
    }
    dragger = null;
    spot.classList.remove("grasped");
    const target = ended.type === "pointerup" ? under(ended) : null;
    if (target && nameOf(target) !== placeOf(piece)) move(piece, nameOf(target));
    else if (!target && ended.type === "pointerup") move(piece, home(piece));
    else pick(null);
    drawing.classList.remove("held");
    drawing.style.translate = "";
  }

  window.addEventListener("pointermove", wander);
  window.addEventListener("pointerup", release);
  window.addEventListener("pointercancel", release);
}

// Escape lets go of what is held before it does anything else: first what is dragged.
function stopDragging() {
  if (dragger === null) return false;
  window.dispatchEvent(new PointerEvent("pointercancel", { pointerId: dragger }));
  return true;
}

function under(event) {
  return document.elementFromPoint(event.clientX, event.clientY)?.closest(".spot") ?? null;
}

function hover(spot) {
  for (const each of spots.values()) each.classList.toggle("under", each === spot && !each.dataset.home);
}

// --- by keyboard ---

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function press(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("dialog")) return;
  const spot = event.target.closest(".spot");
  if (event.key === "Escape") return stopDragging() || (picked ? letGo() : putAside(spot));
  if (!spot) return;
  if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    if (!event.repeat) use(nameOf(spot));
  } else if (STEPS[event.key]) {
    event.preventDefault();
    neighbour(spot, ...STEPS[event.key])?.focus();
  }
}

function putAside(spot) {
  const piece = spot ? pieceOn(nameOf(spot)) : null;
  if (piece && placeOf(piece) !== home(piece)) move(piece, home(piece));
}

function neighbour(spot, right, down) {
  if (spot.dataset.home) return besides(spot, right, down);
  if (spot.dataset.cell === OFFER) return down < 0 ? spots.get("a1") : null;
  const column = COLUMNS.indexOf(spot.dataset.cell[0]) + right;
  const row = RANKS.indexOf(Number(spot.dataset.cell[1])) + down;
  if (row === RANKS.length) return spots.get(OFFER) ?? null;
  return spots.get(`${COLUMNS[column]}${RANKS[row]}`) ?? null;
}

// In the tray the next piece that is there; up and down jump between its lines as they are on this screen.
function besides(spot, right, down) {
  const there = PIECES.map((piece) => spots.get(home(piece))).filter((each) => each.dataset.filled || each === spot);
  if (right) return there[there.indexOf(spot) + right] ?? null;
  const box = spot.getBoundingClientRect();
  const line = there.filter((each) => (each.getBoundingClientRect().top - box.top) * down > 1);
  const gap = (each) => {
    const other = each.getBoundingClientRect();
    return Math.abs(other.top - box.top) * 2 + Math.abs(other.left - box.left);
  };
  return line.sort((one, two) => gap(one) - gap(two))[0] ?? null;
}

// One stop of the Tab key for the board and one for the tray: where the focus was last.
function roam(event) {
  const spot = event.target.closest?.(".spot");
  if (!spot || spot.dataset.cell === OFFER) return;
  for (const each of spots.values()) {
    if (Boolean(each.dataset.home) === Boolean(spot.dataset.home) && each.dataset.cell !== OFFER) each.tabIndex = -1;
  }
  spot.tabIndex = 0;
}

// Where a piece has gone from under the focus, the focus goes with it.
export function followPiece() {
  const { activeElement: focused } = document;
  const piece = focused?.dataset.home;
  if (piece && !focused.dataset.filled) spots.get(placeOf(piece))?.focus({ preventScroll: true });
}

// The tray is reached by Tab even when the piece that had the focus has gone.
export function keepTrayReachable() {
  const homes = PIECES.map((piece) => spots.get(home(piece)));
  if (homes.some((each) => each.tabIndex === 0 && (each.dataset.filled || each === document.activeElement))) return;
  const first = homes.find((each) => each.dataset.filled);
  if (first) first.tabIndex = 0;
}

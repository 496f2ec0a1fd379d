// The board: sixteen squares, the give place and the tray beside it, and what is marked on them.

import { byId, draw, make, mark } from "./elements.js";
import { COLUMNS, PIECES, RANKS } from "./notation.js";
import { standingOn } from "./replay.js";
import { capital, say, sayPiece } from "./words.js";

export const OFFER = "offer";

// Signs for marks, so that none hangs on colour alone.
const SIGNS = {
  target: "M12 4v13M6 11.5l6 6 6-6",
  put: "M12 4v13M6 11.5l6 6 6-6",
  take: "M12 20V7M6 12.5l6-6 6 6",
  won: "M12 3.5l2.6 5.6 6.1.7-4.5 4.1 1.2 6L12 16.9l-5.4 3 1.2-6-4.5-4.1 6.1-.7z",
  missed: "M6 6l12 12M18 6L6 18",
  unseen: "M4 4l16 16M4 12s3-5.5 8-5.5 8 5.5 8 5.5-3 5.5-8 5.5-8-5.5-8-5.5z",
  asked: "M8.5 9a3.5 3.5 0 1 1 5 3.2c-1 .5-1.5 1.1-1.5 2.3M12 18.2v.3",
  seen: "M12 8.5a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7",
  given: "M5 12.5l4.5 4.5L19 7.5",
};

// What is seen has become something else before it could be read out.
const SAID = {
  target: "put_here",
  put: "mark_put",
  take: "lift",
  won: "mark_won",
  missed: "missed",
  unseen: "mark_unseen",
  asked: "mark_asked",
  given: "piece_given",
};

// Every place where a piece can be, by the cell's name or, in the tray, "home-" and the piece.
export const spots = new Map();

// What each of them looks like and is called, so that nothing is done for those that stay as they are.
const looks = new WeakMap();

function spot(name, attributes) {
  const element = make("div", { class: "spot", "data-cell": name, ...attributes });
  element.append(
    make("span", { class: "well" }),
    draw("svg", { class: "sign", viewBox: "0 0 24 24", "aria-hidden": "true" }, draw("path", {})),
  );
  spots.set(name, element);
  return element;
}

export function buildBoard(hands) {
  const board = make("div", { class: "board", role: "grid", "data-label-aria": "board", "aria-label": say("board") });
  for (const rank of RANKS) {
    const row = make("div", { class: "rank", role: "row" });
    for (const column of COLUMNS) {
      const first = column === "a" && rank === 1;
      row.append(spot(`${column}${rank}`, { role: "gridcell", tabindex: first ? 0 : -1, class: "spot square" }));
    }
    board.append(row);
  }
  const frame = byId("board");
  frame.className = "frame";
  frame.append(board);
  for (const rank of RANKS) frame.append(make("span", { class: "name rank-name", "aria-hidden": "true" }, `${rank}`));
  for (const column of COLUMNS) frame.append(make("span", { class: "name", "aria-hidden": "true" }, column));
  buildTray(hands);
}

function buildTray(hands) {
  const tray = byId("tray");
  for (const piece of PIECES) {
    const home = spot(`home-${piece}`, { class: "spot home", role: hands ? "button" : "img", tabindex: -1 });
    home.dataset.home = piece;
    delete home.dataset.cell;
    tray.append(home);
  }
}

export function buildGivePlace(hands) {
  const place = spot(OFFER, { class: "spot offer", role: hands ? "button" : "img", tabindex: hands ? 0 : null });
  const ghost = draw("svg", { class: "ghost", viewBox: "0 0 100 130", "aria-hidden": "true", focusable: "false" });
  ghost.append(draw("use", { width: 100, height: 130 }));
  place.append(ghost);
  return place;
}

// Where pieces stand is told by `places`, a map from piece to the name of its spot.
export function describe(state, places, picked, hands) {
  const inside = new Map();
  for (const [piece, name] of places) inside.set(name, [...(inside.get(name) ?? []), piece]);
  // What has lapsed is crossed as long as it stands.
  const lapsed = standingOn(state.board, state.missed);
  const waits = state.result ? null : state.hand;
  showGhost(waits && places.get(waits) !== OFFER ? waits : null);
  for (const [name, element] of spots) {
    const pieces = inside.get(name) ?? [];
    const isGiven = pieces.includes(waits) && (element.dataset.home || name === OFFER);
    const sign = state.marks[name] ?? (lapsed.has(name) ? "missed" : isGiven ? "given" : null);
    const lamp = state.lights?.squares?.[name];
    const look = [pieces, sign, lamp, name === OFFER && waits, document.documentElement.lang].join(" ");
    if (looks.get(element) !== look) {
      looks.set(element, look);
      mark(element, "data-mark", sign);
      mark(element.querySelector(".sign path"), "d", SIGNS[sign]);
      light(element, lamp);
      mark(element, "data-filled", pieces.length ? "yes" : null);
      label(element, name, pieces, sign, waits);
    }
    choose(element, name, pieces, picked, hands);
  }
}

// A given piece that stands elsewhere is seen faintly on the give place.
function showGhost(piece) {
  const ghost = spots.get(OFFER)?.querySelector(".ghost");
  if (!ghost) return;
  mark(ghost, "data-ghost", piece);
  if (piece) mark(ghost.firstChild, "href", `#piece-${piece}`);
}

function light(element, lamp) {
  if (lamp) element.style.setProperty("--lamp", lamp[0]);
  mark(element, "data-light", lamp ? lamp[1] : null);
}

function label(element, name, pieces, sign, waits) {
  let text;
  if (element.dataset.home) text = pieces.length ? capital(sayPiece(element.dataset.home)) : "";
  else if (name === OFFER) {
    text = pieces.length
      ? say("give_place_with", { piece: pieces.map(sayPiece).join("; ") })
      : [`${say("give_place")}: ${say("empty")}`, waits && `${say("piece_given")}: ${sayPiece(waits)}`].filter(Boolean).join(". ");
  } else {
    text = pieces.length
      ? say("square_with", { square: name, piece: pieces.map(sayPiece).join("; ") })
      : say("square_empty", { square: name });
  }
  mark(element, "aria-label", (SAID[sign] ? `${text}. ${say(SAID[sign])}` : text) || null);
}

function choose(element, name, pieces, picked, hands) {
  const chosen = picked !== null && pieces.includes(picked);
  mark(element, "data-picked", chosen ? "yes" : null);
  if (!hands) {
    if (element.dataset.home) mark(element, "aria-hidden", pieces.length ? null : "true");
    return;
  }
  if (element.getAttribute("role") === "gridcell") mark(element, "aria-selected", String(chosen));
  else mark(element, "aria-pressed", String(chosen));
  if (element.dataset.home) {
    mark(element, "aria-hidden", pieces.length ? null : "true");
    if (!pieces.length && document.activeElement !== element) element.tabIndex = -1;
  }
}

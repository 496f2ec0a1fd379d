// The sixteen pieces on the page: each is one drawing that wanders from spot to spot as the real one does.

import { OFFER, spots } from "./board.js";
import { pieceElement } from "./pieces.js";
import { PIECES } from "./notation.js";

const SETTLE_MS = 4000;
const calm = matchMedia("(prefers-reduced-motion: reduce)");

const drawings = new Map();
const expected = new Map();
let places = new Map();

// At the start, and where another board with another front has taken the place of the first.
export function layOut() {
  for (const piece of PIECES) {
    drawings.get(piece)?.remove();
    const drawing = pieceElement(piece);
    drawings.set(piece, drawing);
    places.set(piece, home(piece));
    spots.get(home(piece)).append(drawing);
  }
}

export const home = (piece) => `home-${piece}`;

export const placeOf = (piece) => places.get(piece);

export const drawingOf = (piece) => drawings.get(piece);

// The piece that was put last on a spot, or null.
export function pieceOn(name) {
  const there = [...places].filter(([, place]) => place === name);
  return there.length ? there[there.length - 1][0] : null;
}

// Hands have been sent to bring a piece somewhere: it is shown there, lifted, until the table says where it is.
export function expect(piece, name) {
  expected.set(piece, { name, until: performance.now() + SETTLE_MS });
}

export function forget(piece) {
  expected.delete(piece);
}

// Draws every piece where it is, and returns the places.
export function arrange(state) {
  const wanted = state.table ? ofHands(state.table) : ofGame(state);
  const before = new Map();
  for (const [piece, { name }] of wanted) {
    if (places.get(piece) !== name) before.set(piece, drawings.get(piece).getBoundingClientRect());
  }
  for (const [piece, { name, lifted }] of wanted) {
    const drawing = drawings.get(piece);
    if (before.has(piece)) {
      drawing.style.translate = "";
      spots.get(name).append(drawing);
    }
    drawing.classList.toggle("lifted", lifted);
  }
  places = new Map([...wanted].map(([piece, { name }]) => [piece, name]));
  // Everything is measured before anything moves, so that the page is laid out once.
  const after = new Map([...before.keys()].map((piece) => [piece, drawings.get(piece).getBoundingClientRect()]));
  for (const [piece, box] of before) glide(drawings.get(piece), box, after.get(piece));
  return places;
}

function ofHands(table) {
  const wanted = new Map();
  for (const piece of PIECES) {
    const stands = table.standing[piece] ? known(table.standing[piece], piece) : home(piece);
    const moving = table.moving.includes(piece);
    const hope = expected.get(piece);
    if (hope && ((!moving && stands === hope.name) || performance.now() > hope.until)) expected.delete(piece);
    if (expected.has(piece)) wanted.set(piece, { name: hope.name, lifted: true });
    else wanted.set(piece, { name: moving && !table.standing[piece] ? places.get(piece) : stands, lifted: moving });
  }
  return wanted;
}

function ofGame(state) {
  const wanted = new Map(PIECES.map((piece) => [piece, { name: home(piece), lifted: false }]));
  for (const [square, piece] of Object.entries(state.board)) wanted.set(piece, { name: square, lifted: false });
  if (state.hand && spots.has(OFFER)) wanted.set(state.hand, { name: OFFER, lifted: false });
  return wanted;
}

const known = (name, piece) => (spots.has(name) ? name : home(piece));

function glide(drawing, from, to) {
  if (calm.matches || !from.width || !to.width) return;
  const size = from.width / to.width;
  const [x, y] = [from.left - to.left, from.top - to.top];
  drawing.style.transformOrigin = "0 0";
  const flight = drawing.animate(
    [{ transform: `translate(${x}px, ${y}px) scale(${size})` }, { transform: "none" }],
    { duration: 260, easing: "cubic-bezier(.2,.7,.2,1)" },
  );
  drawing.classList.add("flying");
  const landed = () => {
    drawing.classList.remove("flying");
    drawing.style.transformOrigin = "";
  };
  flight.finished.then(landed, landed);
}

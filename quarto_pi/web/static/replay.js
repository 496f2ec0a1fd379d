// A board on which positions are looked at, one after the other: a game that was played, or how it is played.

import { draw, make, mark, write } from "./elements.js";
import { COLUMNS, RANKS } from "./notation.js";
import { pieceElement } from "./pieces.js";
import { say, sayPiece } from "./words.js";

const PLAY_MS = 3200;

// `frames` tells for each position `pieces`, the given piece in `hand`, the squares that `won` and those that were
// `missed`; `describe(at)` says what happens there: [heading, text]. The element stops by itself once it is gone.
export function buildReplay(frames, describe, at, plays = false) {
  const end = frames.length - 1;
  const board = make("div", { class: "small-board", role: "img" });
  const hand = make("div", { class: "small-hand" });
  const heading = make("h3", { class: "heading" });
  const words = make("p", { class: "move", "aria-live": "polite" });
  const more = make("p", { class: "judgement" });
  const slider = make("input", { type: "range", min: 0, max: end, value: at, "aria-label": say("history") });
  const steps = {
    first: step("step_first", () => go(0)),
    back: step("step_back", () => go(at - 1)),
    next: step("step_forward", () => go(at + 1)),
    last: step("step_last", () => go(end)),
  };
  const player = make("button", { type: "button", class: "order player-button" }, say("play"));
  let timer = 0;

  function go(position) {
    at = Math.max(0, Math.min(end, position));
    const { pieces, hand: given, won, missed } = frames[at];
    slider.value = String(at);
    drawBoard(board, pieces, won, missed);
    hand.replaceChildren(...(given ? [pieceElement(given)] : []));
    hand.title = given ? `${say("piece_given")}: ${sayPiece(given)}` : "";
    const [title, text, judgement] = describe(at);
    heading.hidden = !title;
    write(heading, title);
    write(words, text);
    slider.setAttribute("aria-valuetext", `${at} / ${end}`);
    write(more, judgement ?? "");
    // A button that has the focus keeps it, though it has nothing more to do.
    for (const [button, off] of [[steps.first, at === 0], [steps.back, at === 0], [steps.next, at === end], [steps.last, at === end]]) {
      mark(button, "aria-disabled", off ? "true" : null);
    }
    if (at === end) stop();
  }

  function play() {
    if (at === end) go(0);
    write(player, say("stop"));
    timer = setInterval(() => (element.isConnected && element.closest("dialog")?.open ? go(at + 1) : stop()), PLAY_MS);
  }

  function stop() {
    clearInterval(timer);
    timer = 0;
    write(player, say("play"));
  }

  for (const button of Object.values(steps)) button.addEventListener("click", stop);
  slider.addEventListener("input", () => {
    stop();
    go(Number(slider.value));
  });
  player.addEventListener("click", () => (timer ? stop() : play()));
  const buttons = make("div", { class: "steps" }, ...Object.values(steps), player);
  const element = make("div", { class: "replay" }, make("div", { class: "stage-small" }, board, hand),
    make("div", { class: "story" }, heading, words, more, buttons, slider));
  go(at);
  if (plays) play();
  return { element, refresh: () => go(at) };
}

export const ICONS = {
  step_first: "M6 5h2.4v14H6zM20 5v14l-10.5-7z",
  step_back: "M14.6 5l-7 7 7 7 1.8-1.8-5.2-5.2 5.2-5.2z",
  step_forward: "M9.4 5l7 7-7 7-1.8-1.8 5.2-5.2-5.2-5.2z",
  step_last: "M15.6 5H18v14h-2.4zM4 5v14l10.5-7z",
  play: "M8 5v14l11-7z",
  pause: "M7 5h4v14H7zM13 5h4v14h-4z",
};

// A button of the player; pressing it calls `onPress`.
export function step(key, onPress, label = say(key)) {
  const button = make("button", { type: "button", class: "step", "aria-label": label, title: label });
  button.append(draw("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, draw("path", { d: ICONS[key] })));
  button.addEventListener("click", onPress);
  return button;
}

function drawBoard(board, pieces, won = new Set(), missed = new Set()) {
  const wells = RANKS.flatMap((rank) => COLUMNS.map((column) => {
    const square = `${column}${rank}`;
    const marked = won.has(square) ? "won" : missed.has(square) ? "missed" : null;
    return make("span", { class: "small-square", "data-square": square, "data-mark": marked },
      make("span", { class: "well" }, pieces[square] ? pieceElement(pieces[square]) : null));
  }));
  board.replaceChildren(...wells);
  const stands = Object.entries(pieces).map(([square, piece]) => {
    const said = say("square_with", { square, piece: sayPiece(piece) });
    return won.has(square) ? `${said} (${say("mark_won")})` : missed.has(square) ? `${said} (${say("missed")})` : said;
  });
  board.setAttribute("aria-label", [say("board"), ...stands].join("; "));
}

// The squares of all these alignments.
export function squaresOf(alignments) {
  return new Set(alignments.flatMap((alignment) => alignment.squares));
}

// The squares of those alignments that stand on a board.
export function standingOn(pieces, alignments) {
  return squaresOf(alignments.filter((alignment) => alignment.squares.every((square) => pieces[square])));
}

// How it is played: the pages that a board shows while nobody plays, each with a picture, and then a whole game.

import { byId } from "./elements.js";
import { parsePosition } from "./notation.js";
import { squaresOf, buildReplay } from "./replay.js";
import { read } from "./service.js";
import { leaveByTap, sheetHead } from "./settings.js";
import { say, sayPiece } from "./words.js";

let playing = false;
let opened = 0;

export function buildLesson() {
  const sheet = byId("lesson");
  leaveByTap(sheet);
  sheet.onclose = () => sheet.replaceChildren();
}

// Opens the sheet and begins; `playing` goes on by itself unless less motion is wished for.
export async function openLesson() {
  const mine = (opened += 1);
  const told = await read(`lesson/${document.documentElement.lang.replace("-", "_")}`);
  if (mine !== opened) return;
  playing = !matchMedia("(prefers-reduced-motion: reduce)").matches;
  const sheet = byId("lesson");
  const pictures = picturesOf(told);
  const frames = [...pictures, ...positionsOf(told.game).slice(1)];
  const names = [0, 1].map((index) => say("player", { number: index + 1 }));
  const describe = (at) => {
    if (at < pictures.length) return [told.pages[at].title, told.pages[at].text];
    return [say("a_game"), stepText(told.game, at - pictures.length + 1, names)];
  };
  sheet.replaceChildren(sheetHead("how_to_play", "lesson-title"), buildReplay(frames, describe, 0, playing).element);
  if (!sheet.open) sheet.showModal();
}

// For each page of how to play a moment of the game: pieces, goal, give, place, call, missed, end.
function picturesOf({ pages, game }) {
  const positions = positionsOf(game);
  const last = positions.at(-1);
  const line = squaresOf(game.alignments);
  const before = positions.at(-2);
  const shown = [positions[1], last, positions[3], positions[4], last, { ...last, won: new Set(), missed: line }, last];
  return pages.map((_, index) => shown[index] ?? before);
}

// Every position of a game as it is drawn, at the end with the line that has won.
function positionsOf(told) {
  return told.positions.map((position, at) => {
    const { board: pieces, hand } = parsePosition(position);
    return { pieces, hand, won: at === told.positions.length - 1 ? squaresOf(told.alignments) : new Set() };
  });
}

// Positions are told in turn before a give and with the given piece in hand: an odd one follows a give, an even one
// a placement.
function stepText(told, at, names) {
  const move = told.moves[Math.floor(at / 2)];
  const player = names[move.player];
  if (at % 2) return say("gives", { player, piece: sayPiece(move.give) });
  const placed = say("places", { player, piece: sayPiece(told.moves[at / 2 - 1].give), square: move.square });
  const called = at === told.positions.length - 1 && told.winner !== null && told.reason === "call";
  return called ? `${placed}. ${say("calls", { player: names[told.winner] })}` : placed;
}

// Finished games: the list, and one of them position by position with the coach's words.

import { byId, make } from "./elements.js";
import { parsePosition } from "./notation.js";
import { buildReplay, squaresOf, standingOn } from "./replay.js";
import { address, read } from "./service.js";
import { leaveByTap, sheetHead } from "./settings.js";
import { buildStatistics, showStatistics } from "./statistics.js";
import { say, sayPiece } from "./words.js";

const COACH_MS = 1000;

let names = ["", ""];
let finished = -1;
let complain = () => {};

export function buildHistory(onTrouble) {
  complain = onTrouble;
  const sheet = byId("history");
  sheet.replaceChildren(sheetHead("games", "history-title"), make("div", { id: "games" }), buildStatistics());
  byId("open-history").onclick = () => {
    sheet.showModal();
    list().catch(complain);
  };
  leaveByTap(sheet);
  if (sheet.open) list().catch(complain);
}

// A list that is open grows by itself when a game ends.
export function followHistory(state) {
  names = state.players.map((player) => player.name);
  showStatistics(state);
  if (state.tally.games === finished) return;
  finished = state.tally.games;
  if (byId("history").open && byId("games").dataset.view === "list") list().catch(complain);
}

// The list; the focus comes back to the game that was looked at.
async function list(number = null) {
  const games = await read("games");
  const place = byId("games");
  place.dataset.view = "list";
  if (!games.length) return place.replaceChildren(make("p", { class: "note" }, say("no_games")));
  const rows = games.map((game) => {
    const open = make("button", { type: "button", class: "game", "data-number": game.number },
      make("strong", {}, say("game", { number: game.number })),
      make("span", {}, outcome(game)),
      make("small", {}, `${say("history")}: ${game.moves}`));
    open.addEventListener("click", () => show(game).catch(complain));
    return make("li", {}, open);
  });
  place.replaceChildren(make("ul", { class: "games" }, ...rows.reverse()));
  place.querySelector(`[data-number="${number}"]`)?.focus();
}

function outcome(game) {
  if (game.winner !== null) return say("wins", { player: names[game.winner] });
  return say(game.reason === "draw" ? "draw" : "unfinished");
}

async function show(game) {
  let told = await read(`games/${game.number}`);
  const place = byId("games");
  place.dataset.view = "game";
  const frames = positionsOf(told);
  const describe = (at) => {
    const move = at ? told.moves[Math.floor(at / 2)] : null;
    return ["", at ? stepText(told, at, names) : say("no_moves"), move ? coachText(told, move) : ""];
  };
  const replay = buildReplay(frames, describe, frames.length - 1);
  const all = make("button", { type: "button", class: "order" }, say("games"));
  all.addEventListener("click", () => list(game.number).catch(complain));
  const file = `quarto-${game.number}.txt`;
  const download = make("a", { class: "order", href: address(`games/${game.number}/record`), download: file }, say("save_game"));
  place.replaceChildren(
    make("div", { class: "orders" }, all, download),
    make("h3", {}, `${say("game", { number: game.number })}: ${outcome(game)}`),
    replay.element,
  );
  all.focus();
  while (!told.judged && replay.element.isConnected) {
    await new Promise((resolve) => setTimeout(resolve, COACH_MS));
    if (!replay.element.isConnected || !byId("history").open) return;
    told = await read(`games/${game.number}`);
    replay.refresh();
  }
}

// Every position of a game as it is drawn; at the end with what has won, and all the way with what was missed by then.
export function positionsOf(told) {
  const end = told.positions.length - 1;
  return told.positions.map((position, at) => {
    const { board: pieces, hand } = parsePosition(position);
    const lapsed = told.missed.filter((alignment) => at === end || hasLapsed(told, alignment, at));
    return { pieces, hand, won: at === end ? squaresOf(told.alignments) : new Set(), missed: standingOn(pieces, lapsed) };
  });
}

// An alignment lapses with the placement after the one that has completed it (R8).
function hasLapsed(told, { squares }, at) {
  const complete = told.positions.findIndex((position) => squares.every((square) => parsePosition(position).board[square]));
  return complete >= 0 && at >= complete + 2;
}

// Positions are told in turn before a give and with the given piece in hand: an odd one follows a give, an even one
// a placement.
export function stepText(told, at, names) {
  const move = told.moves[Math.floor(at / 2)];
  const player = names[move.player];
  if (at % 2) return say("gives", { player, piece: sayPiece(move.give) });
  const placed = say("places", { player, piece: sayPiece(told.moves[at / 2 - 1].give), square: move.square });
  const called = at === told.positions.length - 1 && told.winner !== null && told.reason === "call";
  return called ? `${placed}. ${say("calls", { player: names[told.winner] })}` : placed;
}

function coachText(told, move) {
  if (!told.judged) return say("coach_thinks");
  return move.judgement ? `${say("coach_says")}: ${move.judgement}` : "";
}

// Finished games: the list, and one of them position by position with the coach's words.

import { byId, draw, make, write } from "./elements.js";
import { COLUMNS, RANKS, parsePosition } from "./notation.js";
import { pieceElement } from "./pieces.js";
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

async function list() {
  const games = await read("games");
  const place = byId("games");
  place.dataset.view = "list";
  if (!games.length) return place.replaceChildren(make("p", { class: "note" }, say("no_games")));
  const rows = games.map((game) => {
    const open = make("button", { type: "button", class: "game" },
      make("strong", {}, say("game", { number: game.number })),
      make("span", {}, outcome(game)),
      make("small", {}, `${say("history")}: ${game.moves}`));
    open.addEventListener("click", () => show(game).catch(complain));
    return make("li", {}, open);
  });
  place.replaceChildren(make("ul", { class: "games" }, ...rows.reverse()));
}

function outcome(game) {
  if (game.winner !== null) return say("wins", { player: names[game.winner] });
  return say(game.reason === "draw" ? "draw" : "unfinished");
}

async function show(game) {
  let told = await read(`games/${game.number}`);
  const place = byId("games");
  place.dataset.view = "game";
  const end = told.positions.length - 1;
  let at = end;
  const board = make("div", { class: "small-board", role: "img" });
  const hand = make("div", { class: "small-hand" });
  const words = make("p", { class: "move", "aria-live": "polite" });
  const judgement = make("p", { class: "judgement", "aria-live": "polite" });
  const slider = make("input", { type: "range", min: 0, max: end, value: end, "aria-label": say("history") });
  const go = (position) => {
    at = Math.max(0, Math.min(end, position));
    slider.value = String(at);
    const { board: pieces, hand: given } = parsePosition(told.positions[at]);
    drawBoard(board, pieces);
    hand.replaceChildren(...(given ? [pieceElement(given)] : []));
    hand.title = given ? `${say("piece_given")}: ${sayPiece(given)}` : "";
    const move = at ? told.moves[Math.floor(at / 2)] : null;
    write(words, at ? stepText(told, at) : say("no_moves"));
    write(judgement, move ? coachText(told, move) : "");
    [first.disabled, back.disabled, next.disabled, last.disabled] = [at === 0, at === 0, at === end, at === end];
  };
  const step = (key, path, where) => {
    const button = make("button", { type: "button", class: "step", "aria-label": say(key), title: say(key) });
    button.append(draw("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, draw("path", { d: path })));
    button.addEventListener("click", () => go(where()));
    return button;
  };
  const first = step("step_first", "M6 5h2.4v14H6zM20 5v14l-10.5-7z", () => 0);
  const back = step("step_back", "M17 5v14L6.5 12z", () => at - 1);
  const next = step("step_forward", "M7 5v14l10.5-7z", () => at + 1);
  const last = step("step_last", "M15.6 5H18v14h-2.4zM4 5v14l10.5-7z", () => end);
  slider.addEventListener("input", () => go(Number(slider.value)));
  const all = make("button", { type: "button", class: "order" }, say("games"));
  all.addEventListener("click", () => list().catch(complain));
  const file = `quarto-${game.number}.txt`;
  const download = make("a", { class: "order", href: address(`games/${game.number}/record`), download: file }, say("save_game"));
  place.replaceChildren(
    make("div", { class: "orders" }, all, download),
    make("h3", {}, `${say("game", { number: game.number })}: ${outcome(game)}`),
    make("div", { class: "replay" }, make("div", { class: "stage" }, board, hand),
      make("div", { class: "story" }, words, judgement, make("div", { class: "steps" }, first, back, next, last), slider)),
  );
  go(end);
  while (!told.judged && board.isConnected) {
    await new Promise((resolve) => setTimeout(resolve, COACH_MS));
    if (!board.isConnected || !byId("history").open) return;
    told = await read(`games/${game.number}`);
    go(at);
  }
}

function drawBoard(board, pieces) {
  const wells = RANKS.flatMap((rank) => COLUMNS.map((column) => {
    const piece = pieces[`${column}${rank}`];
    return make("span", { class: "well" }, piece ? pieceElement(piece) : null);
  }));
  board.replaceChildren(...wells);
  const stands = Object.entries(pieces).map(([square, piece]) => say("square_with", { square, piece: sayPiece(piece) }));
  board.setAttribute("aria-label", [say("board"), ...stands].join("; "));
}

// Positions are told in turn before a give and with the given piece in hand: an odd one follows a give, an even one
// a placement.
function stepText(told, at) {
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

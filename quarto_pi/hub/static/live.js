// Games under way, side by side, as each board shows its own.

import { make, mark, write } from "../elements.js";
import { parsePosition } from "../notation.js";
import { pieceElement } from "../pieces.js";
import { dress, drawBoard } from "../review.js";
import { say, sayPiece } from "../words.js";
import { houseChoice, housesOf, saySeat, saySeatAt } from "./said.js";
import { spectatorTool } from "./spectators.js";

const CARDS = 24;

let place = null;
let house = "";
let houses = null;
let most = CARDS;
let hub = null;
let user = null;
const cards = new Map();

export function buildLive(into, who, known) {
  dress();
  hub = known;
  user = who;
  cards.clear();
  most = CARDS;
  houses = null;
  const grid = make("div", { class: "live" });
  const note = make("p", { class: "note" });
  const choice = make("div", { class: "filters" });
  const more = make("button", { type: "button", class: "order", hidden: true }, say("show_more"));
  more.addEventListener("click", () => {
    most += CARDS;
    showLive(hub);
  });
  place = { grid, note, choice, more };
  into.append(make("h2", { class: "unseen" }, say("live_games")), choice, grid, note, more);
}

export function showLive({ boards }) {
  if (houses !== housesOf(hub)) {
    houses = housesOf(hub);
    const choice = houseChoice(hub, house, (chosen) => {
      house = chosen;
      showLive(hub);
    });
    if (!choice) house = "";
    place.choice.replaceChildren(...(choice ? [choice] : []));
  }
  const playing = [...boards.values()]
    .filter((board) => board.game && board.here && board.doing !== "asleep" && (!house || board.house === house))
    .sort((one, other) => Number(one.game.over) - Number(other.game.over) || one.name.localeCompare(other.name));
  write(place.note, playing.length ? "" : say("nobody_plays"));
  place.more.hidden = playing.length <= most;
  const wanted = playing.slice(0, most).map(card);
  wanted.forEach((element, index) => {
    if (place.grid.children[index] !== element) place.grid.insertBefore(element, place.grid.children[index] ?? null);
  });
  while (place.grid.children.length > wanted.length) place.grid.lastChild.remove();
}

function card(board) {
  let known = cards.get(board.name);
  if (!known) {
    known = { ...newCard(board.name), told: "" };
    if (user.role === "owner" || (user.role === "house" && user.house === board.house)) known.element.append(spectatorTool(board.name));
    cards.set(board.name, known);
  }
  const seats = board.game.seats.map((_, index) => saySeatAt(hub, board, index));
  const told = JSON.stringify([board.game, board.house, seats]);
  if (known.told !== told) {
    known.told = told;
    fill(known, board, seats);
  }
  return known.element;
}

export function newCard(name, heading = "h3") {
  const drawn = make("div", { class: "small-board", role: "img" });
  const hand = make("div", { class: "small-hand" });
  const players = make("div", { class: "live-players" });
  const end = make("p", { class: "live-end" });
  const where = make("p", { class: "live-where" });
  const element = make("article", { class: "live-card", "data-board": name, "aria-label": name },
    make(heading, { class: "live-name" }, name), where, make("div", { class: "stage-small" }, drawn, hand), players, end);
  return { element, drawn, hand, players, end, where };
}

export function fill({ element, drawn, hand, players, end, where }, { game, house: its = "" }, seats = game.seats.map(saySeat)) {
  const { board: pieces, hand: given } = parsePosition(game.position);
  drawBoard(drawn, pieces, [], []);
  hand.replaceChildren(...(given && !game.over ? [pieceElement(given)] : []));
  mark(hand, "title", given ? `${say("piece_given")}: ${sayPiece(given)}` : null);
  write(where, its);
  where.hidden = !its;
  players.replaceChildren(...[0, 1].map((index) => make("span", {
    class: "player",
    "data-turn": game.to_act === index && !game.over,
    "data-won": game.over && game.winner === index,
  }, make("span", { class: "turn", "aria-hidden": "true" }), make("span", { class: "who" }, seats[index] ?? saySeat("", index)))));
  const won = game.over && game.winner !== null;
  write(end, won ? say("wins", { player: seats[game.winner] ?? saySeat("", game.winner) }) : "");
  element.dataset.over = game.over ? "yes" : "no";
}

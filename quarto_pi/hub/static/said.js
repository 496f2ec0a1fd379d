// What several views say: times, houses, who sits at a board, what a board is.

import { make } from "../elements.js";
import { say, sayLevel } from "../words.js";

const LIKE_ME = 11;
const STATES = { playing: "state_playing", waiting: "state_waiting", asleep: "state_asleep", ill: "state_ill", gone: "state_gone" };

export const CONDITIONS = Object.keys(STATES);

export function sayState(condition) {
  return say(STATES[condition]);
}

// The hour where it was today, the day as well where it was not.
export function sayTime(seconds) {
  if (!seconds) return "";
  const moment = new Date(seconds * 1000);
  const hour = { hour: "2-digit", minute: "2-digit" };
  const isToday = moment.toDateString() === new Date().toDateString();
  return moment.toLocaleString(document.documentElement.lang, isToday ? hour : { day: "numeric", month: "short", ...hour });
}

export function saySeat(seat, index) {
  const [kind, level] = (seat ?? "").split(" ");
  if (kind === "computer") return `${say("computer")}: ${sayLevel(level === "like" ? LIKE_ME : Number(level) || 1)}`;
  if (kind === "board") return say("other_board");
  return say("player", { number: index + 1 });
}

// Who sits at a board now: another board by its name, where that says the same.
export function saySeatAt(hub, board, index) {
  const seat = board.game.seats[index];
  return seat === "board" && board.other && hub.boards.get(board.other)?.other === board.name ? board.other : saySeat(seat, index);
}

// A choice of houses, for who sees more than one; `onChoice` is called with one, or with nothing for all of them.
export function houseChoice(hub, chosen, onChoice) {
  const houses = [...new Set([...hub.boards.values()].map((board) => board.house))].filter(Boolean).sort();
  if (houses.length < 2) return null;
  const select = make("select", { "aria-label": say("house") },
    make("option", { value: "" }, say("all_houses")),
    ...houses.map((house) => make("option", { value: house }, house)));
  select.value = houses.includes(chosen) ? chosen : "";
  select.addEventListener("change", () => onChoice(select.value));
  return select;
}

// The same choice again only where the houses are others.
export function housesOf(hub) {
  return [...new Set([...hub.boards.values()].map((board) => board.house))].sort().join("\n");
}

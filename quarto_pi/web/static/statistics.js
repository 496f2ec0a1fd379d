// What has been counted over all finished games: below their list, in the same sheet.

import { byId, make } from "./elements.js";
import { say } from "./words.js";

let told = "";
let tally = null;

export function buildStatistics() {
  told = "";
  return make("section", { id: "statistics", class: "part", "aria-labelledby": "statistics-title" });
}

// The pictures of it: loaded with the first look at them, and made anew for each.
export async function drawStatistics() {
  if (!tally?.games) return;
  const { showFigures } = await import("./figures.js");
  await showFigures(tally);
}

// It is made anew only when a game has been counted, or the words are others.
export function showStatistics({ tally: newest, players }) {
  tally = newest;
  const counted = JSON.stringify([tally, players]);
  if (counted === told) return;
  told = counted;
  const place = byId("statistics");
  const before = byId("figures");
  place.hidden = tally.games === 0;
  const lines = [
    [say("games_played"), tally.games],
    ...players.map((player, index) => [`${player.name}: ${say("games_won")}`, tally.wins[index]]),
    [say("draws"), tally.draws],
    [say("missed_alignments"), tally.missed],
    [say("time_per_game"), minutes(tally.average_ms)],
  ];
  place.replaceChildren(make("h3", { id: "statistics-title" }, say("statistics")), numbers(lines));
  place.append(...(before ? [before] : [make("div", { id: "figures" })]));
}

function numbers(lines) {
  return make("dl", { class: "numbers" },
    ...lines.map(([label, number]) => make("div", {}, make("dt", {}, label), make("dd", {}, String(number)))));
}

function minutes(milliseconds) {
  const seconds = Math.floor(milliseconds / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

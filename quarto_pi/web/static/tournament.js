// The tournament of the board's house: a line with what is played here, and the table behind it.

import { byId, hide, make, write } from "./elements.js";
import { leaveByTap, sheetHead } from "./settings.js";
import { say } from "./words.js";

let shown = "";

export function buildTournament() {
  shown = "";
  const sheet = byId("tournament");
  sheet.replaceChildren(
    sheetHead("standings", "tournament-title"),
    make("p", { id: "tournament-about", class: "note" }),
    make("div", { id: "tournament-table" }));
  byId("open-tournament").onclick = () => sheet.showModal();
  leaveByTap(sheet);
}

export function showTournament({ tournament }) {
  const told = JSON.stringify(tournament);
  if (told === shown) return;
  shown = told;
  hide(byId("open-tournament"), !tournament);
  if (!tournament) return byId("tournament").close();
  const here = sayHere(tournament);
  write(byId("open-tournament"), [tournament.title, here].filter(Boolean).join(" · "));
  write(byId("tournament-about"), [tournament.title, say("round_of", { number: tournament.round, count: tournament.rounds }), here].filter(Boolean).join(" · "));
  byId("tournament-table").replaceChildren(table(tournament));
}

function sayHere({ table: number, match }) {
  if (!number) return "";
  const place = say("table", { number });
  if (!match) return place;
  const { first, second, score, best_of: best } = match;
  const stands = best > 1 ? ` (${sayPoints(score[0])} : ${sayPoints(score[1])})` : "";
  return `${place}: ${say("pairing", { first, second })}${stands}`;
}

function table({ standings, match }) {
  const plays = new Set(match ? [match.first, match.second] : []);
  const head = [say("player", { number: "" }).trim(), say("points"), say("games_played")];
  return make("table", { class: "standings" },
    make("thead", {}, make("tr", {}, make("td"), ...head.map((text) => make("th", { scope: "col" }, text)))),
    make("tbody", {}, ...standings.map(({ place, player, points, played }) => make("tr", { "data-player": player, "data-plays": plays.has(player) ? "yes" : null },
      make("td", {}, `${place}.`), make("th", { scope: "row" }, String(player)), make("td", {}, sayPoints(points)), make("td", {}, String(played))))));
}

// Points are told in halves.
function sayPoints(halves) {
  const whole = Math.floor(halves / 2);
  return `${whole || halves === 0 ? whole : ""}${halves % 2 ? "½" : ""}`;
}

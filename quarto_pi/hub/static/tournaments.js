// Tournaments of houses: the list, a new one, and one of them with its tables, pairings and standings.

import { make, write } from "../elements.js";
import { post, read } from "../service.js";
import { say } from "../words.js";
import { complain } from "./complaints.js";
import { buildDirecting } from "./directing.js";
import { unfoldedIn } from "./folds.js";
import { field } from "./login.js";
import { buildPairings, buildTables, sayPlayer, sayPoints } from "./pairings.js";

const SYSTEMS = { "round robin": "round_robin", swiss: "swiss_system" };

let place = null;
let user = null;
let hub = null;
let opened = 0;
let told = "";
let houses = "";

export function buildTournaments(into, who, known) {
  [place, user, hub, told] = [into, who, known, ""];
  refreshTournaments();
}

// What was decided is read again; what somebody types just now is left alone until he is done.
export function refreshTournaments() {
  (opened ? showOne(opened) : showAll()).catch((error) => {
    if (error.status === 404) opened = 0;
    complain(error);
  });
}

// Which houses there are is known once their boards are.
export function noteHouses() {
  if (!opened && houses !== directed().join("\n")) refreshTournaments();
}

function directed() {
  if (user.role === "house") return [user.house];
  return user.role === "owner" ? [...new Set([...hub.boards.values()].map((board) => board.house))].sort() : [];
}

async function showAll() {
  const here = place;
  const { tournaments } = await read("tournaments");
  const isTyping = place.contains(document.activeElement) && document.activeElement.tagName === "INPUT";
  if (here !== place || opened || isTyping) return;
  houses = directed().join("\n");
  const list = make("ul", { class: "tournaments" }, ...tournaments.map((each) => {
    const button = make("button", { type: "button", class: "tournament", "data-tournament": each.number },
      make("strong", {}, each.title),
      make("span", {}, each.house),
      make("span", {}, [
        say(SYSTEMS[each.system]),
        `${say("players")}: ${each.players}`,
        each.closed ? say("tournament_closed") : each.played ? say("tournament_over") : say("round_of", { number: each.drawn, count: each.rounds }),
      ].join(" · ")));
    button.addEventListener("click", () => open(each.number));
    return make("li", {}, button);
  }));
  place.replaceChildren(
    make("h2", { class: "unseen" }, say("tournaments")), list,
    make("p", { class: "note" }, tournaments.length ? "" : say("no_tournaments")),
    ...(directed().length ? [beginning()] : []));
}

function open(number) {
  opened = number;
  told = "";
  refreshTournaments();
}

function beginning() {
  const title = make("input", { type: "text", id: "new-title", maxlength: 40, required: true, autocomplete: "off" });
  const house = make("select", { id: "new-house" }, ...directed().map((each) => make("option", { value: each }, each || "–")));
  const system = make("select", { id: "new-system" }, ...Object.entries(SYSTEMS).map(([value, key]) => make("option", { value }, say(key))));
  const best = make("select", { id: "new-best" }, ...[1, 2, 3, 5, 7].map((each) => make("option", { value: each }, String(each))));
  const rounds = make("input", { type: "number", id: "new-rounds", min: 1, max: 30, value: 5, required: true });
  const ofRounds = field("new-rounds", "rounds", rounds);
  const show = () => { ofRounds.hidden = system.value !== "swiss"; };
  system.addEventListener("change", show);
  show();
  const form = make("form", { class: "part adding" }, make("h3", {}, say("new_tournament")),
    field("new-title", "tournament_name", title), field("new-house", "house", house), field("new-system", "pairing_system", system),
    ofRounds, field("new-best", "best_of", best), make("button", { type: "submit", class: "order" }, say("new_tournament")));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const isSwiss = system.value === "swiss";
    post("tournaments", {
      title: title.value.trim(), house: house.value, system: system.value,
      best_of: Number(best.value), rounds: isSwiss ? Number(rounds.value) : 0,
    }).then(({ number }) => open(number), complain);
  });
  return form;
}

async function showOne(number) {
  const here = place;
  const tournament = await read(`tournaments/${number}`);
  if (here !== place || opened !== number) return;
  const news = JSON.stringify(tournament);
  // Whoever is typing keeps his words; what is new is shown when he has done something with them.
  const typing = place.contains(document.activeElement) && ["TEXTAREA", "INPUT", "SELECT"].includes(document.activeElement.tagName);
  if (news === told || (typing && told)) return;
  draw(tournament);
}

function draw(tournament) {
  told = JSON.stringify(tournament);
  const isUnfolded = unfoldedIn(place);
  const focused = document.activeElement?.id;
  const order = (name, body = {}) => post(`tournaments/${tournament.number}/${name}`, body).then(draw, complain);
  const back = make("button", { type: "button", class: "order" }, `‹ ${say("tournaments")}`);
  back.addEventListener("click", () => {
    opened = 0;
    told = "";
    refreshTournaments();
  });
  const state = tournament.closed ? say("tournament_closed")
    : tournament.played ? say("tournament_over") : say("round_of", { number: tournament.drawn, count: tournament.rounds });
  place.replaceChildren(
    make("div", { class: "tournament-head" }, back, make("h2", {}, tournament.title),
      make("p", {}, [tournament.house, say(SYSTEMS[tournament.system]), state].filter(Boolean).join(" · "))),
    make("div", { class: "tournament-parts" },
      make("div", {}, ...buildTables(tournament), ...buildPairings(tournament, order, isUnfolded)),
      make("div", {}, standings(tournament), ...(tournament.directs ? buildDirecting(tournament, hub, order, isUnfolded) : []))));
  if (focused) document.getElementById(focused)?.focus();
  place.dataset.shown = String(Number(place.dataset.shown ?? 0) + 1);
}

function standings(tournament) {
  const isSwiss = tournament.system === "swiss";
  const heads = ["", say("player", { number: "" }).trim(), say("points"), say("games_won"), say("draws"), say("games_lost"),
    say("among_equals"), isSwiss ? "Buchholz" : "Sonneborn-Berger"];
  const rows = tournament.standings.map((row) => make("tr", { "data-player": row.player },
    make("td", {}, `${row.place}.`), make("th", { scope: "row" }, sayPlayer(tournament, row.player)),
    make("td", { class: "points" }, sayPoints(row.points)),
    ...[row.won, row.drawn, row.lost].map((count) => make("td", {}, String(count))),
    make("td", {}, sayPoints(row.among)), make("td", {}, sayPoints(row.further / 2))));
  return make("section", { class: "part" }, make("h3", {}, say("standings")),
    make("div", { class: "scrolls", tabindex: 0, role: "region", "aria-label": say("standings") },
      make("table", { class: "tallies standings" },
        make("thead", {}, make("tr", {}, ...heads.map((head) => (head ? make("th", { scope: "col" }, head) : make("td"))))),
        make("tbody", {}, ...rows))));
}

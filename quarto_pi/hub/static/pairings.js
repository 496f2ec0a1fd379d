// Who plays whom, where, and how it ended; whoever directs the house enters and corrects.

import { make } from "../elements.js";
import { say } from "../words.js";
import { fold } from "./folds.js";
import { sayTime } from "./said.js";

const OUTCOMES = ["first", "draw", "second"];

export function sayPlayer({ players }, number) {
  const player = players[number - 1];
  const name = player?.label ? `${number} · ${player.label}` : say("player", { number });
  return player?.left ? `${name} (${say("has_left")})` : name;
}

// Points are told in halves.
export function sayPoints(halves) {
  const whole = Math.floor(halves / 2);
  const rest = halves / 2 - whole;
  return `${whole || !rest ? whole : ""}${rest === 0.5 ? "½" : rest === 0.25 ? "¼" : rest === 0.75 ? "¾" : ""}`;
}

function sayScore([first, second]) {
  return `${sayPoints(first)} : ${sayPoints(second)}`;
}

function sayPairing(tournament, { first, second }) {
  return say("pairing", { first: sayPlayer(tournament, first), second: sayPlayer(tournament, second) });
}

export function buildTables(tournament) {
  if (!tournament.tables.length || tournament.closed) return [];
  return [make("section", { class: "part" }, make("h3", {}, say("tables")),
    make("ul", { class: "places" }, ...tournament.tables.map((board, index) => {
      const pairing = tournament.pairings.find((each) => each.table === index + 1);
      return make("li", { class: "place", "data-table": index + 1 },
        make("strong", {}, say("table", { number: index + 1 })),
        make("span", { class: "soft" }, board || say("no_board_there")),
        pairing ? make("span", { class: "who-plays" }, sayPairing(tournament, pairing)) : make("span", { class: "soft" }, "–"),
        pairing && tournament.best_of > 1 ? make("span", {}, sayScore(pairing.score)) : null,
        pairing && board && !pairing.counts ? make("span", { class: "soft" }, say("by_hand_only")) : null);
    })))];
}

// The newest round first; the one that is played is open.
export function buildPairings(tournament, order, isUnfolded) {
  const rounds = [...new Set(tournament.pairings.map((each) => each.round))].reverse();
  const played = tournament.pairings.find((each) => !each.result)?.round ?? rounds[0];
  return rounds.map((round) => fold(`round-${round}`, say("round_of", { number: round, count: tournament.rounds }), () => [
    make("ul", { class: "pairings", "aria-label": say("pairings") },
      ...tournament.pairings.filter((each) => each.round === round).map((each) => pairingRow(tournament, each, order, isUnfolded))),
  ], isUnfolded(`round-${round}`, round === played), { class: "part" }));
}

function pairingRow(tournament, pairing, order, isUnfolded) {
  if (!pairing.second) {
    return make("li", { class: "pairing", "data-pairing": pairing.number },
      make("span", { class: "soft" }, say("plays_free", { player: sayPlayer(tournament, pairing.first) })));
  }
  return make("li", { class: "pairing", "data-pairing": pairing.number, "data-decided": pairing.result ? "yes" : "no" },
    make("span", { class: "who-plays" }, sayPairing(tournament, pairing)),
    make("b", { class: "score" }, pairing.result ? sayScore(pairing.result) : ""),
    make("span", { class: "soft" }, ...about(tournament, pairing)),
    tournament.directs ? correcting(tournament, pairing, order, isUnfolded) : null);
}

function about(tournament, pairing) {
  const parts = [];
  if (pairing.table) parts.push(say("table", { number: pairing.table }));
  else if (!pairing.result && !tournament.closed) parts.push(say("waits_for_table"));
  if (pairing.verdict && pairing.verdict_by) parts.push(say("entered_by", { name: pairing.verdict_by }));
  else if (tournament.best_of > 1 && pairing.games.length) parts.push(sayScore(pairing.score));
  if (pairing.verdict && pairing.verdict.includes("absent")) parts.push(sayVerdict(tournament, pairing, pairing.verdict));
  return parts.flatMap((part, index) => (index ? [" · ", part] : [part]));
}

function sayVerdict(tournament, { first, second }, verdict) {
  if (verdict === "first absent") return say("is_absent", { player: sayPlayer(tournament, first) });
  if (verdict === "second absent") return say("is_absent", { player: sayPlayer(tournament, second) });
  if (verdict === "both absent") return say("both_absent");
  return sayOutcome(tournament, { first, second }, verdict);
}

function sayOutcome(tournament, { first, second }, outcome) {
  if (outcome === "draw") return say("draw");
  return say("wins", { player: sayPlayer(tournament, outcome === "first" ? first : second) });
}

function correcting(tournament, pairing, order, isUnfolded) {
  const key = `pairing-${pairing.number}`;
  return fold(key, say("change_result"), () => corrections(tournament, pairing, order), isUnfolded(key), { class: "correcting" });
}

function corrections(tournament, pairing, order) {
  const number = pairing.number;
  const verdicts = [...OUTCOMES, "first absent", "second absent", "both absent"];
  const verdict = choice(`verdict-${number}`, say("result"), [["", say("as_played")],
    ...verdicts.map((each) => [each, sayVerdict(tournament, pairing, each)])], pairing.verdict ?? "",
  (value) => order("verdict", { pairing: number, verdict: value || null }));
  const games = pairing.games.map((game, index) => choice(`game-${number}-${index}`, sayGame(game, index), [
    ...OUTCOMES.map((each) => [each, sayOutcome(tournament, pairing, each)]), ["", say("counts_not")]], game.outcome ?? "",
  (value) => order("game", { pairing: number, place: index, outcome: value || null })));
  const more = pairing.result ? null : choice(`game-${number}-${pairing.games.length}`, say("next_game_ended"), [["", "–"],
    ...OUTCOMES.map((each) => [each, sayOutcome(tournament, pairing, each)])], "",
  (value) => order("game", { pairing: number, place: pairing.games.length, outcome: value }));
  const tables = tournament.tables.map((_, index) => [String(index + 1), say("table", { number: index + 1 })]);
  const table = pairing.result || !tables.length ? null : choice(`table-${number}`, say("tables"), [["0", say("take_from_table")], ...tables],
    String(pairing.table), (value) => (value === "0" ? order("unseat", { pairing: number }) : order("seat", { pairing: number, table: Number(value) })));
  return [...games, more, verdict, table];
}

function sayGame({ by, at, board, game }, index) {
  const from = by ? say("entered_by", { name: by }) : board ? `${board}, ${say("game", { number: game })}` : "";
  return [`${say("game", { number: index + 1 })}: ${from}`, sayTime(at)].filter(Boolean).join(", ");
}

function choice(id, label, options, chosen, onChoice) {
  const select = make("select", { id }, ...options.map(([value, text]) => make("option", { value }, text)));
  select.value = chosen;
  select.addEventListener("change", () => onChoice(select.value));
  return make("div", { class: "row" }, make("label", { for: id }, label), select);
}

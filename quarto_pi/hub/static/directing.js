// What the organiser of a tournament does besides entering results: players, tables, rounds, the end.

import { make, write } from "../elements.js";
import { say } from "../words.js";
import { fold } from "./folds.js";
import { sayPlayer } from "./pairings.js";

const LINES_AT_ONCE = 30;

export function buildDirecting(tournament, hub, order, isUnfolded) {
  const part = (key, label, build) => fold(key, label, build, isUnfolded(key), { class: "part directing" });
  return [
    rounds(tournament, order),
    part("tables", say("set_tables"), () => tables(tournament, hub, order)),
    part("players", `${say("players")} (${tournament.players.length})`, () => players(tournament, order)),
  ];
}

function rounds(tournament, order) {
  const drawing = make("button", { type: "button", class: "order" }, say("draw_round"));
  drawing.addEventListener("click", () => order("draw"));
  drawing.hidden = tournament.drawn > 0 && tournament.drawn >= tournament.rounds;
  return make("section", { class: "part directing" }, drawing, twice("close_tournament", say("sure_close"), () => order("close")));
}

function tables(tournament, hub, order) {
  const boards = [...hub.boards.values()].filter((board) => board.house === tournament.house).map((board) => board.name).sort();
  const count = Math.max(tournament.tables.length, boards.length) + 1;
  const choices = Array.from({ length: Math.min(count, 100) }, (_, index) => {
    const select = make("select", { id: `board-${index + 1}` },
      make("option", { value: "-" }, ""), make("option", { value: "" }, say("no_board_there")),
      ...boards.map((board) => make("option", { value: board }, board)));
    select.value = tournament.tables[index] ?? (tournament.tables.length ? "-" : boards[index] ?? "-");
    return select;
  });
  const form = make("form", { class: "adding" },
    ...choices.map((select, index) => make("div", { class: "row" },
      make("label", { for: select.id }, say("table", { number: index + 1 })), select)),
    make("button", { type: "submit", class: "order" }, say("set_tables")));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const chosen = choices.map((select) => select.value);
    while (chosen.length && chosen.at(-1) === "-") chosen.pop();
    order("tables", { boards: chosen.map((board) => (board === "-" ? "" : board)) });
  });
  return [form];
}

function players(tournament, order) {
  const lines = make("textarea", { id: "new-players", rows: 6, spellcheck: "false" });
  const form = make("form", { class: "adding" },
    make("label", { for: "new-players" }, say("players_by_line")), lines, make("p", { class: "soft" }, say("labels_stay")),
    make("button", { type: "submit", class: "order" }, say("add_players")));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const labels = lines.value.replace(/\n+$/, "").split("\n").map((line) => line.trim());
    lines.value = "";
    lines.blur();
    for (let begin = 0; begin < labels.length; begin += LINES_AT_ONCE) await order("enter", { labels: labels.slice(begin, begin + LINES_AT_ONCE) });
  });
  const list = make("ul", { class: "people" }, ...tournament.players.map((player) => make("li", { class: "person", "data-player": player.number },
    make("span", {}, sayPlayer(tournament, player.number)),
    player.left ? null : twice("remove", say("leaves", { player: sayPlayer(tournament, player.number) }), () => order("withdraw", { player: player.number })))));
  return [form, list];
}

// A second press is meant.
function twice(key, sure, act) {
  const button = make("button", { type: "button", class: "order" }, say(key));
  let isSure = false;
  button.addEventListener("click", () => {
    if (isSure) return act();
    isSure = true;
    write(button, sure);
  });
  return button;
}

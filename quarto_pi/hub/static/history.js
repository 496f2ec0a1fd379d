// Finished games of all boards: the list, one of them played again, what was counted, and files to keep.

import { make } from "../elements.js";
import { picturesOf } from "../figures.js";
import { buildReview, dress, whenJudged } from "../review.js";
import { address, read } from "../service.js";
import { say } from "../words.js";
import { complain } from "./complaints.js";
import { houseChoice, saySeat, sayTime } from "./said.js";

let hub = null;
let house = "";
let board = "";
let place = null;

export function buildHistory(into, _user, known) {
  dress();
  hub = known;
  place = { games: make("div", { id: "games" }), figures: make("div", { class: "figures-of-hub" }), filters: make("div", { class: "filters" }) };
  into.append(make("h2", { class: "unseen" }, say("games")), place.filters, place.games, place.figures);
  fillFilters();
  showAll();
}

function fillFilters() {
  const choice = houseChoice(hub, house, (chosen) => {
    house = chosen;
    board = "";
    fillFilters();
    showAll();
  });
  const boards = [...hub.boards.values()].filter((each) => !house || each.house === house).map((each) => each.name).sort();
  const ofBoard = make("select", { "aria-label": say("board") },
    make("option", { value: "" }, say("all_boards")), ...boards.map((name) => make("option", { value: name }, name)));
  ofBoard.value = boards.includes(board) ? board : "";
  ofBoard.addEventListener("change", () => {
    board = ofBoard.value;
    showAll();
  });
  place.filters.replaceChildren(...[choice, ofBoard].filter(Boolean));
}

function asked(more = {}) {
  const wanted = { ...(house ? { house } : {}), ...(board ? { board } : {}), language: document.documentElement.lang.replace("-", "_"), ...more };
  return new URLSearchParams(wanted).toString();
}

function showAll() {
  list().catch(complain);
  figures().catch(complain);
}

async function list() {
  const here = place;
  const told = await read(`games?${asked()}`);
  const rows = make("ul", { class: "games" }, ...told.games.map(row));
  const more = make("button", { type: "button", class: "order", hidden: !told.more }, say("show_more"));
  let before = told.more;
  more.addEventListener("click", async () => {
    more.disabled = true;
    try {
      const next = await read(`games?${asked({ before: JSON.stringify(before) })}`);
      rows.append(...next.games.map(row));
      before = next.more;
      more.hidden = !before;
    } catch (error) {
      complain(error);
    }
    more.disabled = false;
  });
  here.figures.hidden = false;
  here.filters.hidden = false;
  here.games.dataset.view = "list";
  if (!told.games.length) return here.games.replaceChildren(make("p", { class: "note" }, say("no_games")));
  const files = make("div", { class: "orders" },
    make("a", { class: "order", href: address(`games.csv?${asked()}`), download: "games.csv" }, say("save_as", { kind: "CSV" })),
    make("a", { class: "order", href: address(`games.jsonl?${asked()}`), download: "games.jsonl" }, say("save_as", { kind: "JSON" })));
  here.games.replaceChildren(files, rows, more);
}

function row(game) {
  const open = make("button", { type: "button", class: "game", "data-game": `${game.board}/${game.number}` },
    make("strong", {}, named(game)),
    make("span", {}, outcome(game)),
    make("small", {}, [sayTime(game.ended || game.received), game.house, game.other ? "" : game.seats.map(saySeat).join(" · "), say("pieces_placed_of", { count: game.moves })]
      .filter(Boolean).join(" · ")));
  if (game.whole) open.addEventListener("click", () => show(game).catch(complain));
  else open.disabled = true;
  return make("li", {}, open);
}

// A game between two boards has the names of both, the first player's first, and the number that it has at one of them.
function named(game) {
  const number = say("game", { number: game.number });
  const where = game.other ? [0, 1].map((index) => sideOf(game, index)).join(" – ") : game.board;
  return `${where} · ${number}`;
}

function sideOf(game, index) {
  return game.seats[index] === "board" ? game.other : game.board;
}

function outcome(game) {
  if (game.winner !== null) {
    return say("wins", { player: game.other ? sideOf(game, game.winner) : saySeat(game.seats[game.winner], game.winner) });
  }
  return say(game.reason === "draw" ? "draw" : "unfinished");
}

async function show(game) {
  const path = `games/${game.board}/${game.history}/${game.number}`;
  const from = `${path}?${asked()}`;
  const told = await read(from);
  const here = place;
  const review = buildReview(told);
  const all = make("button", { type: "button", class: "order" }, say("games"));
  all.addEventListener("click", () => list().catch(complain));
  const record = make("a", { class: "order", href: address(`${path}/record`), download: `${game.board}-${game.number}.txt` }, say("save_game"));
  here.games.dataset.view = "game";
  here.filters.hidden = true;
  here.figures.hidden = true;
  here.games.replaceChildren(
    make("div", { class: "orders" }, all, record),
    make("h3", {}, `${named(game)}: ${outcome(game)}`),
    make("div", { class: "review" }, review.played, review.more));
  all.focus();
  await whenJudged(told, () => review.played.isConnected, review.renew, from);
}

// Pictures over the newest games, and a table of all boards.
async function figures() {
  const here = place;
  const [counted, { boards, houses: ofEach, all }] = await Promise.all([read(`statistics?${asked()}`), read(`figures?${asked()}`)]);
  if (!boards.length) return here.figures.replaceChildren();
  // Houses where there are several, the boards of one where it has been chosen.
  const ofHouses = ofEach.length > 1;
  const head = [say(ofHouses ? "house" : "board"), say("games_played"), say("draws"), say("missed_alignments"), say("time_per_game")];
  const lines = ofHouses
    ? ofEach.map((each) => [each.house || "–", ...sumOf(each)])
    : boards.map((each) => [each.board, ...sumOf(each)]);
  // What is counted over boards is no sum of theirs: a game between two of them is one.
  const sums = [say("in_all"), ...sumOf(all)];
  const isTwice = (ofHouses ? ofEach : boards).reduce((sum, each) => sum + each.games, 0) > all.games;
  here.figures.replaceChildren(
    make("h3", {}, say("statistics")),
    make("div", { class: "scrolls", tabindex: "0", role: "region", "aria-label": say("statistics") }, make("table", { class: "tallies" },
      make("thead", {}, make("tr", {}, ...head.map((text) => make("th", { scope: "col" }, text)))),
      make("tbody", {}, ...lines.map(line)),
      make("tfoot", {}, line(sums)))),
    ...(isTwice ? [make("p", { class: "note", id: "between-once" }, say("between_once"))] : []),
    ...(counted.games ? [make("p", { class: "note" }, say("last_games", { count: counted.games })), make("div", { class: "figures" }, ...picturesOf(counted))] : []));
}

function sumOf({ games, draws, missed, seconds, timed }) {
  return [games, draws, missed, timed ? minutes(seconds / timed) : "–"];
}

function line([name, ...rest]) {
  return make("tr", {}, make("th", { scope: "row" }, name), ...rest.map((each) => make("td", {}, String(each))));
}

function minutes(seconds) {
  return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
}

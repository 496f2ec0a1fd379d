// Finished games: the list, and what has been counted. What is drawn of a game is loaded when somebody opens one.

import { byId, make } from "./elements.js";
import { address, read } from "./service.js";
import { leaveByTap, sheetHead } from "./settings.js";
import { buildStatistics, drawStatistics, showStatistics } from "./statistics.js";
import { say } from "./words.js";

let finished = -1;
let photos = true;
let complain = () => {};

export function buildHistory(onTrouble) {
  complain = onTrouble;
  const sheet = byId("history");
  sheet.replaceChildren(sheetHead("games", "history-title"), make("div", { id: "games" }), buildStatistics());
  byId("open-history").onclick = () => {
    sheet.showModal();
    list().catch(complain);
    drawStatistics().catch(complain);
  };
  leaveByTap(sheet);
  if (!sheet.open) return;
  list().catch(complain);
  drawStatistics().catch(complain);
}

// A list that is open grows by itself when a game ends.
export function followHistory(state) {
  photos = state.settings.photo_finish;
  showStatistics(state);
  if (state.tally.games === finished) return;
  finished = state.tally.games;
  if (!byId("history").open) return;
  if (byId("games").dataset.view === "list") list().catch(complain);
  drawStatistics().catch(complain);
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
  if (game.winner !== null) return say("wins", { player: game.players[game.winner].name });
  return say(game.reason === "draw" ? "draw" : "unfinished");
}

async function show(game) {
  const [told, { buildReview, whenJudged }] = await Promise.all([read(`games/${game.number}`), import("./review.js")]);
  const place = byId("games");
  place.dataset.view = "game";
  const review = buildReview(told);
  const all = make("button", { type: "button", class: "order" }, say("games"));
  all.addEventListener("click", () => list(game.number).catch(complain));
  const file = `quarto-${game.number}.txt`;
  const download = make("a", { class: "order", href: address(`games/${game.number}/record`), download: file }, say("save_game"));
  const photo = photos ? make("a", { class: "order", href: String(game.number) }, say("photo_finish")) : null;
  place.replaceChildren(
    make("div", { class: "orders" }, all, download, ...(photo ? [photo] : [])),
    make("h3", {}, `${say("game", { number: game.number })}: ${outcome(game)}`),
    make("div", { class: "review" }, review.played, review.more),
  );
  all.focus();
  await whenJudged(told, () => review.played.isConnected && byId("history").open, review.renew);
}

// The hub's page: who is logged in, which view is open, and what the hub tells while it is.

import { byId, make, mark, write } from "../elements.js";
import { carvePieces } from "../pieces.js";
import { furnish } from "../room.js";
import { post, read } from "../service.js";
import { say } from "../words.js";
import { buildAlarms, countAlarms, showAlarms } from "./alarms.js";
import { buildBoards, showBoards } from "./boards.js";
import { complain, onLogin } from "./complaints.js";
import { buildHistory } from "./history.js";
import { offerLanguages } from "./language.js";
import { buildLive, showLive } from "./live.js";
import { buildLogin } from "./login.js";
import { listen } from "./news.js";
import { buildOrders } from "./orders.js";
import { buildPassword } from "./password.js";
import { buildPeople } from "./people.js";
import { buildTournaments, noteHouses, refreshTournaments } from "./tournaments.js";
import { buildVersions } from "./versions.js";

const VIEWS = {
  boards: ["hub_boards", buildBoards],
  live: ["live_games", buildLive],
  tournaments: ["tournaments", buildTournaments],
  games: ["games", buildHistory],
  alarms: ["alarms", buildAlarms],
  orders: ["settings", buildOrders],
  versions: ["versions", buildVersions],
  people: ["people", buildPeople],
};
// Opened in the head of the page, by everybody.
const BESIDE = { password: (into, who) => buildPassword(into, who, enter) };

let user = null;
let view = "";
let stop = () => {};
const hub = { linked: true, boards: new Map(), alarms: [] };

furnish();
carvePieces();
onLogin(() => enter(null));
byId("log-out").addEventListener("click", () => post("session/end", {}).then(() => enter(null), complain));
addEventListener("hashchange", () => open(wanted()));
offerLanguages(async () => enter((await read("")).user)).catch(complain);

// Somebody is logged in, or, with null, nobody is.
function enter(who) {
  stop();
  stop = () => {};
  user = who;
  view = "";
  hub.boards.clear();
  hub.alarms = [];
  byId("log-out").hidden = byId("own-password").hidden = !user;
  byId("views").hidden = !user;
  byId("connection").hidden = true;
  document.body.dataset.user = user ? user.role : "nobody";
  if (!user) {
    delete document.body.dataset.shown;
    return buildLogin(byId("hub"), enter);
  }
  buildViews();
  open(wanted());
  stop = listen({ boards: takeBoards, alarms: takeAlarms, tournaments: takeTournaments, link: showLink, over: () => enter(null) });
}

function offered() {
  const hidden = { owner: [], house: ["people"], onlooker: ["people", "orders", "versions"] }[user.role];
  return Object.keys(VIEWS).filter((each) => !hidden.includes(each));
}

function wanted() {
  const named = location.hash.slice(1);
  return user && (offered().includes(named) || named in BESIDE) ? named : "boards";
}

function buildViews() {
  byId("views").replaceChildren(...offered().map((each) =>
    make("a", { class: "view", href: `#${each}`, "data-view": each }, say(VIEWS[each][0]))));
}

function open(next) {
  if (!user || next === view) return;
  view = next;
  for (const link of byId("views").children) mark(link, "aria-current", link.dataset.view === view ? "page" : null);
  byId("hub").replaceChildren();
  byId("hub").dataset.view = view;
  mark(byId("own-password"), "aria-current", view === "password" ? "page" : null);
  (BESIDE[view] ?? VIEWS[view][1])(byId("hub"), user, hub);
  show();
}

function show() {
  if (view === "boards") showBoards(hub);
  if (view === "live") showLive(hub);
  if (view === "alarms") showAlarms(hub);
  if (view === "tournaments") noteHouses();
  countAlarms(hub);
}

function takeBoards({ whole, linked, boards }) {
  if (whole) hub.boards.clear();
  for (const board of boards) hub.boards.set(board.name, board);
  hub.linked = linked;
  showLink(true);
  show();
  document.body.dataset.shown = String(Number(document.body.dataset.shown ?? 0) + 1);
}

function takeAlarms({ alarms }) {
  hub.alarms = alarms;
  show();
}

function takeTournaments() {
  if (view === "tournaments") refreshTournaments();
}

function showLink(heard) {
  const banner = byId("connection");
  banner.hidden = heard && hub.linked;
  write(banner, heard ? (hub.linked ? "" : say("broker_away")) : say("hub_away"));
}

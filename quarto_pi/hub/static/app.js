// The hub's page: who is logged in, which view is open, and what the hub tells while it is.

import { byId, make, mark, write } from "../elements.js";
import { carvePieces } from "../pieces.js";
import { furnish } from "../room.js";
import { post, read } from "../service.js";
import { languages, say, speak } from "../words.js";
import { buildAlarms, countAlarms, showAlarms } from "./alarms.js";
import { buildBoards, showBoards } from "./boards.js";
import { complain, onLogin } from "./complaints.js";
import { buildHistory } from "./history.js";
import { buildLive, showLive } from "./live.js";
import { buildLogin } from "./login.js";
import { listen } from "./news.js";
import { buildOrders } from "./orders.js";
import { buildPeople } from "./people.js";

const LANGUAGE = "quarto-language";
const VIEWS = {
  boards: ["hub_boards", buildBoards],
  live: ["live_games", buildLive],
  games: ["games", buildHistory],
  alarms: ["alarms", buildAlarms],
  orders: ["settings", buildOrders],
  people: ["people", buildPeople],
};

let user = null;
let view = "";
let stop = () => {};
const hub = { linked: true, boards: new Map(), alarms: [] };

furnish();
carvePieces();
onLogin(() => enter(null));
byId("log-out").addEventListener("click", () => post("session/end", {}).then(() => enter(null), complain));
byId("language").addEventListener("change", (event) => {
  localStorage.setItem(LANGUAGE, event.target.value);
  start().catch(complain);
});
addEventListener("hashchange", () => open(wanted()));
start().catch(complain);

async function start() {
  await speak(localStorage.getItem(LANGUAGE) ?? await spokenHere());
  const select = byId("language");
  const names = Object.entries(languages()).map(([code, name]) => make("option", { value: code }, name));
  select.replaceChildren(...names);
  select.value = document.documentElement.lang.replace("-", "_");
  enter((await read("")).user);
}

// The first of the browser's languages that the boards speak as well.
async function spokenHere() {
  await speak("en");
  const known = Object.keys(languages());
  for (const each of navigator.languages) {
    const [language] = each.split("-");
    const found = known.find((code) => code.replace("_", "-") === each) ?? known.find((code) => code.split("_")[0] === language);
    if (found) return found;
  }
  return "en";
}

// Somebody is logged in, or, with null, nobody is.
function enter(who) {
  stop();
  stop = () => {};
  user = who;
  view = "";
  hub.boards.clear();
  hub.alarms = [];
  byId("log-out").hidden = !user;
  byId("views").hidden = !user;
  byId("connection").hidden = true;
  document.body.dataset.user = user ? user.role : "nobody";
  if (!user) {
    delete document.body.dataset.shown;
    return buildLogin(byId("hub"), enter);
  }
  buildViews();
  open(wanted());
  stop = listen({ boards: takeBoards, alarms: takeAlarms, link: showLink, over: () => enter(null) });
}

function offered() {
  const hidden = { owner: [], house: ["people"], onlooker: ["people", "orders"] }[user.role];
  return Object.keys(VIEWS).filter((each) => !hidden.includes(each));
}

function wanted() {
  const named = location.hash.slice(1);
  return user && offered().includes(named) ? named : "boards";
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
  VIEWS[view][1](byId("hub"), user, hub);
  show();
}

function show() {
  if (view === "boards") showBoards(hub);
  if (view === "live") showLive(hub);
  if (view === "alarms") showAlarms(hub);
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

function showLink(heard) {
  const banner = byId("connection");
  banner.hidden = heard && hub.linked;
  write(banner, heard ? (hub.linked ? "" : say("broker_away")) : say("hub_away"));
}

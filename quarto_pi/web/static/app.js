// The page: builds its parts once, and shows every snapshot that the board sends.

import { buildBoard, describe } from "./board.js";
import { byId, write } from "./elements.js";
import { buildGuide, showGuide } from "./guide.js";
import { followPiece, giveHands, keepTrayReachable, pickedPiece } from "./hands.js";
import { buildHistory, followHistory } from "./history.js";
import { buildLesson } from "./lesson.js";
import { buildMakers, showMakers } from "./makers.js";
import { buildRail, callByKey, showPanel } from "./panel.js";
import { carvePieces } from "./pieces.js";
import { furnish } from "./room.js";
import { listen, oweTime, read } from "./service.js";
import { buildSettings, openPin, showSettings } from "./settings.js";
import { buildStart, showRules, showStart } from "./start.js";
import { arrange, layOut } from "./table.js";
import { tell } from "./telling.js";
import { buildTongue, showTongue } from "./tongue.js";
import { buildTournament, showTournament } from "./tournament.js";
import { complain, watchTrouble } from "./trouble.js";
import { say, speak } from "./words.js";

let about = null;
let state = null;
let rail = "";

furnish();
carvePieces();
listen(receive, heard);

// Snapshots are shown one after another; while words are fetched, only the newest waits.
let busy = false;
let newest = null;

async function receive(snapshot) {
  newest = snapshot;
  if (busy) return;
  busy = true;
  while (newest) {
    const next = newest;
    newest = null;
    try {
      if (!about) await begin(next);
      if (await speak(next.language)) buildSheets();
      state = next;
      show();
    } catch (error) {
      complain(error);
    }
  }
  busy = false;
}

async function begin(snapshot) {
  const told = await read("");
  await speak(snapshot.language);
  about = told;
  oweTime(about.writing === "pin" && !about.time_known);
  document.body.dataset.hands = about.hands ? "yes" : "no";
  document.title = say("title");
  buildBoard(about.hands);
  buildFront(snapshot);
  layOut();
  buildSheets();
  if (about.hands) {
    giveHands(() => showTable(state), complain);
    callByKey(complain);
  }
}

function buildSheets() {
  if (!about) return;
  watchTrouble(openPin);
  buildSettings(about, complain);
  buildStart(about.hands, about.writing, complain);
  buildLesson();
  buildHistory(complain);
  buildTournament();
  buildTongue(about.writing, complain);
  buildGuide(about.writing !== "no", complain);
  if (about.hands) buildMakers(complain);
}

// The front changes only with the buttons and the give place of the board.
function buildFront(snapshot) {
  const { buttons, offer_reader: offers } = snapshot.settings;
  if (rail === `${buttons} ${offers}`) return false;
  rail = `${buttons} ${offers}`;
  buildRail(about.hands, buttons, offers, complain);
  return true;
}

function show() {
  if (!state) return;
  if (buildFront(state)) layOut();
  showTable(state);
  tell(state, about.hands);
  showGuide(state);
  showStart(state);
  showRules(state);
  showPanel(state);
  showSettings(state);
  followHistory(state);
  showTournament(state);
  showTongue(state);
  if (about.hands) showMakers(state);
  keepFocusSeen();
  document.body.dataset.phase = state.phase;
  document.body.dataset.asleep = state.asleep ? "yes" : "no";
  document.body.dataset.celebrates = state.celebrates ? "yes" : "no";
  document.body.dataset.seq = String(state.seq);
}

// Pieces and squares alone: all that a hand changes here which has picked something up, or put it down.
function showTable(shown) {
  describe(shown, arrange(shown), about.hands ? pickedPiece() : null, about.hands);
  if (!about.hands) return;
  followPiece();
  keepTrayReachable();
}

function heard(linked) {
  const banner = byId("connection");
  banner.hidden = linked;
  write(banner, linked ? "" : say("connection_lost"));
  document.body.dataset.linked = linked ? "yes" : "no";
  if (linked && about) read("").then(renew, () => {});
}

// The board has come back with another version of this page: load it.
function renew(told) {
  if (told.version !== about.version || told.hands !== about.hands) location.reload();
}

// What had the focus may have been hidden: it goes to the board, or to the head of the sheet that is open.
function keepFocusSeen() {
  const focused = document.activeElement;
  if (!focused || focused === document.body || focused.checkVisibility({ visibilityProperty: true })) return;
  const sheet = focused.closest("dialog[open]");
  (sheet ? sheet.querySelector(".tool") : document.querySelector('.square[tabindex="0"]'))?.focus({ preventScroll: true });
}

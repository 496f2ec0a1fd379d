// What people are told: what to do now, notices, the players with their clock, and how many games each has won.

import { readOut, sentences } from "./aloud.js";
import { byId, hide, make, mark, write } from "./elements.js";
import { say, sayLevel } from "./words.js";

const HINTED = new Set(["attract", "set_up", "choose", "lesson"]);

export function tell(state, hands) {
  const { headline, text } = state.prompt;
  write(byId("headline"), headline);
  write(byId("text"), text);
  // The menu of the board is open beside what is to be done, and takes no word of it away.
  const menu = state.menu ? menuText(state.menu) : "";
  const notice = state.notice ? state.notice.text || state.notice.headline : "";
  show("menu", menu);
  show("notice", notice);
  mark(byId("notice"), "data-kind", state.notice?.kind);
  const toRead = [
    ["notice", notice === text || notice === headline ? "" : notice],
    ["prompt", text.startsWith(headline) ? text : sentences(headline, text)],
  ];
  // Who has won comes before what there is to be learnt from it.
  if (state.result) toRead.reverse();
  for (const [what, words] of toRead) readAloud(what, words);
  readAloud("menu", menu);
  mark(byId("say"), "data-kind", state.overlays.includes("mismatch") ? "mismatch" : state.result ? "over" : null);
  tellPlayers(state);
  const hint = byId("hint");
  write(hint, hands ? say("how_to_move") : "");
  hide(hint, !hands || !HINTED.has(state.phase));
}

function menuText(menu) {
  return `${say("menu")}: ${sentences([menu.label, menu.value].filter(Boolean).join(" – "), menu.help)}`;
}

function show(id, text) {
  hide(byId(id), !text);
  write(byId(id), text);
}

// Each is read out once, when it has changed.
const read = new Map();

function readAloud(what, text) {
  if (read.get(what) === text) return;
  read.set(what, text);
  readOut(text);
}

function tellPlayers(state) {
  const place = byId("players");
  if (place.children.length !== 2) place.replaceChildren(chip(), chip());
  state.players.forEach((player, index) => {
    const element = place.children[index];
    mark(element, "data-turn", state.to_act === index && !state.result ? "yes" : null);
    mark(element, "aria-current", state.to_act === index && !state.result ? "true" : null);
    mark(element, "data-won", state.result && state.result.winner === index ? "yes" : null);
    write(element.querySelector(".who"), player.name);
    write(element.querySelector(".kind"), player.computer ? sayLevel(player.computer) : "");
    // What was won in this sitting.
    const wins = state.score.some(Boolean) ? state.score[index] : null;
    write(element.querySelector(".score"), wins === null ? "" : String(wins));
    mark(element.querySelector(".score"), "title", wins === null ? null : `${say("games_won")}: ${wins}`);
    const clock = element.querySelector(".clock");
    hide(clock, state.clock?.player !== index);
    if (!clock.hidden) {
      write(clock, minutes(state.clock.seconds));
      mark(clock, "data-stands", state.clock.stands || null);
      mark(clock, "data-hurry", state.clock.seconds <= 10 || null);
      clock.setAttribute("aria-label", `${say(state.clock.stands ? "pause" : "time")}: ${clock.textContent}`);
    }
  });
}

function chip() {
  return make(
    "div",
    { class: "player" },
    make("span", { class: "turn", "aria-hidden": "true" }),
    make("span", { class: "who" }),
    make("span", { class: "kind" }),
    make("span", { class: "clock", role: "timer", hidden: true }),
    make("span", { class: "score" }),
  );
}

function minutes(seconds) {
  const size = Math.abs(seconds);
  return `${seconds < 0 ? "−" : ""}${Math.floor(size / 60)}:${String(size % 60).padStart(2, "0")}`;
}

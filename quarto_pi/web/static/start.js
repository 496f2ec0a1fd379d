// The start: two people, the computer, or how it is played; and after a game the next one.

import { byId, hide, isOpen, make, mark } from "./elements.js";
import { openLesson } from "./lesson.js";
import { post } from "./service.js";
import { OFFERED_LEVELS, say, sayLevel } from "./words.js";

const WAITS = new Set(["attract", "choose"]);
const FIRST_LEVEL = 3;

let complain = () => {};
let state = null;
let hands = false;
let mayChoose = false;
let chosenLevel = FIRST_LEVEL;
let boards = null;
let chain = null;

// Who may only look on is shown how it is played, and chooses nothing.
export function buildStart(withHands, writing, onTrouble) {
  [hands, mayChoose, complain] = [withHands, writing !== "no", onTrouble];
  const place = byId("start");
  const show = button("show_me", () => openLesson().catch(complain));
  const again = button("new_game", () => post("hands", { do: "clear" }).catch(complain));
  again.classList.add("again");
  const choices = [
    button("two_people", () => seat([0, 0])),
    button("computer", () => seat(beside(chosenLevel))),
    make("select", { id: "start-level", "aria-label": say("how_strong") }),
  ];
  choices[2].addEventListener("change", () => seat(beside(Number(choices[2].value))));
  boards = null;
  place.replaceChildren(...(mayChoose ? choices : []), show, ...(hands ? [again] : []));
  if (state) showStart(state);
}

function button(key, onPress) {
  const element = make("button", { type: "button", class: "order", "data-start": key }, say(key));
  element.addEventListener("click", onPress);
  return element;
}

// The computer keeps the side that it has.
function beside(level) {
  const [first, second] = state.next_settings.levels;
  return first && !second ? [level, 0] : [0, level];
}

function seat(levels) {
  post("settings", { levels }).catch((error) => {
    complain(error);
    showStart(state);
  });
}

export function showStart(snapshot) {
  state = snapshot;
  const place = byId("start");
  const over = state.phase === "over" && hands;
  const elsewhere = state.players.some((player) => player.board) && state.result === null;
  hide(place, Boolean(state.guide) || elsewhere || !(WAITS.has(state.phase) || over));
  document.body.dataset.start = place.hidden ? "no" : over ? "again" : "yes";
  if (place.hidden) return;
  for (const each of place.children) hide(each, over !== each.classList.contains("again"));
  if (mayChoose) showOthers(place, over);
  if (mayChoose && !over) showChoice(place);
}

// A board that stands alone knows of no others, and loads nothing for them.
function showOthers(place, over) {
  if (!state.others) return;
  if (!chain) {
    chain = import("./boards.js");
    chain.then(() => showStart(state)).catch(complain);
  }
  chain.then(({ boardChooser, showBoards }) => {
    if (!boards) {
      boards = boardChooser(complain);
      place.querySelector("#start-level").after(boards);
    }
    showBoards(boards, over ? {} : state);
  });
}

function showChoice(place) {
  const { levels } = state.next_settings;
  const level = Math.max(...levels);
  mark(place.querySelector('[data-start="two_people"]'), "aria-pressed", String(level === 0));
  mark(place.querySelector('[data-start="computer"]'), "aria-pressed", String(level > 0));
  const select = byId("start-level");
  hide(select, level === 0);
  if (select.hidden) return;
  chosenLevel = level;
  if (isOpen(select)) return;
  const offered = OFFERED_LEVELS.includes(level) ? OFFERED_LEVELS : [...OFFERED_LEVELS, level].sort((one, two) => one - two);
  if (select.options.length !== offered.length || select.dataset.level !== String(level)) {
    select.replaceChildren(...offered.map((each) => make("option", { value: each }, sayLevel(each))));
  }
  select.dataset.level = String(level);
  select.value = String(level);
}

// --- the rules in play ---

const PICTURES = {
  classic: "M4 12h16M5.5 8.5v7M12 8.5v7M18.5 8.5v7",
  squares: "M5 5h5v5H5zM14 5h5v5h-5zM5 14h5v5H5zM14 14h5v5h-5z",
  traits: "M4 18V9l4-3 4 3v9zM15 18a3 1.4 0 0 0 6 0v-7a3 1.4 0 0 0-6 0z",
  auto: "M4 12s3-6 8-6 8 6 8 6-3 6-8 6-8-6-8-6zM12 9.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5z",
  clock: "M12 4a8 8 0 1 1 0 16 8 8 0 0 1 0-16zM12 7.5V12l3 2",
};

let shown = "";

// What differs from the game that the box describes; where nothing does, that is said.
export function showRules({ settings, language }) {
  const rules = rulesOf(settings);
  const told = JSON.stringify([language, rules]);
  if (told === shown) return;
  shown = told;
  byId("rules").replaceChildren(...rules.map(([picture, text]) => make("li", { title: text }, sign(picture), make("span", {}, text))));
}

function rulesOf({ traits, squares, calling, clock_seconds: seconds }) {
  const rules = [
    squares && ["squares", say("lines_and_squares")],
    traits.length < 4 && ["traits", traits.map((trait) => say(trait)).join(", ")],
    calling === "auto" && ["auto", `${say("calling")}: ${say("by_board")}`],
    seconds && ["clock", say("seconds", { count: seconds })],
  ].filter(Boolean);
  return rules.length ? rules : [["classic", say("classic")]];
}

function sign(name) {
  const holder = make("span", { class: "rule-sign", "aria-hidden": "true" });
  holder.innerHTML = `<svg viewBox="0 0 24 24"><path d="${PICTURES[name]}"/></svg>`;
  return holder;
}

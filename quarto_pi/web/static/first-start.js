// The page that sets a new board up: language, Wi-Fi, PIN and wiring; a look at all of it; and what becomes of it.

import { byId, make, write } from "./elements.js";
import { post, read } from "./service.js";
import { say, speak } from "./words.js";

const NONE = "none";
const OTHER = "other";
const ASK_AGAIN_MS = 2000;

let board = null;
// What has been answered by now, by the keys of the interface; `choice` is the line of the list of networks.
let answers = { choice: NONE, network: "", password: "", pin: "" };

document.documentElement.dataset.room = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
begin();

async function begin() {
  board = await read("first-start");
  answers = { ...answers, language: board.language, wiring: board.wiring, choice: firstChoice() };
  await speak(board.language);
  ask();
}

function firstChoice() {
  const tried = board.networks.findIndex(({ name }) => name === board.network);
  if (tried >= 0) return String(tried);
  return board.networks.length ? "0" : NONE;
}

function show(...children) {
  document.title = say("setup_title");
  byId("first-start").replaceChildren(make("h1", {}, say("setup_title")), ...children.filter(Boolean));
}

function ask(complaint = board.trouble) {
  const form = make("form", { id: "setup-form", novalidate: true }, language(), network(), ...otherNetwork(), password(), pin(), wiring(),
    make("button", { type: "submit", class: "main", id: "setup-next" }, say("setup_next")));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    look();
  });
  show(complaint ? make("p", { class: "complaint", role: "alert", id: "setup-complaint" }, complaint) : null, form);
  showPassword();
}

function field(id, label, input, hint) {
  return make("div", { class: "asked-for", id: `${id}-field` }, make("label", { for: id }, label), input,
    hint ? make("p", { class: "hint", id: `${id}-hint` }, hint) : null);
}

function select(id, key, options, onChange = () => {}) {
  const list = make("select", { id }, ...options.map(([value, text]) => make("option", { value, selected: value === answers[key] }, text)));
  list.addEventListener("change", () => {
    answers[key] = list.value;
    onChange();
  });
  return list;
}

function input(id, key, attributes) {
  const element = make("input", { id, value: answers[key], autocapitalize: "off", autocomplete: "off", spellcheck: "false", ...attributes });
  element.addEventListener("input", () => (answers[key] = element.value));
  return element;
}

function language() {
  return field("setup-language", say("language"), select("setup-language", "language", Object.entries(board.languages), async () => {
    await speak(answers.language);
    ask(null);
    byId("setup-language").focus();
  }));
}

function network() {
  const seen = board.networks.map(({ name }, index) => [String(index), name]);
  return field("setup-network", say("setup_wifi"),
    select("setup-network", "choice", [...seen, [OTHER, say("setup_other")], [NONE, say("setup_none")]], showPassword));
}

function otherNetwork() {
  return [field("setup-name", say("setup_name"), input("setup-name", "network", { maxlength: 32 }))];
}

function password() {
  return field("setup-password", say("setup_password"), input("setup-password", "password", { maxlength: 64 }));
}

function pin() {
  return field("setup-pin", say("setup_pin"), input("setup-pin", "pin", { maxlength: 64, "aria-describedby": "setup-pin-hint" }), say("setup_pin_help"));
}

function wiring() {
  const lines = Object.entries(board.wirings).map(([name, summary]) => [name, `${name}: ${summary}`]);
  return field("setup-wiring", say("setup_wiring"), select("setup-wiring", "wiring", lines));
}

const chosenNetwork = () => board.networks[Number(answers.choice)];

function showPassword() {
  byId("setup-name-field").hidden = answers.choice !== OTHER;
  byId("setup-password-field").hidden = answers.choice === NONE || chosenNetwork()?.secured === false;
}

function networkName() {
  if (answers.choice === NONE) return "";
  return answers.choice === OTHER ? answers.network.trim() : chosenNetwork().name;
}

// Everything once more, before it counts.
function look() {
  const lines = [
    [say("language"), board.languages[answers.language]],
    [say("setup_wifi"), networkName() || say("setup_none")],
    [say("setup_pin"), answers.pin || say("setup_no_pin")],
    [say("setup_wiring"), answers.wiring],
  ];
  const go = make("button", { type: "button", class: "main", id: "setup-go" }, say("setup_go"));
  const change = make("button", { type: "button", id: "setup-change" }, say("setup_change"));
  go.addEventListener("click", () => send(go));
  change.addEventListener("click", () => ask(null));
  show(make("h2", {}, say("setup_sure")),
    make("dl", { id: "setup-lines" }, ...lines.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)])),
    make("div", { class: "answers" }, go, change));
  go.focus();
}

async function send(go) {
  go.disabled = true;
  const name = networkName();
  const secret = name && chosenNetwork()?.secured !== false ? answers.password : "";
  try {
    await post("first-start", {
      language: answers.language, wiring: answers.wiring, pin: answers.pin, network: name, password: secret,
      time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone ?? "", now: Date.now() / 1000,
    });
  } catch (error) {
    ask(error.message);
    return;
  }
  show();
  write(byId("first-start-told"), name ? say("setup_joins", { network: name }) : say("setup_starts"));
  if (name) setTimeout(hearAgain, ASK_AGAIN_MS);
}

// The board is away while it joins; it is here again only if that has not worked.
async function hearAgain() {
  try {
    const now = await read("first-start");
    if (now.stage === "open") {
      board = now;
      write(byId("first-start-told"), "");
      ask();
      return;
    }
  } catch {
    // Nobody answers: the phone is in another network meanwhile.
  }
  setTimeout(hearAgain, ASK_AGAIN_MS);
}

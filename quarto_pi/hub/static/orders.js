// What is wanted of many boards at once, and what each has made of it.

import { make, write } from "../elements.js";
import { post, read } from "../service.js";
import { languages, say } from "../words.js";
import { complain } from "./complaints.js";
import { field } from "./login.js";
import { houseChoice } from "./said.js";

const EXAMPLE = "mon-thu 17:00-23:00; fri sat 17:00-02:00";
const LOOK_MS = 3000;

export function buildOrders(into, user, hub) {
  let house = "";
  const list = make("ul", { class: "orders-of-boards" });
  const note = make("p", { class: "note", role: "status" });
  const language = choice("new-language", Object.entries(languages()));
  const voice = choice("new-voice", [["true", say("yes")], ["false", say("no")]]);
  const coach = choice("new-coach", [["true", say("yes")], ["false", say("no")]]);
  const hours = make("input", { type: "text", id: "new-hours", autocomplete: "off", spellcheck: "false" });
  const where = user.role === "owner" ? houseChoice(hub, house, (chosen) => { house = chosen; }) : null;
  if (where) where.id = "new-where";
  const form = make("form", { class: "adding" },
    where ? field("new-where", "for_boards", where) : null,
    field("new-language", "language", language),
    field("new-voice", "voice", voice),
    field("new-coach", "coach", coach),
    field("new-hours", "opening_hours", hours),
    make("p", { class: "note" }, say("hours_help", { example: EXAMPLE })),
    make("button", { type: "submit", class: "order" }, say("tell_boards")));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const settings = {
      ...(language.value ? { language: language.value } : {}),
      ...(voice.value ? { voice: voice.value === "true" } : {}),
      ...(coach.value ? { coach: coach.value === "true" } : {}),
    };
    post("orders", { settings, ...(hours.value.trim() ? { hours: hours.value.trim() } : {}), ...(house ? { house } : {}) })
      .then(({ boards }) => {
        write(note, say("told_boards", { count: boards.length }));
        form.reset();
        house = "";
        return show();
      })
      .catch(complain);
  });
  into.append(make("h2", { class: "unseen" }, say("settings")), form, note, list);
  show().catch(complain);
  // What boards answer comes by and by, as long as somebody looks.
  const timer = setInterval(() => (list.isConnected ? show().catch(() => {}) : clearInterval(timer)), LOOK_MS);

  let told = "";
  async function show() {
    const { orders } = await read("orders");
    const now = JSON.stringify(orders);
    if (now === told) return;
    told = now;
    list.replaceChildren(...(orders.length ? orders.map(row) : [make("li", { class: "note" }, say("nothing_wanted"))]));
  }
}

function row({ board, wanted, taken, refused }) {
  const state = taken === null ? "waits" : refused.length ? "refused" : "taken";
  return make("li", { class: "order-row", "data-board": board, "data-state": state },
    make("strong", {}, board),
    make("span", {}, `${say("wanted")}: ${Object.entries(wanted).map(([key, value]) => `${key} = ${value}`).join(", ")}`),
    make("span", { class: "order-state" }, state === "waits" ? say("not_answered") : state === "refused" ? say("refused") : say("taken")),
    ...(refused ?? []).map(({ part, why }) => make("p", { class: "fleet-todo", lang: "en" }, make("b", {}, part), `: ${why}`)));
}

function choice(id, options) {
  return make("select", { id },
    make("option", { value: "" }, say("as_it_is")), ...options.map(([value, name]) => make("option", { value }, name)));
}

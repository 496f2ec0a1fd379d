// Alarms: what somebody has to look at, each once.

import { make, mark, write } from "../elements.js";
import { post, read } from "../service.js";
import { say } from "../words.js";
import { complain } from "./complaints.js";
import { fold } from "./folds.js";
import { sayTime } from "./said.js";

const KINDS = { gone: "alarm_gone", "house gone": "alarm_house", ill: "alarm_ill", broker: "broker_away", flood: "alarm_flood", refused: "alarm_refused", contradiction: "alarm_contradiction", impossible: "alarm_impossible", rollout: "alarm_rollout" };
const SAID_BY_BOARD = ["ill", "flood", "refused", "contradiction", "impossible", "rollout"];

let place = null;
let user = null;
let told = null;

export function buildAlarms(into, who) {
  user = who;
  told = null;
  place = { list: make("ul", { class: "alarms" }), note: make("p", { class: "note" }), past: make("ul", { class: "alarms" }) };
  const earlier = fold("past", say("earlier_alarms"), () => [place.past], false);
  earlier.addEventListener("toggle", () => earlier.open && showPast().catch(complain));
  into.append(make("h2", { class: "unseen" }, say("alarms")), place.list, place.note, earlier);
}

// How many are on that nobody has seen stands behind the view's name.
export function countAlarms({ alarms }) {
  const link = document.querySelector('[data-view="alarms"].view');
  if (!link) return;
  const count = alarms.filter((alarm) => !alarm.acknowledged_by).length;
  write(link, count ? `${say("alarms")} (${count})` : say("alarms"));
  mark(link, "data-on", count ? "yes" : null);
}

export function showAlarms({ alarms }) {
  const now = JSON.stringify(alarms);
  if (now === told) return;
  told = now;
  write(place.note, alarms.length ? "" : say("no_alarms"));
  place.list.replaceChildren(...alarms.map(row));
  if (place.past.closest("details[open]")) showPast().catch(complain);
}

// Those that are over: by themselves, or because somebody has put them aside.
async function showPast() {
  const here = place;
  const { past } = await read("alarms");
  here.past.replaceChildren(...(past.length ? past.map(row) : [make("li", { class: "note" }, "–")]));
}

function button(key, alarm, path) {
  const element = make("button", { type: "button", class: "order" }, say(key));
  element.addEventListener("click", () => {
    element.disabled = true;
    post(`alarms/${alarm.number}/${path}`, {}).catch((error) => {
      element.disabled = false;
      complain(error);
    });
  });
  return element;
}

function row(alarm) {
  const seen = Boolean(alarm.acknowledged_by || alarm.cleared);
  const may = !alarm.cleared && (user.role === "owner" || (user.role === "house" && alarm.house === user.house));
  const when = [
    alarm.cleared ? `${sayTime(alarm.raised)} – ${sayTime(alarm.cleared)}` : say("since", { time: sayTime(alarm.raised) }),
    alarm.times > 1 ? say("so_often", { count: alarm.times }) : null,
    alarm.acknowledged_by ? say("seen_by", { name: alarm.acknowledged_by }) : null,
    alarm.put_aside_by ? say("put_aside_by", { name: alarm.put_aside_by }) : null,
  ].filter(Boolean).join(" · ");
  const isOwn = SAID_BY_BOARD.includes(alarm.kind);
  const orders = may ? [seen ? null : button("have_seen", alarm, "seen"), alarm.may_be_put_aside ? button("put_aside", alarm, "aside") : null].filter(Boolean) : [];
  return make("li", { class: "alarm", "data-alarm": alarm.number, "data-seen": seen },
    make("strong", {}, [alarm.where, say(KINDS[alarm.kind])].filter(Boolean).join(": ")),
    make("span", { class: "alarm-house" }, alarm.where === alarm.house ? "" : alarm.house),
    make("span", { class: "alarm-when" }, when),
    isOwn
      ? make("p", { class: "fleet-todo", lang: "en" }, [alarm.device, alarm.detail].filter(Boolean).join(": "), alarm.fix ? make("span", { class: "fix" }, ` → ${alarm.fix}`) : null)
      : alarm.kind === "gone" ? make("p", { class: "fleet-todo" }, say("gone_lost")) : null,
    orders.length ? make("div", { class: "orders" }, ...orders) : null);
}

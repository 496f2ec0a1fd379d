// Alarms: what somebody has to look at, each once.

import { make, mark, write } from "../elements.js";
import { post } from "../service.js";
import { say } from "../words.js";
import { complain } from "./complaints.js";
import { sayTime } from "./said.js";

const KINDS = { gone: "alarm_gone", "house gone": "alarm_house", ill: "alarm_ill", conflict: "alarm_conflict", broker: "broker_away", rollout: "alarm_rollout" };

let place = null;
let user = null;
let told = null;

export function buildAlarms(into, who) {
  user = who;
  told = null;
  place = { list: make("ul", { class: "alarms" }), note: make("p", { class: "note" }) };
  into.append(make("h2", { class: "unseen" }, say("alarms")), place.list, place.note);
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
}

function row(alarm) {
  const seen = Boolean(alarm.acknowledged_by);
  const may = user.role === "owner" || (user.role === "house" && alarm.house === user.house);
  const button = seen || !may ? null : make("button", { type: "button", class: "order" }, say("have_seen"));
  button?.addEventListener("click", () => {
    button.disabled = true;
    post(`alarms/${alarm.number}/seen`, {}).catch((error) => {
      button.disabled = false;
      complain(error);
    });
  });
  const when = [
    say("since", { time: sayTime(alarm.raised) }),
    alarm.times > 1 ? say("so_often", { count: alarm.times }) : null,
    seen ? say("seen_by", { name: alarm.acknowledged_by }) : null,
  ].filter(Boolean).join(" · ");
  const isOwn = ["ill", "conflict", "rollout"].includes(alarm.kind);
  return make("li", { class: "alarm", "data-alarm": alarm.number, "data-seen": seen },
    make("strong", {}, [alarm.where, say(KINDS[alarm.kind])].filter(Boolean).join(": ")),
    make("span", { class: "alarm-house" }, alarm.where === alarm.house ? "" : alarm.house),
    make("span", { class: "alarm-when" }, when),
    isOwn
      ? make("p", { class: "fleet-todo", lang: "en" }, [alarm.device, alarm.detail].filter(Boolean).join(": "), alarm.fix ? make("span", { class: "fix" }, ` → ${alarm.fix}`) : null)
      : alarm.kind === "gone" ? make("p", { class: "fleet-todo" }, say("gone_lost")) : null,
    button);
}

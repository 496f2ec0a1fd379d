// Other boards of a chain: one is invited, or its invitation taken; a board that stands alone knows of none.

import { hide, isOpen, make } from "./elements.js";
import { post } from "./service.js";
import { say } from "./words.js";

const NONE = "";
const ANY = " ";
const STOP = "  ";
// No board's name has a space in it.

export function boardChooser(complain) {
  const select = make("select", { id: "start-board", "aria-label": say("another_board"), hidden: "" });
  select.addEventListener("change", () => {
    const wanted = select.value === STOP ? { stop: true } : { board: select.value === ANY ? null : select.value };
    select.value = NONE;
    post("boards", wanted).catch(complain);
  });
  return select;
}

export function showBoards(select, { others }) {
  hide(select, !others);
  if (!others || isOpen(select)) return;
  const told = JSON.stringify([document.documentElement.lang, others]);
  if (select.dataset.told === told) return;
  select.dataset.told = told;
  const inviting = [...others.invitations, ...others.free.filter((each) => each.invites)];
  const named = new Map([...inviting, ...others.free].map((each) => [each.name, each.label]));
  const calling = new Set(inviting.map((each) => each.name));
  const boards = [...named].map(([name, label]) => [name, calling.has(name) ? `★ ${label}` : label]);
  const choices = others.waiting ? [[STOP, say("stop_waiting")]] : [...boards, [ANY, say("any_board")]];
  const options = [[NONE, say("another_board")], ...choices];
  select.replaceChildren(...options.map(([value, label]) => make("option", { value }, label)));
  select.value = NONE;
}

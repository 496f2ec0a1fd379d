// Another password for who is logged in: the old one, and twice the new one.

import { make, write } from "../elements.js";
import { post } from "../service.js";
import { tellBelow } from "../trouble.js";
import { say } from "../words.js";
import { complain } from "./complaints.js";
import { field } from "./login.js";

const SHORTEST = 10;

let isChanged = false;

// `enter` is told who is logged in afterwards: this page stays so, with another cookie.
export function buildPassword(into, user, enter) {
  const [old, fresh, again] = [["old-password", "current-password"], ["fresh-password", "new-password"], ["fresh-again", "new-password"]]
    .map(([id, kind]) => make("input", { type: "password", id, autocomplete: kind, required: true }));
  for (const each of [fresh, again]) mark(each);
  const button = make("button", { type: "submit", class: "order" }, say("change_password"));
  const told = make("p", { class: "told", role: "status" });
  const form = make("form", { class: "login" },
    make("h2", {}, say("own_password")),
    // So that a browser that keeps passwords knows whose it is.
    make("input", { type: "text", class: "unseen", autocomplete: "username", value: user.name, "aria-label": say("user_name"), readonly: true, tabindex: "-1" }),
    field("old-password", "old_password", old),
    field("fresh-password", "new_password", fresh),
    field("fresh-again", "new_password_again", again),
    make("p", { class: "note", id: "password-rule" }, say("password_rule", { count: SHORTEST })),
    button, told);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (fresh.value !== again.value) {
      tellBelow(say("passwords_differ"));
      again.focus();
      return;
    }
    button.disabled = true;
    post("password", { old: old.value, new: fresh.value })
      .then((who) => {
        isChanged = true;
        enter(who);
      }, (error) => {
        if (error.reason === "login wrong") tellBelow(say("old_password_wrong"));
        else complain(error);
        old.focus();
      })
      .finally(() => { button.disabled = false; });
  });
  into.append(form);
  if (isChanged) write(told, say("password_changed"));
  isChanged = false;
}

function mark(input) {
  input.minLength = SHORTEST;
  input.setAttribute("aria-describedby", "password-rule");
}

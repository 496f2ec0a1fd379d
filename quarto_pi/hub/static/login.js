// Logging in: name and password.

import { make } from "../elements.js";
import { post } from "../service.js";
import { say } from "../words.js";
import { complain } from "./complaints.js";

export function buildLogin(place, enter) {
  const name = make("input", { type: "text", id: "name", autocomplete: "username", autocapitalize: "none", spellcheck: "false", required: true });
  const password = make("input", { type: "password", id: "password", autocomplete: "current-password", required: true });
  const button = make("button", { type: "submit", class: "order" }, say("log_in"));
  const form = make("form", { class: "login" },
    make("h2", {}, say("title")),
    field("name", "user_name", name),
    field("password", "password", password),
    button);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    button.disabled = true;
    post("session", { name: name.value.trim(), password: password.value })
      .then(enter, (error) => {
        complain(error);
        password.value = "";
        password.focus();
      })
      .finally(() => { button.disabled = false; });
  });
  delete place.dataset.view;
  place.replaceChildren(form);
  name.focus();
}

export function field(id, key, input) {
  return make("div", { class: "row" }, make("label", { for: id, "data-label": key }, say(key)), input);
}

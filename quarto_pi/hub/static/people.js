// Who may use this page: for owners.

import { make, write } from "../elements.js";
import { post, read } from "../service.js";
import { say } from "../words.js";
import { complain } from "./complaints.js";
import { field } from "./login.js";

const ROLES = { owner: "role_owner", house: "role_house", onlooker: "role_onlooker" };

export function buildPeople(into, user, hub) {
  const list = make("ul", { class: "people" });
  const secret = make("p", { class: "told secret", role: "status" });
  secret.hidden = true;
  into.append(make("h2", { class: "unseen" }, say("people")), list, adding(), secret);
  show().catch(complain);

  async function show() {
    const { people } = await read("people");
    list.replaceChildren(...people.map((each) => {
      const remove = make("button", { type: "button", class: "order", "aria-label": say("remove_person", { name: each.name }) }, say("remove"));
      // A second press is meant.
      let sure = false;
      remove.addEventListener("click", () => {
        if (!sure) {
          sure = true;
          return write(remove, say("remove_person", { name: each.name }));
        }
        post("people/remove", { name: each.name }).then(show).catch(complain);
      });
      return make("li", { class: "person", "data-person": each.name },
        make("strong", {}, each.name),
        make("span", {}, [say(ROLES[each.role]), each.house].filter(Boolean).join(": ")),
        each.name === user.name ? null : remove);
    }));
  }

  function adding() {
    const name = make("input", { type: "text", id: "new-name", autocomplete: "off", autocapitalize: "none", spellcheck: "false", required: true });
    const role = make("select", { id: "new-role" }, ...Object.entries(ROLES).map(([value, key]) => make("option", { value }, say(key))));
    role.value = "onlooker";
    const house = make("input", { type: "text", id: "new-house", list: "houses", autocomplete: "off" });
    const houses = [...new Set([...hub.boards.values()].map((board) => board.house))].filter(Boolean).sort();
    const form = make("form", { class: "part adding" },
      field("new-name", "user_name", name), field("new-role", "may_do", role), field("new-house", "house", house),
      make("datalist", { id: "houses" }, ...houses.map((each) => make("option", { value: each }))),
      make("button", { type: "submit", class: "order" }, say("add_person")));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const who = name.value.trim();
      post("people", { name: who, role: role.value, house: role.value === "owner" ? "" : house.value.trim() })
        .then(({ password }) => {
          secret.hidden = false;
          write(secret, say("password_once", { name: who, password }));
          form.reset();
          role.value = "onlooker";
          return show();
        })
        .catch(complain);
    });
    return form;
  }
}

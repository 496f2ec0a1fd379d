// An update of the board, as a file from this device: the board itself checks who has signed it.

import { byId, make, write } from "./elements.js";
import { post, uploadUpdate } from "./service.js";
import { forgetTrouble } from "./trouble.js";
import { say } from "./words.js";

const LOOK_MS = 3000;
const TOLD = {
  none: null,
  checking: "update_checking",
  refused: "update_refused",
  "same version": "update_same",
  failed: "update_failed",
  installed: "update_installed",
};

let complain = () => {};

export function updatePart(onTrouble) {
  complain = onTrouble;
  const file = make("input", { type: "file", id: "update-file", accept: ".raucb", hidden: true });
  file.addEventListener("change", () => file.files[0] && handIn(file.files[0]));
  const choose = make("button", { type: "button", id: "update-choose", class: "order" }, say("update_choose"));
  choose.addEventListener("click", () => {
    forgetTrouble();
    file.value = "";
    file.click();
  });
  return make("details", { id: "update", class: "part" },
    make("summary", {}, say("update")),
    make("p", { class: "note" }, say("update_help")),
    make("div", { class: "orders" }, choose), file,
    make("p", { id: "update-told", class: "note", role: "status" }));
}

async function handIn(file) {
  const choose = byId("update-choose");
  choose.disabled = true;
  tell("update_sending");
  try {
    await follow(await uploadUpdate(file));
  } catch (error) {
    tell(null);
    complain(error);
  }
  choose.disabled = false;
}

// Until something has become of it. A board that does not answer then starts again, into the new version.
async function follow({ stage }) {
  let now = stage;
  while (now === "checking") {
    tell(TOLD[now]);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    now = (await post("update", {})).stage;
  }
  tell(TOLD[now]);
}

function tell(key) {
  write(byId("update-told"), key ? say(key) : "");
}

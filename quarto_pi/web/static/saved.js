// Saved games: taken off the board as a file, put on a USB stick, and brought back from either.

import { byId, hide, make, write } from "./elements.js";
import { fetchFile, post, upload } from "./service.js";
import { forgetTrouble } from "./trouble.js";
import { say } from "./words.js";

let complain = () => {};
// What is to be brought back once somebody is sure.
let chosen = null;

export function savedPart(onTrouble) {
  complain = onTrouble;
  const file = make("input", { type: "file", id: "saved-file", accept: ".sqlite", hidden: true });
  file.addEventListener("change", () => choose(file.files[0] ? () => upload(file.files[0]) : null));
  const copies = make("select", { id: "saved-copies" });
  copies.addEventListener("change", () => {
    const [where, name] = copies.value.split(" ");
    choose(name ? () => post("saved", { do: "put back", where, name }) : null);
  });
  const sure = make("div", { class: "sure", id: "saved-sure", role: "group", "aria-labelledby": "saved-sure-text", hidden: true },
    make("p", { id: "saved-sure-text" }, say("sure_bring_back")),
    make("div", { class: "orders" }, button("bring_back", "saved-yes", bringBack), button("leave_it", "saved-no", () => choose(null))));
  const details = make("details", { id: "saved", class: "part" },
    make("summary", {}, say("saved_games")),
    make("div", { class: "orders" },
      button("take_games", "saved-take", () => told(take(), () => say("games_saved"))),
      button("to_stick", "saved-stick", () => told(post("saved", { do: "to stick" }), () => say("games_saved")).then(list))),
    make("div", { class: "row" }, make("label", { for: "saved-copies" }, say("bring_back")), copies),
    make("div", { class: "orders" }, button("from_device", "saved-device", () => file.click())),
    file, sure, make("p", { id: "saved-told", class: "note", role: "status" }));
  details.addEventListener("toggle", () => details.open && list());
  return details;
}

function button(key, id, onPress) {
  const element = make("button", { type: "button", id, class: "order" }, say(key));
  element.addEventListener("click", () => {
    forgetTrouble();
    write(byId("saved-told"), "");
    onPress();
  });
  return element;
}

const told = (answer, words) => answer.then(() => write(byId("saved-told"), words()), complain);

async function take() {
  const link = make("a", { download: "quarto-games.sqlite", href: URL.createObjectURL(await fetchFile("saved", { do: "take" })) });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

const option = (where, { name }, label) => make("option", { value: `${where} ${name}` }, label);

// The copies that there are; without the PIN nobody is told.
async function list() {
  try {
    const { backups, stick } = await post("saved", { do: "list" });
    const onBoard = backups.map((copy) => option("board", copy, say("saved_on_board", { count: copy.games })));
    const onStick = (stick ?? []).map((copy) => option("stick", copy, say("saved_on_stick", { count: copy.games })));
    byId("saved-copies").replaceChildren(make("option", { value: "" }, "…"), ...onBoard, ...onStick);
    hide(byId("saved-stick"), stick === null);
  } catch (error) {
    complain(error);
  }
}

function choose(doIt) {
  chosen = doIt;
  byId("saved-sure").hidden = !doIt;
  if (doIt) byId("saved-no").focus();
  else [byId("saved-copies").value, byId("saved-file").value] = ["", ""];
}

function bringBack() {
  const answer = chosen();
  choose(null);
  told(answer, () => say("games_back"));
}

// The photo finish: one finished game on the phone of whoever scanned its code, played back, with the coach's turning
// point and a picture to share. It asks the board for this game only, and follows nothing that is still being played.

import { byId, make } from "./elements.js";
import { drawPicture, sharePicture } from "./picture.js";
import { carvePieces } from "./pieces.js";
import { read } from "./service.js";
import { buildReview, coachText, outcome, whenJudged } from "./review.js";
import { say, speak } from "./words.js";
import { positionOf } from "./worth.js";

const dusk = matchMedia("(prefers-color-scheme: dark)");
const number = Number(location.pathname.split("/").pop());

const room = () => (document.documentElement.dataset.room = dusk.matches ? "dark" : "light");
room();
dusk.addEventListener("change", room);
carvePieces();
open().catch(() => say404());

async function open() {
  const told = await read(`games/${number}`);
  await speak(told.language);
  document.title = title(told);
  const review = buildReview(told);
  const turning = make("section", { class: "turn", "aria-live": "polite" });
  const picture = make("div", { class: "picture" });
  byId("photo").replaceChildren(
    make("header", {}, make("p", { class: "note" }, say("photo_finish")), make("h1", {}, outcome(told))),
    make("div", { class: "review" }, review.played, turning, picture, review.more),
    make("p", {}, make("a", { class: "order", href: "./" }, say("to_board"))));
  showTurning(turning, told, review);
  await showPicture(picture, told);
  review.start();
  await whenJudged(told, () => true, (newest) => {
    review.renew(newest);
    showTurning(turning, newest, review);
    showPicture(picture, newest);
  });
}

async function say404() {
  const state = await read("state").catch(() => ({ language: "en" }));
  await speak(state.language);
  byId("photo").replaceChildren(
    make("h1", {}, say("photo_finish")), make("p", {}, say("game_gone")),
    make("p", {}, make("a", { class: "order", href: "./" }, say("to_board"))));
}

const title = (told) => `${say("game", { number: told.number })}: ${outcome(told)}`;

function showTurning(place, told, review) {
  if (!told.judged) return place.replaceChildren(make("p", { class: "note" }, say("coach_thinks")));
  if (told.turning === null) return place.replaceChildren();
  const move = told.moves[told.turning];
  const look = make("button", { type: "button", class: "order" }, say("show_it"));
  look.addEventListener("click", () => {
    review.go(positionOf(told, told.turning));
    scrollTo({ top: 0 });
  });
  place.replaceChildren(
    make("h2", {}, say("turning_point")),
    make("p", {}, `${told.players[move.player].name}: ${move.judgement ?? coachText(told, told.turning)}`), look);
}

async function showPicture(place, told) {
  const blob = await drawPicture(told, outcome(told));
  const image = make("img", { src: await asAddress(blob), alt: title(told), width: 1080, height: 1350 });
  const file = new File([blob], `quarto-${told.number}.png`, { type: "image/png" });
  const shares = Boolean(navigator.canShare?.({ files: [file] }));
  const button = make("button", { type: "button", class: "order share" }, say(shares ? "share_picture" : "save_picture"));
  button.addEventListener("click", () => sharePicture(file, title(told), shares));
  place.replaceChildren(image, button);
}

// Pictures come from the board or stand in the page itself; nothing else may be shown.
function asAddress(blob) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(reader.result));
    reader.addEventListener("error", () => reject(reader.error));
    reader.readAsDataURL(blob);
  });
}

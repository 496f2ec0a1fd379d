// One board for somebody who is not logged in: the link ends in a token, which stays in the browser and is no cookie.

import { byId, make, write } from "../elements.js";
import { carvePieces } from "../pieces.js";
import { dress } from "../review.js";
import { furnish } from "../room.js";
import { address, read } from "../service.js";
import { say } from "../words.js";
import { complain } from "./complaints.js";
import { offerLanguages } from "./language.js";
import { fill, newCard } from "./live.js";

const path = `watch/${encodeURIComponent(location.hash.slice(1) || "-")}`;

let card = null;
let note = null;
let shown = null;
let stream = null;

furnish();
carvePieces();
dress();
addEventListener("hashchange", () => location.reload());
offerLanguages(() => {
  card = null;
  if (shown) show(shown);
  if (!stream) open();
}).catch(complain);

function open() {
  let waits = 500;
  stream = new EventSource(address(`${path}/stream`));
  stream.addEventListener("board", (event) => {
    waits = 500;
    byId("connection").hidden = true;
    show(JSON.parse(event.data));
  });
  stream.addEventListener("over", end);
  stream.addEventListener("error", async () => {
    stream.close();
    // Whether the hub is away or the link is no longer good, only an answer tells.
    const status = await read(path).then(() => 200, (error) => error.status);
    if (status === 404) return end();
    byId("connection").hidden = false;
    write(byId("connection"), say("hub_away"));
    setTimeout(open, waits);
    waits = Math.min(waits * 2, 5000);
  });
}

function end() {
  stream.close();
  shown = null;
  byId("connection").hidden = true;
  byId("hub").replaceChildren(make("p", { class: "note", role: "status" }, say("link_over")));
}

function show(board) {
  shown = board;
  if (!card) {
    card = newCard(board.name, "h2");
    note = make("p", { class: "note", role: "status" });
    byId("hub").replaceChildren(card.element, note);
  }
  const plays = board.here && board.game && board.doing !== "asleep";
  write(note, plays ? "" : say("nobody_plays"));
  card.element.hidden = !plays;
  if (plays) fill(card, board);
}

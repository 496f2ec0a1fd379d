// What is read out to those who can't see it: each sentence once, in the order in which it came. There is no other
// live part on the page but for what went wrong.

import { byId, make } from "./elements.js";

const KEPT = 4;

export function readOut(text) {
  if (!text) return;
  const log = byId("aloud");
  log.append(make("p", {}, text));
  while (log.children.length > KEPT) log.firstChild.remove();
}

// Parts of what is told as sentences, one after the other.
export function sentences(...parts) {
  return parts.filter(Boolean).map((part) => (/[.!?…。！？：:]$/.test(part) ? part : `${part}.`)).join(" ");
}

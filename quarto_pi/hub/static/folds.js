// Parts that are folded away until somebody opens them, and are made only then: a tournament may have thousands of pairings.

import { make } from "../elements.js";

export function fold(key, label, build, isOpen, attributes = {}) {
  const element = make("details", { "data-of": key, open: isOpen, ...attributes }, make("summary", {}, label));
  const fill = () => {
    if (element.children.length === 1) element.append(...build().filter(Boolean));
  };
  if (isOpen) fill();
  else element.addEventListener("toggle", fill);
  return element;
}

// Which of them are open now, to open the same again: asked with what holds for one that was not there.
export function unfoldedIn(place) {
  const known = new Map([...place.querySelectorAll("details")].map((each) => [each.dataset.of, each.open]));
  return (key, otherwise = false) => known.get(key) ?? otherwise;
}

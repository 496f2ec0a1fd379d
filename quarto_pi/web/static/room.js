// The light in the room: as the device says, until somebody chooses a dark or a light room here.

import { byId } from "./elements.js";

const KEY = "quarto-room";
const dusk = matchMedia("(prefers-color-scheme: dark)");

export function furnish() {
  show();
  dusk.addEventListener("change", show);
  byId("dark-room").addEventListener("click", () => {
    localStorage.setItem(KEY, isDark() ? "light" : "dark");
    show();
  });
}

function isDark() {
  const chosen = localStorage.getItem(KEY);
  return chosen ? chosen === "dark" : dusk.matches;
}

function show() {
  document.documentElement.dataset.room = isDark() ? "dark" : "light";
  byId("dark-room").setAttribute("aria-pressed", String(isDark()));
}

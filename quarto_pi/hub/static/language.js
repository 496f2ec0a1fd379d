// Which language the page speaks: what was chosen here, else the first of the browser's languages that boards speak.

import { byId, make } from "../elements.js";
import { languages, speak } from "../words.js";

const LANGUAGE = "quarto-language";

// `onSpoken` draws the page, at first and in every language that is chosen.
export async function offerLanguages(onSpoken) {
  await speak(localStorage.getItem(LANGUAGE) ?? await spokenHere());
  const select = byId("language");
  const names = Object.entries(languages()).map(([code, name]) => make("option", { value: code }, name));
  select.replaceChildren(...names);
  select.value = document.documentElement.lang.replace("-", "_");
  select.onchange = () => {
    localStorage.setItem(LANGUAGE, select.value);
    offerLanguages(onSpoken).catch(() => {});
  };
  await onSpoken();
}

async function spokenHere() {
  await speak("en");
  const known = Object.keys(languages());
  for (const each of navigator.languages) {
    const [language] = each.split("-");
    const found = known.find((code) => code.replace("_", "-") === each) ?? known.find((code) => code.split("_")[0] === language);
    if (found) return found;
  }
  return "en";
}

// A link and its code, with which people watch one board without being logged in.

import { make } from "../elements.js";
import { address, post, read } from "../service.js";
import { say } from "../words.js";
import { complain } from "./complaints.js";

export function spectatorTool(board) {
  const path = `boards/${board}/spectators`;
  const panel = make("div", { class: "spectators" });
  const tool = make("details", { class: "let-watch" }, make("summary", {}, say("let_watch")), panel);
  tool.addEventListener("toggle", () => {
    if (tool.open) read(path).then(show, complain);
  });
  return tool;

  function button(key, open) {
    const element = make("button", { type: "button", class: "order" }, say(key));
    element.addEventListener("click", () => post(path, { open }).then(show, complain));
    return element;
  }

  function show({ link, only_here: onlyHere }) {
    if (!link) return panel.replaceChildren(button("let_watch", true));
    // The address of the picture is another one for each link, or the browser would show the one before.
    const code = `${address(path)}.svg?${encodeURIComponent(link.slice(-8))}`;
    panel.replaceChildren(
      make("p", {}, say("may_watch")),
      make("img", { class: "code", src: code, alt: link, width: 232, height: 232 }),
      make("a", { class: "link", href: link }, link),
      ...(onlyHere ? [make("p", { class: "only-here" }, say("only_here"))] : []),
      button("new_link", true), button("stop_watching", false));
  }
}

"""Somebody who hears the page: what a screen reader finds on it, and what it reads out by itself.

The page is served by the application of a simulated board whose time passes only when it is waited for, so that the
same hands are told the same on every machine. Only the stream of events is stood in for: the page is handed each
snapshot.
"""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import urlsplit

from playwright.sync_api import Page, Route

from tests.web.visit import LOCAL, Visit

UNPACKED: Final = ("content-encoding", "content-length")
LOOK_MS: Final = 250
TURN_MS: Final = 2_500
PRESS_MS: Final = 250

# Instead of the stream of events: whoever listens is handed what `hear` is called with.
STREAM: Final = """window.EventSource = class extends EventTarget {
    constructor() {
        super();
        window.hear = (state) => this.dispatchEvent(new MessageEvent("state", { data: JSON.stringify(state) }));
    }
    close() {}
};"""

# What comes into a part of the page that is read out by itself; a text is read as a whole where the part says so.
LISTEN: Final = """() => {
    window.heard = [];
    const live = "[aria-live]:not([aria-live=off]), [role=status], [role=alert], [role=log]";
    new MutationObserver((changes) => {
        for (const { type, target, addedNodes } of changes) {
            const part = (target.nodeType === 1 ? target : target.parentElement)?.closest(live);
            if (!part) continue;
            for (const node of type === "characterData" ? [target] : addedNodes) {
                const text = node.textContent.trim();
                if (text) window.heard.push(`${part.id || part.className}: ${text}`);
            }
        }
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
}"""


class Listener:
    """A page that is heard, and the board behind it."""

    def __init__(self, page: Page, visit: Visit) -> None:
        self.page = page
        self.visit = visit
        self.lines: list[str] = []
        page.add_init_script(STREAM)
        page.route("**/*", self._answer)
        page.goto(f"{LOCAL}/")
        page.wait_for_function("window.hear")
        page.evaluate(LISTEN)
        self._look()
        page.wait_for_selector("body[data-seq]")

    def step(self, name: str) -> None:
        """What comes now."""
        self.lines += ["", f"== {name}"]

    def put(self, piece: str, cell: str) -> None:
        """Put a piece somewhere, and hear what follows."""
        self.step(f"{piece} to {cell}")
        assert self.visit.post("hands", {"do": "put", "piece": piece, "cell": cell}).status_code == 200
        self.wait(TURN_MS)

    def call(self) -> None:
        """Press QUARTO!, and hear what follows, up to how the next game begins."""
        self.step("QUARTO! is pressed")
        for down in (True, False):
            assert self.visit.post("button", {"button": "call", "down": down}).status_code == 200
            self.wait(PRESS_MS)
        self.wait(2 * TURN_MS)

    def keys(self, selector: str, *keys: str) -> None:
        """Press keys where the focus is brought first, and hear what follows."""
        self.step(f"{' '.join(keys)} on {selector}")
        self.page.locator(selector).focus()
        for key in keys:
            self.page.keyboard.press(key)
        self._note()

    def wait(self, milliseconds: int) -> None:
        """Let the board's time pass, and hear what is told meanwhile."""
        for _ in range(milliseconds // LOOK_MS):
            self.visit.wait(LOOK_MS)
            self._look()
        self._note()

    def tree(self) -> None:
        """What a screen reader finds: roles and names."""
        self._note()
        self.lines += self.page.locator("body").aria_snapshot().splitlines()

    def _look(self) -> None:
        state = self.visit.state
        self.page.evaluate("(state) => window.hear(state)", state)
        self.page.wait_for_function("(seq) => Number(document.body.dataset.seq) >= seq", arg=state["seq"])

    def _note(self) -> None:
        heard: list[str] = self.page.evaluate("window.heard.splice(0)")
        self.lines += [f"said by {each}" for each in heard]

    def _answer(self, route: Route) -> None:
        """Fetch from the application what the page asks for."""
        request = route.request
        headers: dict[str, Any] = {"content-type": request.headers.get("content-type", "")}
        answer = self.visit.client.request(
            request.method, urlsplit(request.url).path, content=request.post_data_buffer or b"", headers=headers
        )
        kept = {name: value for name, value in answer.headers.items() if name not in UNPACKED}
        route.fulfill(status=answer.status_code, headers=kept, body=answer.content)


def whole_game(page: Page, visit: Visit) -> str:
    """A game from its first piece to QUARTO!, as somebody hears it: what is found, and what is said by itself."""
    heard = Listener(page, visit)
    heard.step("the page is opened")
    heard.tree()
    heard.keys('[data-home="LTRF"]', "Enter")
    heard.keys('[data-home="DSQH"]', "Enter")
    heard.keys('[data-home="LTRF"]', "Escape")
    for piece, square in (("LTRF", "a1"), ("DSQF", "b2"), ("LSRF", "c3")):
        heard.put(piece, "offer")
        heard.put(piece, square)
    heard.put("DTQF", "offer")
    heard.tree()
    heard.put("DTQF", "d4")
    heard.call()
    heard.tree()
    return "\n".join(heard.lines).strip() + "\n"

"""Somebody at the page: what eyes see on it, and what a mouse, a finger and a keyboard do."""

from __future__ import annotations

from typing import Final

from playwright.sync_api import Locator, Page

SQUARES: Final = tuple(f"{column}{rank}" for rank in "4321" for column in "abcd")
PATIENCE_MS: Final = 180_000
"""Much longer than anything at the board takes, so that a slow machine changes nothing."""
LOOK_MS: Final = 20
"""So often it is looked whether what is waited for has come; `expect` takes up to a second between two looks."""
SEES: Final = """([piece, name]) =>
    document.querySelector(`[data-cell="${name}"] svg[data-piece="${piece}"]:not(.lifted)`)"""
SEES_MARKS: Final = """([mark, names]) => {
    const marked = [...document.querySelectorAll(`[data-mark="${mark}"]`)].map((spot) => spot.dataset.cell);
    return marked.length === names.length && names.every((name) => marked.includes(name));
}"""
SEND: Final = """([path, body]) => fetch(`api/v1/${path}`, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
}).then((answer) => answer.status)"""


class Visitor:
    """One open page, and the hands in front of it."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        self.complaints: list[str] = []
        page.on("console", lambda message: self.complaints.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.set_default_timeout(PATIENCE_MS)
        page.goto(address)
        self.wait_until_shown()

    def wait_until_shown(self) -> None:
        """Until the first snapshot is on the page."""
        self.until("() => document.body?.dataset.seq")

    def post(self, path: str, body: dict[str, object]) -> int:
        """Ask the board for something past the page, and tell how it answers."""
        return int(self.page.evaluate(SEND, [path, body]))

    def clear(self) -> None:
        """End a game that is under way, take everything off the board, and wait for the next game."""
        phase = self.page.evaluate("document.body.dataset.phase")
        if phase in ("given", "waiting", "placed"):
            assert self.post("order", {"order": "new game"}) == 200
        self.post("hands", {"do": "clear"})
        self.until("() => !document.querySelector('[data-cell][data-filled]')")
        self.in_phase("choose")

    # --- what eyes see ---

    def until(self, seen: str, arg: object = None) -> None:
        """Wait until this function of JavaScript says that something is seen."""
        self.page.wait_for_function(seen, arg=arg, polling=LOOK_MS)

    def spot(self, name: str) -> Locator:
        """A square, or the give place ("offer")."""
        return self.page.locator(f'[data-cell="{name}"]')

    def piece(self, piece: str) -> Locator:
        """The place on which a piece is drawn, wherever that is."""
        return self.page.locator(".spot", has=self.page.locator(f'svg[data-piece="{piece}"]'))

    def in_phase(self, phase: str) -> None:
        """Wait until the game has got there."""
        self.until("(phase) => document.body.dataset.phase === phase", phase)

    def hears(self, text: str) -> None:
        """Wait until this is said, as what to do or as a notice."""
        self.until("(text) => document.querySelector('#say').textContent.includes(text)", text)

    def sees(self, piece: str, name: str) -> None:
        """Wait until a piece rests somewhere."""
        self.until(SEES, [piece, name])

    def sees_marks(self, mark: str, *names: str) -> None:
        """Wait until these squares, and no others, have a mark."""
        self.until(SEES_MARKS, [mark, list(names)])

    # --- the mouse ---

    def drag(self, piece: str, name: str) -> None:
        """Bring a piece somewhere by dragging it."""
        self.piece(piece).drag_to(self.spot(name))

    def give(self, piece: str) -> None:
        """Put a piece on the give place and wait until it has been given."""
        self.drag(piece, "offer")
        self.in_phase("given")

    def place(self, piece: str, square: str) -> None:
        """Put the given piece on its square and wait until it counts."""
        self.drag(piece, square)
        self.in_phase("placed")

    def play(self, *moves: str) -> None:
        """Give and place pieces in turn: "LTRF b2"."""
        for move in moves:
            piece, square = move.split()
            self.give(piece)
            self.place(piece, square)

    def call(self) -> None:
        """Press QUARTO!."""
        self.page.locator(".call").first.click()

    def open_makers(self) -> None:
        """Open the sheet for makers, by way of the settings."""
        self.page.locator("#open-settings").click()
        self.page.locator("#open-makers").click()

    # --- the keyboard ---

    def press(self, *keys: str) -> None:
        """Press keys one after another."""
        for key in keys:
            self.page.keyboard.press(key)

    def tab_to(self, selector: str, key: str = "Tab") -> None:
        """Go on with the Tab key until the focus is there."""
        for _ in range(60):
            if self.page.locator(f"{selector}:focus").count():
                return
            self.page.keyboard.press(key)
        raise AssertionError(f"the Tab key never comes to {selector}")

    def give_by_keys(self, piece: str) -> None:
        """Find a piece in the tray, pick it up and put it on the give place."""
        self.tab_to(".home")
        self.press(*["ArrowLeft"] * 16)
        for _ in range(16):
            if self.page.locator(f'.home[data-home="{piece}"]:focus').count():
                break
            self.press("ArrowRight")
        self.press("Enter")
        self.tab_to('[data-cell="offer"]', "Shift+Tab")
        self.press("Enter")
        self.in_phase("given")

    def place_by_keys(self, square: str) -> None:
        """Take the piece from the give place to a square."""
        self.tab_to('[data-cell="offer"]', "Shift+Tab")
        self.press("Enter", "ArrowUp")
        column, rank = "abcd".index(square[0]), int(square[1]) - 1
        self.press(*["ArrowRight"] * column, *["ArrowUp"] * rank, "Enter")
        self.in_phase("placed")

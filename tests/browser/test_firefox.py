"""The page in Firefox: a game by mouse and keyboard, and the layouts of screens that its windows can have."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.browser.boards import Running, simulated
from tests.browser.firefox import Firefox, firefox
from tests.browser.test_layouts import LOOK, SCREENS

pytestmark = pytest.mark.campaign

NARROWEST = 500
"""Windows of Firefox are at least so wide."""
ENTER = "\ue007"
ESCAPE = "\ue00c"


@pytest.fixture(scope="module")
def board() -> Iterator[Running]:
    with simulated() as running:
        yield running


@pytest.fixture(scope="module")
def fox(board: Running, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    with firefox(tmp_path_factory.mktemp("firefox")) as browser:
        browser.open(board.address)
        browser.wait("return 'seq' in document.body.dataset")
        yield browser


def in_phase(fox: Firefox, phase: str) -> None:
    fox.wait(f"return document.body.dataset.phase === '{phase}'")


def give(fox: Firefox, piece: str) -> None:
    """Drag a piece from the tray to the give place."""
    fox.drag(f'[data-home="{piece}"]', '[data-cell="offer"]')
    in_phase(fox, "given")


def place_by_keys(fox: Firefox, square: str) -> None:
    """Take the given piece to a square with the keyboard alone."""
    fox.run("document.querySelector('[data-cell=offer]').focus()")
    fox.press(ENTER)
    fox.run("document.querySelector(`[data-cell=${arguments[0]}]`).focus()", square)
    fox.press(ENTER)
    in_phase(fox, "placed")


def test_page_fits_the_screens_of_firefox(fox: Firefox) -> None:
    found = {}
    for screen in SCREENS:
        if screen.width < NARROWEST:
            continue
        fox.resize(screen.width, screen.height)
        seen = fox.run(f"return ({LOOK})()")
        faults = [f"{key}: {seen[key]}" for key in ("overlapping", "outside", "cut", "crowded") if seen[key]]
        if faults or seen["board"] < screen.board - 2 or max(seen["scrolls"]) > 0:
            found[f"{screen.width}x{screen.height}"] = [seen["board"], seen["scrolls"], *faults]
    assert found == {}


def test_game_is_played_in_firefox_by_mouse_and_keyboard(fox: Firefox, board: Running) -> None:
    fox.resize(1280, 800)
    fox.run("document.querySelector('[data-home=LTRF]').focus()")
    fox.press(ENTER, ESCAPE)
    assert fox.run("return document.querySelectorAll('[data-picked]').length") == 0
    for piece, square in (("LTRF", "a1"), ("DSQF", "b2"), ("LSRF", "c3"), ("DTQF", "d4")):
        give(fox, piece)
        place_by_keys(fox, square)
    fox.click(".call")
    in_phase(fox, "over")
    fox.wait("return document.querySelectorAll('[data-mark=won]').length === 4")
    assert board.state()["result"]["winner"] == 0
    fox.click("#open-history")
    fox.wait("return document.querySelector('.game') !== null")
    fox.click(".game")
    fox.wait("return document.querySelectorAll('.small-board .well[data-won]').length === 4")

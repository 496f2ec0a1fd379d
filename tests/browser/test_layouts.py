"""Layouts made on purpose for each screen: how large the board is, that texts are read, and that nothing is cut."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import pytest
from playwright.sync_api import expect

from tests.browser.visitor import Visitor

pytestmark = pytest.mark.slow


@dataclass(frozen=True, slots=True)
class Screen:
    """A screen, how wide the board is on it at least, and how large letters are: a headline, and the smallest."""

    width: int
    height: int
    board: int
    headline: float = 20
    smallest: float = 10


SCREENS: Final = (
    Screen(740, 360, 350),
    Screen(844, 390, 380),
    Screen(640, 400, 360),
    Screen(800, 480, 470),
    Screen(853, 533, 525),
    Screen(1024, 600, 590),
    Screen(360, 740, 310, 23),
    Screen(390, 844, 345, 23),
    Screen(820, 1180, 600, 30),
    Screen(1080, 1920, 1000, 44, 14),
    Screen(1280, 800, 575, 40),
    Screen(1920, 1080, 800, 50, 12),
    Screen(3840, 2160, 1600, 100, 24),
)
LANGUAGES: Final = ("en", "de", "zh_TW")

CLASSIC: Final[dict[str, object]] = {
    "squares": False,
    "traits": ["colour", "height", "shape", "top"],
    "clock_seconds": None,
    "calling": "button",
}
LOOK: Final = """() => {
    const parts = [".head", ".prompt", "#start", "#players", ".frame", ".rail", "#tray"]
        .map((name) => [name, document.querySelector(name)])
        .filter(([, element]) => element.checkVisibility({ visibilityProperty: true }))
        .map(([name, element]) => [name, element.getBoundingClientRect()]);
    const overlapping = [];
    for (const [one, a] of parts) for (const [other, b] of parts) {
        const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (one < other && wide > 1 && high > 1) overlapping.push(`${one} ${other}`);
    }
    const outside = parts.filter(([, { left, top, right, bottom }]) =>
        left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1);
    const texts = [".head h1", ".rules li", ".prompt > *", ".start > *", ".player > *", ".plate", ".call", ".name"]
        .flatMap((name) => [...document.querySelectorAll(name)])
        .filter((element) => element.checkVisibility() && element.textContent.trim() && element.clientWidth > 1);
    const cut = texts.filter((element) =>
        element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).display !== "inline");
    const room = document.documentElement;
    // A text that goes on line by line where each holds a word or two has too little room.
    const crowded = texts.filter((element) => !element.matches("li")).filter((element) => {
        const range = document.createRange();
        range.selectNodeContents(element);
        const lines = new Set([...range.getClientRects()].map((box) => Math.round(box.bottom))).size;
        return lines > 2 && element.textContent.length / lines < 12;
    });
    const size = (element) => parseFloat(getComputedStyle(element).fontSize);
    const named = (element) => element.id || element.className || element.tagName;
    return {
        board: document.querySelector(".frame").getBoundingClientRect().width,
        headline: size(document.querySelector("#headline")),
        smallest: Math.min(...texts.map(size)),
        scrolls: [room.scrollWidth - innerWidth, room.scrollHeight - innerHeight],
        overlapping, outside: outside.map(([name]) => name), cut: cut.map(named), crowded: crowded.map(named),
    };
}"""


def faults_on(screen: Screen, visitor: Visitor) -> list[str]:
    """What is wrong with the page on a screen of the size that it has now."""
    seen: dict[str, Any] = visitor.page.evaluate(LOOK)
    faults = [f"{key}: {seen[key]}" for key in ("overlapping", "outside", "cut", "crowded") if seen[key]]
    least = {"board": screen.board, "headline": screen.headline, "smallest": screen.smallest}
    faults += [f"{key} is {seen[key]}" for key, value in least.items() if seen[key] < value]
    if max(seen["scrolls"]) > 0:
        faults.append(f"scrolls by {seen['scrolls']}")
    return faults


def all_faults(visitor: Visitor) -> dict[str, list[str]]:
    """The faults on each screen in each language, where there are any."""
    found = {}
    for language in LANGUAGES:
        assert visitor.post("settings", {"language": language}) == 200
        expect(visitor.page.locator("html")).to_have_attribute("lang", language.replace("_", "-"))
        for screen in SCREENS:
            visitor.page.set_viewport_size({"width": screen.width, "height": screen.height})
            faults = faults_on(screen, visitor)
            if faults:
                found[f"{language} {screen.width}x{screen.height}"] = faults
    return found


def test_start_fits_every_screen(table: Visitor) -> None:
    expect(table.page.locator("#start")).to_be_visible()
    assert all_faults(table) == {}


def test_start_against_the_computer_by_many_rules_fits_every_screen(table: Visitor) -> None:
    rules = {"squares": True, "traits": ["colour", "height", "top"], "clock_seconds": 60, "calling": "auto"}
    assert table.post("settings", {**rules, "levels": [0, 1]}) == 200
    expect(table.page.locator("#start-level")).to_be_visible()
    expect(table.page.locator("#rules li")).to_have_count(4)
    assert all_faults(table) == {}


def test_game_fits_every_screen(table: Visitor) -> None:
    assert table.post("settings", {**CLASSIC, "levels": [0, 0], "language": "en"}) == 200
    expect(table.page.locator("#rules li")).to_have_count(1)
    table.page.set_viewport_size({"width": 1280, "height": 800})
    table.play("LTRF b2")
    table.give("DSQH")
    assert all_faults(table) == {}

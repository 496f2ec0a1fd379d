"""A guest whom nobody told anything: how to begin, what is held and given, what is said when something cannot be."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from quarto_pi.words import Words
from tests.browser.boards import looked_at
from tests.browser.conftest import Visits
from tests.browser.test_layouts import CLASSIC
from tests.browser.visitor import PATIENCE_MS, Visitor

pytestmark = pytest.mark.slow

ENGLISH = Words("en").page()
# Each test gives another piece: one that is back on the giving spot at once was never away for the readers.
HAS_FOCUS = """() => {
    const it = document.activeElement;
    return it !== document.body && it.checkVisibility() && !it.closest("[aria-hidden=true]");
}"""


@pytest.fixture(scope="module")
def speed() -> int:
    """A button that is held for long counts as stuck: here one is held, on a machine that may be slow."""
    return 2


def told_in_settings(visitor: Visitor, key: str) -> None:
    """Wait until the sheet of settings says what is wrong."""
    expect(visitor.page.locator("#settings .sheet-trouble")).to_have_text(ENGLISH[key], timeout=PATIENCE_MS)


def test_start_offers_two_people_the_computer_and_a_lesson(table: Visitor) -> None:
    page, chips = table.page, table.page.locator(".player")
    page.locator('[data-start="computer"]').click()
    expect(chips.nth(1)).to_contain_text("Easy")
    words = page.locator("#start-level option").all_inner_texts()
    assert words == ["Beginner", "Easy", "Medium", "Strong", "Perfect", "As good as I am"]
    page.locator("#start-level").select_option("10")
    expect(chips.nth(1)).to_contain_text("Perfect")
    page.locator('[data-start="two_people"]').click()
    expect(chips.nth(1)).to_have_text("Player 2")
    page.locator('[data-start="show_me"]').click()
    expect(page.locator("#lesson .heading")).to_have_text("The pieces")
    for _ in range(7):
        page.locator("#lesson").get_by_label(ENGLISH["step_forward"]).click()
    expect(page.locator("#lesson .heading")).to_have_text(ENGLISH["a_game"])
    page.locator("#lesson").get_by_label(ENGLISH["step_last"]).click()
    expect(page.locator("#lesson .move")).to_contain_text("calls QUARTO!")
    expect(page.locator('#lesson [data-mark="won"]')).to_have_count(4)
    table.press("Escape")
    expect(page.locator('[data-start="show_me"]')).to_be_focused()


def test_rules_in_play_are_seen(table: Visitor) -> None:
    rules = table.page.locator("#rules li")
    expect(rules).to_have_text(["Classic"])
    chosen = {"squares": True, "traits": ["colour", "shape"], "calling": "auto", "clock_seconds": 30}
    assert table.post("settings", chosen) == 200
    expect(rules).to_have_text(["Lines and squares", "Colour, Shape", "Who calls: The board", "30 seconds"])
    assert table.post("settings", CLASSIC) == 200
    expect(rules).to_have_text(["Classic"])


def test_held_piece_is_never_swapped_silently_and_escape_lets_go_first(table: Visitor) -> None:
    page = table.page
    picked = page.locator("[data-picked]")
    table.piece("LTRF").click()
    table.piece("DSQH").click()
    expect(picked).to_have_attribute("data-home", "LTRF")
    expect(page.locator("#trouble")).to_contain_text("light, tall, round, solid")
    table.press("Escape")
    expect(picked).to_have_count(0)
    table.piece("LTRF").hover()
    page.mouse.down()
    table.spot("b2").hover()
    table.press("Escape")
    page.mouse.up()
    expect(table.page.locator('[data-home="LTRF"] .piece')).to_have_count(1)
    table.give("LTRF")
    table.spot("offer").focus()
    table.press("Enter", "Escape")
    expect(picked).to_have_count(0)
    table.sees("LTRF", "offer")
    table.clear()


def test_given_piece_is_marked_on_the_give_place_and_in_the_tray(table: Visitor) -> None:
    table.give("DTRF")
    expect(table.spot("offer")).to_have_attribute("data-mark", "given")
    expect(table.page.locator(".ghost[data-ghost]")).to_have_count(0)
    table.clear()
    assert table.post("settings", {"levels": [1, 0], "starter": "a"}) == 200
    given = table.page.locator('.home[data-mark="given"]')
    expect(given).to_have_count(1, timeout=PATIENCE_MS)
    piece = given.get_attribute("data-home")
    expect(table.page.locator(".ghost")).to_have_attribute("data-ghost", piece or "")
    assert table.post("settings", {"levels": [0, 0], "starter": "a"}) == 200
    table.clear()


def test_new_game_asks_before_it_ends_one(table: Visitor) -> None:
    page = table.page
    table.give("LSQH")
    page.locator("#open-settings").click()
    page.locator("#order-undo").click()
    told_in_settings(table, "nothing_placed")
    page.locator("#order-new").click()
    expect(page.locator("#sure-no")).to_be_focused()
    page.locator("#sure-no").click()
    expect(page.locator("#order-new")).to_be_focused()
    table.in_phase("given")
    page.locator("#order-new").click()
    page.locator("#sure-yes").click()
    expect(page.locator("#settings")).to_be_hidden()
    expect(page.locator("body")).not_to_have_attribute("data-phase", "given")
    table.clear()
    page.locator("#open-settings").click()
    page.locator("#order-pause").click()
    told_in_settings(table, "no_game_yet")
    assert page.evaluate(HAS_FOCUS)
    table.press("Escape")
    table.complaints.clear()  # a browser itself writes down each request that is refused


def test_open_menu_of_the_board_stands_beside_what_is_to_be_done(table: Visitor) -> None:
    said = "Player 1: put the first piece on the giving spot."
    # What was given in the game before is asked for until the board has seen that it is gone.
    expect(table.page.locator("#text")).to_have_text(said, timeout=PATIENCE_MS)
    table.page.locator(".call").hover()
    table.page.mouse.down()
    table.until("() => document.querySelector('#menu').checkVisibility()")
    table.page.mouse.up()
    expect(table.page.locator("#text")).to_have_text(said)
    expect(table.page.locator("#menu")).to_contain_text("New game")


def test_focus_goes_with_a_piece_that_leaves_the_tray(table: Visitor) -> None:
    table.page.locator('[data-home="DSRF"]').focus()
    assert table.post("hands", {"do": "put", "piece": "DSRF", "cell": "offer"}) == 200
    table.sees("DSRF", "offer")
    expect(table.spot("offer")).to_be_focused()
    assert table.page.evaluate(HAS_FOCUS)


def test_no_error_of_the_browser_is_shown(table: Visitor) -> None:
    table.page.route("**/api/v1/settings", lambda route: route.abort())
    table.page.locator("#open-settings").click()
    table.page.locator("#language").select_option("fr")
    told_in_settings(table, "connection_lost")
    table.page.unroute("**/api/v1/settings")
    expect(table.page.locator("#language")).to_have_value("en")
    table.press("Escape")
    table.complaints.clear()  # a browser itself writes down each request that failed


def test_missing_pin_is_not_called_wrong(tmp_path: Path, visit: Visits) -> None:
    with looked_at(tmp_path, pin="246813") as board:
        visitor = visit(board)
        page = visitor.page
        page.locator('[data-start="computer"]').click()
        told_in_settings(visitor, "pin_missing")
        expect(page.locator("#pin")).to_be_focused()
        page.locator("#pin").fill("111111")
        page.locator("#language").select_option("fr")
        told_in_settings(visitor, "pin_wrong")
        page.locator("#pin").fill("246813")
        page.locator("#language").select_option("fr")
        expect(page.locator("html")).to_have_attribute("lang", "fr")
        page.locator("#order-pause").click()
        expect(page.locator("#settings .sheet-trouble")).to_have_text(Words("fr").page()["no_game_yet"])
        visitor.complaints.clear()  # a browser itself writes down each request that is refused
        visitor.page.close()

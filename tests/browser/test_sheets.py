"""Settings, finished games and the makers' panel; and the page of a board without hands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from quarto_pi.languages import LANGUAGES
from quarto_pi.words import Words
from tests.bench.page import weight_of_start
from tests.browser.boards import Running, looked_at
from tests.browser.conftest import Visits
from tests.browser.test_access import faults_of_page
from tests.browser.test_labels import ENGLISH
from tests.browser.visitor import PATIENCE_MS, Visitor

pytestmark = pytest.mark.slow

ALL_TEXTS = """() => {
    const texts = [];
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) texts.push(walk.currentNode.textContent.trim());
    for (const element of document.querySelectorAll("[aria-label], [title]")) {
        texts.push(element.getAttribute("aria-label") ?? "", element.title ?? "");
    }
    return texts;
}"""


def choose(visitor: Visitor, field: str, value: str) -> None:
    """Choose something in the sheet of settings, and leave it."""
    visitor.page.locator("#open-settings").click()
    visitor.page.locator(field).select_option(value)
    visitor.page.locator("#settings .tool").click()


def test_no_language_shows_a_word_of_english(table: Visitor) -> None:
    table.open_makers()
    table.press("Escape")
    for language in (name for name in LANGUAGES if name != "en"):
        choose(table, "#language", language)
        labels = Words(language).page()
        expect(table.page.locator("#open-settings")).to_have_attribute("aria-label", labels["settings"])
        own = set(labels.values())
        english = {text for text in ENGLISH.values() if text not in own}
        assert not english & set(table.page.evaluate(ALL_TEXTS)), language
    expect(table.page.locator("html")).to_have_attribute("lang", "pt")
    choose(table, "#language", "en")


@pytest.fixture
def unhurried(table: Visitor) -> Iterator[Visitor]:
    """The shared visitor at a board that plays without a clock again, and is cleared, for the next test."""
    yield table
    assert table.post("settings", {"clock_seconds": None}) == 200
    table.clear()


# Each test gives another piece: one that is back on the giving spot at once was never away for the readers.
def test_what_is_chosen_in_mid_game_stays_chosen_in_the_sheet(unhurried: Visitor) -> None:
    unhurried.give("DSQH")
    choose(unhurried, "#clock", "60")
    expect(unhurried.page.locator(".player .clock:visible")).to_have_count(0)
    unhurried.page.reload()
    unhurried.wait_until_shown()
    unhurried.page.locator("#open-settings").click()
    expect(unhurried.page.locator("#clock")).to_have_value("60")
    unhurried.press("Escape")


def test_a_new_game_with_a_clock_shows_the_time_of_who_has_to_move(unhurried: Visitor) -> None:
    choose(unhurried, "#clock", "30")
    unhurried.give("LSRF")
    expect(unhurried.page.locator(".player").nth(1).locator(".clock")).to_have_text(re.compile(r"0:[0-3]\d"))


def test_a_pause_is_taken_and_ended_in_the_settings(table: Visitor) -> None:
    table.give("LTRF")
    table.page.locator("#open-settings").click()
    table.page.locator("#order-pause").click()
    expect(table.page.locator("#order-pause")).to_have_text(Words("en").page()["go_on"])
    table.page.locator("#order-pause").click()
    expect(table.page.locator("#order-pause")).to_have_text(Words("en").page()["pause"])
    table.press("Escape")
    table.clear()


def test_a_finished_game_is_looked_at_step_by_step_and_saved(evening: Running, visit: Visits) -> None:
    page = visit(evening).page
    page.locator("#open-history").click()
    page.locator(".game").click()
    expect(page.locator(".small-board .piece")).to_have_count(4)
    expect(page.locator(".move")).to_contain_text("Player 1 calls QUARTO!")
    expect(page.locator(".judgement")).not_to_contain_text("thinking", timeout=PATIENCE_MS)
    page.get_by_label("One step back").click()
    expect(page.locator(".move")).to_contain_text("Player 2 gives dark, tall, square, solid")
    expect(page.locator(".small-board .piece")).to_have_count(3)
    page.get_by_label("First position").click()
    expect(page.locator(".small-board .piece")).to_have_count(0)
    with page.expect_download() as download:
        page.get_by_text("Save the game").click()
    assert "d4" in download.value.path().read_text(encoding="utf-8")
    # A tap on the list and one on the graph show a position each; at the end the line that won is drawn.
    expect(page.locator(".mark").first).to_have_text("Well done")
    page.locator(".moves button").nth(2).click()
    expect(page.locator(".moves [aria-current]")).to_contain_text("Player 1")
    expect(page.locator(".small-board .piece")).to_have_count(2)
    expect(page.locator(".worth")).to_contain_text(re.compile(r"Safe answers: \d+ of \d+"))
    expect(page.locator(".lines")).to_have_count(0)
    graph = page.locator(".graph svg")
    box = graph.bounding_box()
    assert box
    graph.click(position={"x": box["width"] - 2, "y": 40})
    expect(page.locator(".small-board .piece")).to_have_count(4)
    expect(page.locator(".lines path")).to_have_count(1)


def test_the_photo_finish_of_a_game_is_played_back_and_its_picture_saved(evening: Running, visit: Visits) -> None:
    page = visit(evening, viewport={"width": 390, "height": 844}).page
    strange = requests_to_strangers(page, evening.address)
    page.goto(f"{evening.address}1")
    expect(page.locator("h1")).to_have_text("Player 1 wins")
    expect(page.locator(".lines path")).to_have_count(1)
    expect(page.locator(".turn")).to_contain_text("Player 2: ")
    page.get_by_text("Show it").click()
    expect(page.locator(".small-board .piece")).to_have_count(3)
    page.get_by_label("Play the game").click()
    expect(page.locator(".small-board .piece")).to_have_count(4)
    with page.expect_download() as download:
        page.get_by_text("Save the picture").click()
    with Image.open(download.value.path()) as picture:
        assert (picture.format, picture.size) == ("PNG", (1080, 1350))
        # Light ground, brown wood and the yellow line: the picture is no empty sheet.
        colours = {picture.convert("RGB").getpixel(dot) for dot in ((5, 5), (100, 260), (540, 710))}
        assert len(colours) == 3
    assert strange == []
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
    assert faults_of_page(page) == []


def test_makers_kill_a_reader_and_repair_it_and_record_a_trace(table: Visitor) -> None:
    page = table.page
    table.open_makers()
    page.locator("#record").click()
    expect(page.locator("#record")).to_have_text("Stop and save")
    page.locator("#dead-reader").select_option("b2")
    lost = page.locator(".readers tr[data-lost] th")
    expect(lost).to_have_text("b2", timeout=PATIENCE_MS)
    table.sees_marks("unseen", "b2")
    page.get_by_text("Repair everything").click()
    expect(lost).to_have_count(0, timeout=PATIENCE_MS)
    with page.expect_download() as download:
        page.locator("#record").click()
    assert '"trace"' in download.value.path().read_text(encoding="utf-8").splitlines()[0]
    table.press("Escape")


def test_a_dark_room_is_chosen_and_remembered(evening: Running, visit: Visits) -> None:
    visitor = visit(evening)
    room = visitor.page.locator("html")
    expect(room).to_have_attribute("data-room", "light")
    visitor.page.locator("#dark-room").click()
    expect(room).to_have_attribute("data-room", "dark")
    visitor.page.reload()
    visitor.wait_until_shown()
    expect(room).to_have_attribute("data-room", "dark")


def test_a_device_in_the_dark_gets_a_dark_room(evening: Running, visit: Visits) -> None:
    expect(visit(evening, color_scheme="dark").page.locator("html")).to_have_attribute("data-room", "dark")


def test_a_real_board_is_only_looked_at(tmp_path: Path, visit: Visits) -> None:
    with looked_at(tmp_path) as board:
        visitor = visit(board)
        expect(visitor.page.locator(".call")).to_have_count(0)
        expect(visitor.page.locator("#makers")).to_be_hidden()
        expect(visitor.page.locator("[aria-pressed]:not(#dark-room)")).to_have_count(0)
        visitor.page.locator("#open-settings").click()
        expect(visitor.page.locator("#settings")).to_contain_text("You can watch here")
        expect(visitor.page.locator("#settings select:enabled")).to_have_count(0)
        visitor.page.close()


def test_the_owner_changes_a_real_board_with_the_pin(tmp_path: Path, visit: Visits) -> None:
    with looked_at(tmp_path, pin="246813") as board:
        visitor = visit(board)
        visitor.page.locator("#open-settings").click()
        visitor.page.locator("#pin").fill("246813")
        visitor.page.locator("#language").select_option("fr")
        expect(visitor.page.locator("html")).to_have_attribute("lang", "fr")
        assert board.state()["settings"]["language"] == "fr"
        visitor.page.close()


def requests_to_strangers(page: Page, address: str) -> list[str]:
    """The requests of a page to anybody else, from now on."""
    strange: list[str] = []
    page.on("request", lambda request: None if request.url.startswith(address) else strange.append(request.url))
    page.reload()
    return strange


def test_the_page_asks_nobody_but_its_board(evening: Running, visit: Visits) -> None:
    visitor = visit(evening)
    strange = requests_to_strangers(visitor.page, evening.address)
    visitor.wait_until_shown()
    visitor.page.locator("#open-history").click()
    assert strange == []


def test_start_of_the_page_is_less_than_a_hundred_kilobytes(evening: Running, browser: Browser) -> None:
    requests, size = weight_of_start(browser, evening)
    assert requests > 20, "it counts what comes"
    assert size < 100_000


def test_one_touch_speaks_the_next_language(table: Visitor) -> None:
    touch = table.page.locator("#next-language")
    expect(touch).to_have_text("EN")
    expect(touch).to_have_attribute("title", "Next language: Français")
    touch.click()
    expect(touch).to_have_text("FR")
    expect(table.page.locator("html")).to_have_attribute("lang", "fr")


def test_two_people_play_a_game_with_the_mouse_and_it_is_counted_below_the_finished_games(visitor: Visitor) -> None:
    visitor.page.locator("#open-history").click()
    counted = visitor.page.locator("#statistics")
    expect(counted).to_be_hidden()
    visitor.press("Escape")
    visitor.play("LTRF a1", "DSQF b2", "LSRF c3")
    visitor.give("DTQF")
    visitor.place("DTQF", "d4")
    visitor.call()
    visitor.in_phase("over")
    visitor.hears("Player 1 wins!")
    visitor.sees_marks("won", "a1", "b2", "c3", "d4")
    expect(visitor.page.locator(".player").nth(0)).to_have_attribute("data-won", "yes")
    visitor.page.locator("#open-history").click()
    expect(counted).to_contain_text("Games played1")
    expect(counted).to_contain_text("Player 1: Won1")
    expect(counted).to_contain_text("Missed Quartos0")
    expect(counted).to_contain_text(re.compile(r"Time per game\d+:\d\d"))

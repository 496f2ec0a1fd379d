"""Somebody who looks after many boards, at the hub's page in a real browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, cast

import pytest
from playwright.sync_api import Browser, Page, expect

from quarto_pi.chain.hub_messages import OrderOutcome
from quarto_pi.chain.messages import Doing
from quarto_pi.hub.alarms import IMPOSSIBLE, causes_told
from quarto_pi.hub.sqlite import open_sqlite
from quarto_pi.languages import LANGUAGES
from quarto_pi.words import Words
from tests.browser.conftest import DESK
from tests.browser.test_access import DEVICES, faults_of_page
from tests.browser.visitor import PATIENCE_MS
from tests.hub.boards import IDLE, PLAYS, settled
from tests.hub.page_of_hub import finished_game
from tests.hub.served import ServedFleet, served_fleet

pytestmark = pytest.mark.slow

Opens = Callable[..., Page]
VIEWS = {
    "boards": ".fleet-row",
    "live": ".live-card",
    "games": ".game",
    "alarms": ".alarm",
    "orders": "#new-hours",
    "versions": "#version-choose",
    "people": ".person",
}


@pytest.fixture(scope="module")
def fleet() -> Iterator[ServedFleet]:
    with served_fleet() as fleet:
        yield fleet


@pytest.fixture
def opens(browser: Browser, fleet: ServedFleet) -> Iterator[Opens]:
    """Opens the page in a profile of its own, and logs somebody in; none of the pages may have complained."""
    contexts, complaints = [], []

    def open_page(name: str | None = "anna", **options: object) -> Page:
        context = browser.new_context(
            **cast("Any", {"viewport": DESK, "reduced_motion": "reduce", "locale": "en", **options})
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(fleet.address)
        expect(page.locator("#password")).to_be_visible()
        if name is not None:
            log_in(page, name, fleet.password)
            expect(page.locator("body")).to_have_attribute("data-shown", "1")
        return page

    yield open_page
    for context in contexts:
        context.close()
    # Chromium tells of every answer that refuses.
    assert [text for text in complaints if "status of 40" not in text] == []


def log_in(page: Page, name: str, password: str) -> None:
    page.locator("#name").fill(name)
    page.locator("#password").fill(password)
    page.locator(".login button").click()


def go(page: Page, view: str) -> None:
    """Open a view, and wait until there is something on it."""
    page.locator(f'.view[data-view="{view}"]').click()
    expect(page.locator(VIEWS[view]).first).to_be_visible()


def row(page: Page, board: str) -> Any:  # noqa: ANN401 - a locator
    return page.locator(f'.fleet-row[data-board="{board}"]')


@pytest.mark.parametrize("device", [pytest.param(name) for name in ("phone", "dark", "kiosk")])
def test_axe_finds_nothing_on_any_view_and_nothing_scrolls_sideways(
    device: str, opens: Opens, fleet: ServedFleet
) -> None:
    page = opens(None, **DEVICES[device])
    assert faults_of_page(page) == []
    log_in(page, "anna", fleet.password)
    for view in VIEWS:
        go(page, view)
        assert faults_of_page(page) == [], view
        assert not page.evaluate("document.documentElement.scrollWidth > innerWidth"), view
    go(page, "games")
    page.locator(".game").first.click()
    expect(page.locator(".graph svg")).to_be_visible()
    assert faults_of_page(page) == []
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")


def test_a_wrong_password_is_told_and_the_right_one_leads_to_the_boards(opens: Opens, fleet: ServedFleet) -> None:
    page = opens(None)
    log_in(page, "anna", "wrong password")
    expect(page.locator("#trouble")).to_have_text("That name and that password don't belong together.")
    log_in(page, "anna", fleet.password)
    expect(page.locator(".fleet-row")).to_have_count(12)


def test_whoever_reloads_is_still_logged_in_and_who_logs_out_is_not(opens: Opens) -> None:
    page = opens()
    page.reload()
    expect(page.locator(".fleet-row")).to_have_count(12)
    page.locator("#log-out").click()
    expect(page.locator("#password")).to_be_visible()
    page.reload()
    expect(page.locator("#password")).to_be_visible()
    expect(page.locator(".fleet-row")).to_have_count(0)


def test_each_board_says_what_it_is_since_when_and_what_to_do(opens: Opens) -> None:
    page = opens()
    expect(row(page, "board-05")).to_contain_text("Not well")
    expect(row(page, "board-05")).to_contain_text("give it air, or a heat sink")
    expect(row(page, "board-06")).to_contain_text("Look whether it has power")
    expect(row(page, "board-01")).to_contain_text("since")
    expect(row(page, "board-01")).to_contain_text("Player 1 · Computer: Easy")
    states = page.locator(".fleet-state").all_inner_texts()
    assert states[:4] == ["Not well", "Not well", "Not reachable", "Not reachable"], "who needs somebody comes first"


def test_boards_are_found_by_state_name_and_house(opens: Opens) -> None:
    page = opens()
    page.locator('.chip[data-condition="playing"]').click()
    expect(page.locator(".fleet-row")).to_have_count(4)
    page.locator('input[type="search"]').fill("board-02")
    expect(page.locator(".fleet-row")).to_have_count(1)
    page.locator('input[type="search"]').fill("nothing like it")
    expect(page.locator(".note")).to_have_text("No board is like that.")
    page.locator('input[type="search"]').fill("")
    page.locator('.chip[data-condition="playing"]').click()
    page.locator(".choice select").select_option("Harbour")
    expect(page.locator(".fleet-row")).to_have_count(4)


def test_what_happens_at_a_board_is_seen_at_once(opens: Opens, fleet: ServedFleet) -> None:
    page = opens()
    fleet.watch.status("board-03", replace(PLAYS, game=90, position="..../..../..../.... 9"))
    expect(row(page, "board-03")).to_contain_text("Playing")
    go(page, "live")
    card = page.locator('.live-card[data-board="board-03"]')
    expect(card.locator(".small-board [data-piece]")).to_have_count(0)
    expect(card.locator('.small-hand [data-piece="DTRH"]')).to_have_count(1)
    fleet.watch.settled("board-03", settled(3, "placed", game=90, square="c3", piece="DTRH", player=1))
    expect(card.locator('.small-board [data-piece="DTRH"]')).to_have_count(1)
    expect(card.locator(".small-board")).to_have_attribute("aria-label", "Board; c3: dark, tall, round, hollow")
    fleet.watch.presence("board-03", here=False)
    expect(card).to_have_count(0)
    fleet.watch.presence("board-03", here=True)
    fleet.watch.status("board-03", IDLE)
    go(page, "boards")
    expect(row(page, "board-03")).to_contain_text("Waiting")


def test_boards_that_play_each_other_are_named_where_both_say_so(opens: Opens, fleet: ServedFleet) -> None:
    page = opens()
    go(page, "live")
    between = replace(PLAYS, match="0a1b2c3d", position="..../..../..../.... 9")
    fleet.watch.status("board-03", replace(between, seats=("person", "board"), other="board-09"))
    fleet.watch.presence("board-03", here=True)
    card = page.locator('.live-card[data-board="board-03"]')
    expect(card.locator(".who")).to_have_text(["Player 1", "Another board"])
    fleet.watch.status("board-09", replace(between, seats=("board", "person"), other="board-03"))
    fleet.watch.presence("board-09", here=True)
    expect(card.locator(".who")).to_have_text(["Player 1", "board-09"])
    go(page, "boards")
    expect(row(page, "board-09")).to_contain_text("board-03 · Player 2")
    for board in ("board-03", "board-09"):
        fleet.watch.status(board, IDLE)


def test_the_hub_without_its_broker_says_that_what_is_shown_is_old(opens: Opens, fleet: ServedFleet) -> None:
    page = opens()
    fleet.watch.link(linked=False)
    expect(page.locator("#connection")).to_have_text("The hub can't reach its broker: what is shown here is old.")
    fleet.watch.link(linked=True)
    expect(page.locator("#connection")).to_be_hidden()


def test_a_finished_game_is_played_again_and_saved(opens: Opens) -> None:
    page = opens()
    go(page, "games")
    page.locator(".game").first.click()
    expect(page.locator(".review .small-board [data-piece]")).to_have_count(4)
    expect(page.locator(".lines path")).to_have_count(1)
    page.get_by_role("button", name="First position").click()
    expect(page.locator(".review .small-board [data-piece]")).to_have_count(0)
    with page.expect_download() as download:
        page.get_by_role("link", name="Save the game").click()
    assert 'Reason "call"' in download.value.path().read_text(encoding="utf-8")
    page.get_by_role("button", name="Finished games").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="Save all as CSV").click()
    assert len(download.value.path().read_text(encoding="utf-8").splitlines()) == 15


def test_statistics_are_told_by_house_and_for_one_house_by_board(opens: Opens) -> None:
    page = opens()
    go(page, "games")
    expect(page.locator(".tallies tbody th")).to_have_text(["Café Central", "Harbour", "Old Town"])
    expect(page.locator(".tallies tfoot td").first).to_have_text("14")
    page.locator(".filters select").first.select_option("Harbour")
    expect(page.locator(".tallies tbody th").first).to_have_text("board-01")
    expect(page.locator(".figure")).to_have_count(4)


def test_game_between_two_boards_is_one_line_with_both(opens: Opens, fleet: ServedFleet) -> None:
    page = opens()
    go(page, "games")
    expect(page.locator(".tallies tfoot td").first).to_have_text("14")
    store = open_sqlite(fleet.folder / "hub.sqlite")
    between = {"rules": {}, "starter": 0, "match": "0a1b2c3d"}
    for board, other, players in (
        ("board-01", "board-02", ["human", "board"]),
        ("board-02", "board-01", ["board", "human"]),
    ):
        actions = finished_game(board, 77, 1.8e9)
        begun = {"event": "begun", **between, "players": players, "other": other}
        store.keep([replace(actions[0], action=replace(actions[0].action, event=begun)), *actions[1:]])
    store.close()
    page.reload()
    go(page, "games")
    first = page.locator(".game").first
    expect(first.locator("strong")).to_have_text("board-01 – board-02 · Game 77")
    expect(first).to_contain_text("board-01 wins")
    expect(page.locator(".tallies tfoot td").first).to_have_text("15")
    expect(page.locator("#between-once")).to_have_text("In all, a game between two boards counts once.")
    first.click()
    expect(page.locator("#games h3")).to_contain_text("board-01 – board-02")


def test_an_alarm_is_seen_once_by_somebody(opens: Opens) -> None:
    page = opens()
    expect(page.locator('.view[data-view="alarms"]')).to_have_text("Alarms (4)")
    go(page, "alarms")
    page.locator(".alarm").first.get_by_role("button").click()
    expect(page.locator(".alarm").first).to_contain_text("seen by anna")
    expect(page.locator('.view[data-view="alarms"]')).to_have_text("Alarms (3)")


def test_what_a_board_told_wrongly_is_put_aside_and_stands_among_earlier_alarms(
    opens: Opens, fleet: ServedFleet
) -> None:
    store = open_sqlite(fleet.folder / "hub.sqlite")
    store.raise_alarm("board-01", IMPOSSIBLE, "Game 3 cannot have been played like this.", 1.7e9)
    fleet.watch.know_told(causes_told(store.alarms()), 0)
    fleet.watch.tick()
    page = opens()
    go(page, "alarms")
    alarm = page.locator(".alarm", has_text="board-01: it tells of a game that can't have been played")
    expect(alarm).to_contain_text("put this aside once it is known why")
    alarm.get_by_role("button", name="Put aside").click()
    expect(alarm).to_have_count(0)
    store.watched.keep_alarms(fleet.watch.take_unkept()[0])
    page.get_by_text("Earlier alarms").click()
    expect(page.locator("details .alarm").first).to_contain_text("put aside by anna")
    assert faults_of_page(page) == []
    assert [each.ended_by for each in store.alarms(ended=True)] == ["anna"]
    store.close()


@pytest.mark.parametrize(
    ("name", "device"),
    [("anna", "phone"), ("otto", "dark"), pytest.param("nora", "kiosk", marks=pytest.mark.campaign)],
)
def test_everybody_chooses_another_password_and_is_logged_out_elsewhere(
    name: str, device: str, browser: Browser
) -> None:
    with served_fleet(3, 1) as fleet:
        pages = []
        for _ in range(2):
            context = browser.new_context(
                **cast("Any", {"locale": "en", "reduced_motion": "reduce", **DEVICES[device]})
            )
            page = context.new_page()
            page.set_default_timeout(PATIENCE_MS)
            page.goto(fleet.address)
            log_in(page, name, fleet.password)
            expect(page.locator("body")).to_have_attribute("data-shown", "1")
            pages.append(page)
        page, elsewhere = pages
        page.get_by_role("link", name="My password").click()
        _choose(page, "not this one", "another password", "another password")
        expect(page.locator("#trouble")).to_have_text("That isn't your password so far.")
        _choose(page, fleet.password, "another password", "another passwort")
        expect(page.locator("#trouble")).to_have_text("The two new passwords are not the same.")
        assert faults_of_page(page) == []
        assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
        _choose(page, fleet.password, "another password", "another password")
        expect(page.locator(".told")).to_have_text("The new password counts now. Everywhere else you are logged out.")
        expect(elsewhere.locator("#password")).to_be_visible()
        log_in(elsewhere, name, fleet.password)
        expect(elsewhere.locator("#trouble")).to_have_text("That name and that password don't belong together.")
        log_in(elsewhere, name, "another password")
        expect(elsewhere.locator("#password")).to_have_count(0)
        page.locator('.view[data-view="boards"]').click()
        expect(page.locator(".chips")).to_be_visible()
        for page in pages:
            page.context.close()


def _choose(page: Page, old: str, new: str, again: str) -> None:
    page.locator("#old-password").fill(old)
    page.locator("#fresh-password").fill(new)
    page.locator("#fresh-again").fill(again)
    page.get_by_role("button", name="Change it").click()


def test_an_onlooker_has_nothing_to_press_and_no_list_of_people(opens: Opens) -> None:
    page = opens("otto")
    expect(page.locator('.view[data-view="people"]')).to_have_count(0)
    go(page, "alarms")
    expect(page.locator(".alarm button")).to_have_count(0)
    page.goto(f"{page.url.partition('#')[0]}#people")
    expect(page.locator(".person")).to_have_count(0)


def test_an_owner_enters_somebody_who_may_then_look(opens: Opens) -> None:
    page = opens()
    go(page, "people")
    page.locator("#new-name").fill("paula")
    page.locator("#new-role").select_option("house")
    page.locator("#new-house").fill("Harbour")
    page.get_by_role("button", name="Add somebody").click()
    expect(page.locator(".secret")).to_contain_text("paula")
    password = page.locator(".secret").inner_text().rpartition(" ")[2]
    expect(page.locator('.person[data-person="paula"]')).to_contain_text("Harbour")
    other = opens(None)
    log_in(other, "paula", password)
    expect(other.locator(".fleet-row")).to_have_count(4)
    page.get_by_role("button", name="Remove paula").click()
    page.get_by_role("button", name="Remove paula").click()
    expect(page.locator('.person[data-person="paula"]')).to_have_count(0)
    expect(other.locator("#password")).to_be_visible()


def test_boards_of_a_house_are_told_what_is_wanted_and_what_was_refused_is_seen(
    opens: Opens, fleet: ServedFleet
) -> None:
    page = opens()
    go(page, "orders")
    page.locator("#new-where").select_option("Harbour")
    page.locator("#new-language").select_option("fr")
    page.locator("#new-hours").fill("whenever")
    page.get_by_role("button", name="Tell the boards").click()
    expect(page.locator("#trouble")).to_contain_text("names no hours")
    page.locator("#new-hours").fill("17:00-23:00")
    page.get_by_role("button", name="Tell the boards").click()
    expect(page.locator(".order-row")).to_have_count(4)
    first = page.locator(".order-row").first
    expect(first).to_contain_text("language = fr, hours = 17:00-23:00")
    expect(first).to_contain_text("Not answered yet")
    store = open_sqlite(fleet.folder / "hub.sqlite")
    store.watched.note_outcome("board-01", OrderOutcome(1, ("hours",), (("language", "the board does not speak it."),)))
    store.close()
    expect(first).to_contain_text("the board does not speak it.")
    assert faults_of_page(page) == []


def test_the_page_speaks_the_browsers_language_or_another_one(opens: Opens) -> None:
    page = opens("otto", locale="de-DE")
    expect(page.locator('.chip[data-condition="gone"] .chip-name')).to_have_text("Nicht erreichbar")
    for language in LANGUAGES:
        page.locator("#language").select_option(language)
        told = Words(language).hub_page()
        expect(page.locator('.view[data-view="boards"]')).to_have_text(told["hub_boards"])
        assert not page.evaluate("document.documentElement.scrollWidth > innerWidth"), language


def test_everything_is_reached_by_the_keyboard(opens: Opens, fleet: ServedFleet) -> None:
    page = opens(None)
    page.keyboard.type("otto")
    page.keyboard.press("Tab")
    page.keyboard.type(fleet.password)
    page.keyboard.press("Enter")
    expect(page.locator(".fleet-row").first).to_be_visible()
    reached = set()
    for _ in range(30):
        page.keyboard.press("Tab")
        reached.add(
            page.evaluate(
                "document.activeElement.id || document.activeElement.className || document.activeElement.type"
            )
        )
    assert {"language", "dark-room", "log-out", "view", "chip", "search"} <= reached


def test_a_thousand_boards_are_shown_some_at_a_time(browser: Browser) -> None:
    with served_fleet(1_000, 1) as fleet:
        page = browser.new_page(viewport=cast("Any", DESK))
        page.goto(fleet.address)
        log_in(page, "anna", fleet.password)
        expect(page.locator(".fleet-row")).to_have_count(60)
        page.get_by_role("button", name="Show more").click()
        expect(page.locator(".fleet-row")).to_have_count(120)
        fleet.watch.status("board-03", replace(IDLE, doing=Doing.ASLEEP))
        page.locator('input[type="search"]').fill("board-03")
        expect(row(page, "board-03")).to_contain_text("Asleep")
        page.close()

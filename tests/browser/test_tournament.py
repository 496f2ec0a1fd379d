"""A house's tournament at the hub's page, and somebody who watches one board by its link, in a real browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, cast

import pytest
from playwright.sync_api import Browser, Page, expect

from quarto_pi.chain.messages import ToldMatch, ToldStanding, TournamentTold
from quarto_pi.languages import LANGUAGES
from quarto_pi.outputs.page import told_as_json
from quarto_pi.web.service import ServedBoard
from quarto_pi.words import Words
from tests.browser.conftest import DESK
from tests.browser.test_access import DEVICES, faults_of_page, tried_on
from tests.browser.test_hub import log_in
from tests.browser.visitor import PATIENCE_MS
from tests.hub.boards import settled
from tests.hub.served import ServedFleet, served_fleet
from tests.web.visit import feed_with, moment, served

pytestmark = pytest.mark.slow

Opens = Callable[..., Page]


@pytest.fixture
def fleet() -> Iterator[ServedFleet]:
    with served_fleet() as fleet:
        yield fleet


@pytest.fixture
def opens(browser: Browser, fleet: ServedFleet) -> Iterator[Opens]:
    """Opens the page in a profile of its own; none of the pages may have complained."""
    contexts, complaints = [], []

    def open_page(address: str = "", name: str | None = "anna", **options: object) -> Page:
        context = browser.new_context(
            **cast("Any", {"viewport": DESK, "reduced_motion": "reduce", "locale": "en", **options})
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(address or f"{fleet.address}#tournaments")
        if name is not None:
            log_in(page, name, fleet.password)
            expect(page.locator("body")).to_have_attribute("data-shown", "1")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert [text for text in complaints if "status of 40" not in text] == []


def begin(page: Page, title: str, players: int, system: str = "round robin", best_of: str = "1") -> None:
    """Announce a tournament of the harbour, and have its next round drawn."""
    page.locator("#new-title").fill(title)
    page.locator("#new-house").select_option("Harbour")
    page.locator("#new-system").select_option(system)
    page.locator("#new-best").select_option(best_of)
    page.get_by_role("button", name="New tournament").click()
    page.locator('[data-of="players"] summary').click()
    page.locator("#new-players").fill("\n".join(f"Guest {number}" for number in range(1, players + 1)))
    page.get_by_role("button", name="Add players").click()
    expect(page.locator(".standings tbody tr")).to_have_count(players)


def start(page: Page) -> None:
    """Have everybody called to the tables."""
    page.locator('[data-of="tables"] summary').click()
    page.get_by_role("button", name="Set the tables").click()
    expect(page.locator(".place")).to_have_count(4)
    page.get_by_role("button", name="Pair the next round").click()
    expect(page.locator(".pairing").first).to_be_visible()


def enter(page: Page, pairing: int, option: str) -> None:
    """Enter how a pairing ended."""
    row = page.locator(f'.pairing[data-pairing="{pairing}"]')
    if row.locator("details[open]").count() == 0:
        row.locator("summary").click()
    row.locator(f"#verdict-{pairing}").select_option(option)


def test_a_tournament_is_announced_played_corrected_and_closed(opens: Opens) -> None:
    page = opens()
    begin(page, "Friday", 4)
    start(page)
    expect(page.locator('.place[data-table="1"]')).to_contain_text("1 · Guest 1 against 4 · Guest 4")
    expect(page.locator('.place[data-table="1"]')).to_contain_text("board-01")
    enter(page, 1, "second")
    expect(page.locator('.pairing[data-pairing="1"] .score')).to_have_text("0 : 1")
    expect(page.locator(".standings tbody tr").first).to_contain_text("4 · Guest 4")
    enter(page, 1, "draw")
    expect(page.locator('.pairing[data-pairing="1"] .score')).to_have_text("½ : ½")
    enter(page, 2, "first absent")
    expect(page.locator('.pairing[data-pairing="2"]')).to_contain_text("2 · Guest 2 is absent")
    expect(page.locator(".standings tbody tr").first).to_contain_text("3 · Guest 3")
    page.get_by_role("button", name="Close the tournament").click()
    page.get_by_role("button", name="Really close it?").click()
    expect(page.locator(".correcting")).to_have_count(0)
    page.get_by_role("button", name="‹ Tournaments").click()
    expect(page.locator(".tournament", has_text="Friday")).to_contain_text("closed")


def test_games_of_a_match_are_entered_one_by_one(opens: Opens) -> None:
    page = opens()
    begin(page, "Best of three", 2, best_of="3")
    start(page)
    row = page.locator('.pairing[data-pairing="1"]')
    row.locator("summary").click()
    row.locator("#game-1-0").select_option("first")
    expect(row).to_contain_text("1 : 0")
    row.locator("#game-1-1").select_option("first")
    expect(row.locator(".score")).to_have_text("1 : 0")
    row.locator("#game-1-1").select_option("")
    expect(row.locator(".score")).to_have_text("")


def test_what_one_decides_the_other_sees_and_an_onlooker_changes_nothing(opens: Opens) -> None:
    page = opens()
    begin(page, "Swiss evening", 5, "swiss")
    start(page)
    other = opens(name="otto")
    other.locator(".tournament", has_text="Swiss evening").click()
    expect(other.locator(".pairing")).to_have_count(3)
    expect(other.locator(".pairing", has_text="plays free")).to_contain_text("5 · Guest 5")
    expect(other.locator(".correcting, .directing")).to_have_count(0)
    enter(page, 1, "first")
    expect(other.locator('.pairing[data-pairing="1"] .score')).to_have_text("1 : 0")


@pytest.mark.parametrize("device", ["phone", "dark"])
def test_axe_finds_nothing_in_a_tournament_and_nothing_scrolls_sideways(device: str, opens: Opens) -> None:
    page = opens(**DEVICES[device])
    begin(page, f"On a {device}", 5)
    start(page)
    page.locator(".correcting summary").first.click()
    assert faults_of_page(page) == []
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
    for language in LANGUAGES:
        page.locator("#language").select_option(language)
        told = Words(language)
        expect(page.locator('.view[data-view="tournaments"]')).to_have_text(told.hub_page()["tournaments"])
        expect(page.get_by_role("heading", name=told.page()["standings"])).to_be_visible()
        assert not page.evaluate("document.documentElement.scrollWidth > innerWidth"), language


def test_who_has_the_link_watches_until_nobody_may(opens: Opens, fleet: ServedFleet) -> None:
    page = opens(f"{fleet.address}#live")
    card = page.locator('.live-card[data-board="board-01"]')
    card.locator("summary").click()
    card.get_by_role("button", name="Let people watch").click()
    expect(card.locator("img.code")).to_be_visible()
    assert page.evaluate("document.querySelector('img.code').decode().then(() => true)")
    link = card.locator("a.link").inner_text()
    assert link.startswith(f"{fleet.address}watch#")
    guest = opens(link, None, **DEVICES["phone"])
    expect(guest.locator(".live-name")).to_have_text("board-01")
    assert faults_of_page(guest) == []
    assert not guest.evaluate("document.documentElement.scrollWidth > innerWidth")
    fleet.watch.settled("board-01", settled(9, "placed", game=2, square="a1", piece="LTRF", player=1))
    page.get_by_role("button", name="Let nobody watch").click()
    expect(guest.locator(".note")).to_have_text("This address is no longer good: ask for another one.")
    expect(guest.locator(".live-card")).to_have_count(0)


FRIDAY = TournamentTold(
    "Friday cup", 2, 5, 3, ToldMatch(7, 12, (1, 3), 3), tuple(ToldStanding(n, n, 24 - n, 2) for n in range(1, 21))
)


@pytest.mark.parametrize("device", tried_on("phone", "dark", "kiosk"))
def test_a_boards_own_page_shows_its_pairing_and_the_standings(device: str, opens: Opens) -> None:
    feed = feed_with(moment(0))
    with served(ServedBoard(feed, lambda _: None)) as address:
        page = opens(address, None, **DEVICES[device])
        expect(page.locator("body[data-seq]")).to_be_attached()
        expect(page.locator("#open-tournament")).to_be_hidden()
        feed.announce(told_as_json(FRIDAY))
        expect(page.locator("#open-tournament")).to_have_text("Friday cup · Table 3: 7 against 12 (½ : 1½)")
        assert faults_of_page(page) == []
        assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
        page.locator("#open-tournament").click()
        expect(page.locator("#tournament tbody tr")).to_have_count(20)
        expect(page.locator("#tournament tr[data-plays]")).to_have_count(2)
        assert faults_of_page(page) == []
        feed.announce(None)
        expect(page.locator("#tournament")).to_be_hidden()
        expect(page.locator("#open-tournament")).to_be_hidden()
        page.close()

"""A version for many boards at the hub's page, in a real browser: sent, rolled out, stopped, resumed, abandoned."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest
from playwright.sync_api import Browser, Page, expect

from quarto_pi.chain.messages import VersionStep, VersionTold
from quarto_pi.hub.fleet import GRACE_SECONDS
from quarto_pi.hub.sqlite import open_sqlite
from quarto_pi.languages import LANGUAGES
from quarto_pi.words import Words
from tests.browser.conftest import DESK
from tests.browser.test_access import DEVICES, faults_of_page
from tests.browser.visitor import PATIENCE_MS
from tests.hub.boards import IDLE
from tests.hub.bundle_making import good_bundle, publisher_in
from tests.hub.served import ServedFleet, served_fleet

pytestmark = pytest.mark.slow

LOOK_MS = 2_000
"""So often the page asks how far the boards are."""
CARDS = ("board-02", "board-03", "board-08", "board-09")


@pytest.fixture(scope="module")
def update(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("publisher")
    file = folder / "quarto-pi-2.0-abc.raucb"
    file.write_bytes(good_bundle(publisher_in(folder)))
    return file


@pytest.fixture
def fleet() -> Iterator[ServedFleet]:
    """A hub whose boards have had their time to be heard; some of them run from a card."""
    with served_fleet() as fleet:
        began = fleet.watch._clock()
        fleet.watch._clock = lambda: began + GRACE_SECONDS
        for name in CARDS:
            fleet.watch.presence(name, here=True)
            fleet.watch.status(name, replace(IDLE, card="1.0"))
        yield fleet


@pytest.fixture
def page(browser: Browser, fleet: ServedFleet) -> Iterator[Page]:
    """The view of versions, as its owner sees it."""
    page = opened(browser, fleet, "anna")
    yield page
    page.context.close()


def opened(browser: Browser, fleet: ServedFleet, name: str, **options: object) -> Page:
    context = browser.new_context(
        **cast("Any", {"viewport": DESK, "reduced_motion": "reduce", "locale": "en", **options})
    )
    page = context.new_page()
    page.clock.install()
    page.set_default_timeout(PATIENCE_MS)
    page.goto(f"{fleet.address}#versions")
    page.locator("#name").fill(name)
    page.locator("#password").fill(fleet.password)
    page.locator(".login button").click()
    expect(page.locator("body")).to_have_attribute("data-shown", "1")
    return page


def put(page: Page, update: Path) -> None:
    page.locator("#version-file").set_input_files(update)
    expect(page.locator('.person[data-version="2.0-abc"]')).to_contain_text("put here by anna")


def begin(page: Page, first: str = "board-03") -> None:
    page.locator("#rollout-first").select_option(first)
    page.get_by_role("button", name="Roll out").click()
    expect(row(page, first)).to_have_attribute("data-step", "offered")


def row(page: Page, board: str) -> Any:  # noqa: ANN401 - a locator
    return page.locator(f'.order-row[data-board="{board}"]')


def look(fleet: ServedFleet, page: Page) -> None:
    """Have the hub look how far the boards are, and the page as well."""
    store = open_sqlite(fleet.folder / "hub.sqlite")
    fleet.rollouts.look(store)
    store.close()
    page.clock.fast_forward(LOOK_MS)


def test_an_owner_sends_a_version_rolls_it_out_and_sees_how_far_each_board_is(
    page: Page, fleet: ServedFleet, update: Path
) -> None:
    expect(page.locator(".by-hand")).to_contain_text("board-01")
    put(page, update)
    begin(page)
    expect(page.locator(".rollout-state")).to_have_text("Version 2.0-abc is being rolled out")
    expect(page.locator(".rollout-about")).to_contain_text("First to one board")
    assert page.locator(".order-row strong").all_inner_texts() == ["board-03", "board-02", "board-08", "board-09"]
    sha256 = cast("Any", fleet.rollouts.kept).sha256
    fleet.watch.status("board-03", replace(IDLE, card="1.0", offered=VersionTold(sha256, VersionStep.FETCHING, 40)))
    look(fleet, page)
    expect(row(page, "board-03")).to_contain_text("Fetches it · 40 %")
    fleet.watch.status("board-03", replace(IDLE, card="2.0-abc"))
    look(fleet, page)
    expect(row(page, "board-03")).to_contain_text("Runs it, is being watched")
    assert faults_of_page(page) == []


def test_why_it_has_stopped_is_seen_and_an_owner_goes_on_or_abandons(
    page: Page, fleet: ServedFleet, update: Path
) -> None:
    put(page, update)
    begin(page)
    sha256 = cast("Any", fleet.rollouts.kept).sha256
    why = "update.raucb is not taken: signature verification failed."
    fleet.watch.status("board-03", replace(IDLE, card="1.0", offered=VersionTold(sha256, VersionStep.REFUSED, 0, why)))
    look(fleet, page)
    expect(page.locator(".rollout-state")).to_have_text("Version 2.0-abc is rolled out no further")
    expect(page.locator(".rollout-about")).to_contain_text("It has stopped by itself.")
    expect(page.locator(".rollout-why")).to_contain_text("board-03: update.raucb is not taken")
    expect(row(page, "board-03")).to_contain_text("Refuses it")
    assert faults_of_page(page) == []
    page.get_by_role("button", name="Go on without those that went wrong").click()
    expect(row(page, "board-02")).to_have_attribute("data-step", "offered")
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".rollout-about")).to_contain_text("Decided by anna.")
    page.get_by_role("button", name="Abandon").click()
    page.get_by_role("button", name="Really abandon it?").click()
    expect(page.locator(".rollout-state")).to_have_text("Version 2.0-abc was abandoned")
    page.locator('.person[data-version="2.0-abc"] button').click()
    page.get_by_role("button", name="Remove 2.0-abc").click()
    expect(page.locator(".person")).to_have_count(0)


def test_boards_of_a_house_or_some_by_name_are_chosen_and_nonsense_is_told(
    page: Page, fleet: ServedFleet, update: Path, tmp_path: Path
) -> None:
    photo = tmp_path / "photo.raucb"
    photo.write_bytes(b"a photo")
    page.locator("#version-file").set_input_files(photo)
    expect(page.locator("#trouble")).to_contain_text("that is no update")
    put(page, update)
    page.locator("#rollout-only").fill("board-02, board-07")
    page.get_by_role("button", name="Roll out").click()
    expect(page.locator("#trouble")).to_contain_text("board-07 is not known to run from a card")
    page.locator("#rollout-only").fill("board-02, board-09")
    page.get_by_role("button", name="Roll out").click()
    expect(page.locator(".order-row")).to_have_count(2)
    assert cast("Any", fleet.rollouts.kept).begun_by == "anna"


def test_an_onlooker_has_no_such_view(browser: Browser, fleet: ServedFleet) -> None:
    page = opened(browser, fleet, "otto")
    expect(page.locator('.view[data-view="versions"]')).to_have_count(0)
    expect(page.locator("#version-choose")).to_have_count(0)
    page.context.close()


def test_somebody_of_a_house_sees_and_presses_nothing(browser: Browser, fleet: ServedFleet, update: Path) -> None:
    owner = opened(browser, fleet, "anna")
    put(owner, update)
    owner.context.close()
    page = opened(browser, fleet, "nora")
    expect(page.locator('.person[data-version="2.0-abc"]')).to_have_count(1)
    expect(page.locator("#hub button")).to_have_count(0)
    page.context.close()


@pytest.mark.parametrize("device", ["phone", "dark"])
def test_a_rollout_fits_every_screen_and_every_language(
    device: str, browser: Browser, fleet: ServedFleet, update: Path
) -> None:
    page = opened(browser, fleet, "anna", **DEVICES[device])
    put(page, update)
    begin(page)
    assert faults_of_page(page) == []
    for language in LANGUAGES:
        page.locator("#language").select_option(language)
        told = Words(language).hub_page()
        expect(page.locator(".rollout-state")).to_have_text(told["rollout_running"].replace("{version}", "2.0-abc"))
        assert not page.evaluate("document.documentElement.scrollWidth > innerWidth"), language
    page.context.close()

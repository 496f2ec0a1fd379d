"""For everybody: axe-core finds nothing on any view, and nothing has to be scrolled sideways."""

from __future__ import annotations

from typing import Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page, expect

from tests.browser.boards import Running
from tests.browser.conftest import Visits
from tests.browser.visitor import Visitor

pytestmark = pytest.mark.slow

DEVICES: dict[str, dict[str, Any]] = {
    "phone": {"viewport": {"width": 360, "height": 740}, "has_touch": True},
    "tablet": {"viewport": {"width": 820, "height": 1180}, "has_touch": True},
    "kiosk": {"viewport": {"width": 1920, "height": 1080}},
    "dark": {"viewport": {"width": 1280, "height": 800}, "color_scheme": "dark"},
}


FAULTS = """() => axe.run({ resultTypes: ["violations"] }).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`)))"""


def faults_of(visitor: Visitor) -> list[str]:
    """What axe-core finds on what is shown now."""
    return faults_of_page(visitor.page)


def faults_of_page(page: Page) -> list[str]:
    """What axe-core finds on a page."""
    # Half a megabyte to read, once for each document.
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    return list(page.evaluate(FAULTS))


def scrolls_sideways(visitor: Visitor) -> bool:
    return bool(visitor.page.evaluate("document.documentElement.scrollWidth > innerWidth"))


# A phone and a dark room have, between them, all that the others have: where things stand there, test_layouts holds.
@pytest.mark.parametrize(
    "device",
    [pytest.param(name, marks=() if name in ("phone", "dark") else pytest.mark.campaign) for name in DEVICES],
)
def test_axe_finds_nothing_on_any_view(device: str, evening: Running, visit: Visits) -> None:
    visitor = visit(evening, **DEVICES[device])
    page = visitor.page
    assert faults_of(visitor) == []
    assert not scrolls_sideways(visitor)
    visitor.open_makers()
    expect(page.locator(".readers tbody tr").first).to_be_visible()
    assert faults_of(visitor) == []
    visitor.press("Escape")
    page.locator("#open-settings").click()
    assert faults_of(visitor) == []
    visitor.press("Escape")
    page.locator("#open-history").click()
    expect(page.locator(".game")).to_have_count(1)
    expect(page.locator(".figure").first).to_be_visible()
    page.locator(".figure summary").first.click()
    assert faults_of(visitor) == []
    page.locator(".game").click()
    expect(page.locator(".judgement")).to_contain_text("The coach says")
    assert faults_of(visitor) == []
    assert not scrolls_sideways(visitor)


def test_a_piece_is_named_where_it_stands(visitor: Visitor) -> None:
    visitor.drag("DSQH", "c2")
    expect(visitor.spot("c2")).to_have_attribute("aria-label", "c2: dark, short, square, hollow")
    expect(visitor.spot("c3")).to_have_attribute("aria-label", "c3: empty")


def test_the_board_is_walked_with_the_arrow_keys(evening: Running, visit: Visits) -> None:
    visitor = visit(evening)
    visitor.tab_to('[data-cell="a1"]')
    visitor.press("ArrowUp", "ArrowRight", "ArrowRight")
    expect(visitor.spot("c2")).to_be_focused()
    visitor.press("ArrowDown", "ArrowDown")
    expect(visitor.spot("offer")).to_be_focused()

"""A newcomer in front of a board that does not know its pieces yet follows the guide on the page."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.browser.boards import Running, simulated
from tests.browser.conftest import Visits
from tests.browser.test_access import faults_of, scrolls_sideways

pytestmark = pytest.mark.slow


@pytest.fixture
def untaught() -> Iterator[Running]:
    """A simulated board that does not know its pieces."""
    with simulated("--enrol") as running:
        yield running


def test_newcomer_answers_the_guide_on_the_page(untaught: Running, visit: Visits) -> None:
    visitor = visit(untaught, viewport={"width": 360, "height": 740}, has_touch=True)
    page = visitor.page
    expect(page.locator("#text")).to_have_text("English")
    page.locator('[data-answer="press"]').click()
    expect(page.locator("#text")).to_have_text("Français")
    page.locator('[data-answer="hold"]').click()
    expect(page.locator("#guide-piece .piece")).to_be_visible()
    expect(page.locator("#text")).to_contain_text("Pose la pièce claire, haute, ronde et pleine")
    assert faults_of(visitor) == []
    assert not scrolls_sideways(visitor)

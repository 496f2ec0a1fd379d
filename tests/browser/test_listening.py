"""A whole game as a screen reader tells it, compared with a kept text; `python -m tests.browser` writes it again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.listening import whole_game
from tests.web.visit import Visit

pytestmark = pytest.mark.slow

KEPT = Path(__file__).with_name("whole-game.txt")


@pytest.fixture(scope="module")
def told(browser: Browser) -> Iterator[str]:
    with ExitStack() as stack:
        context = browser.new_context(reduced_motion="reduce")
        yield whole_game(context.new_page(), Visit(stack))
        context.close()


def test_whole_game_is_told_as_it_is_kept(told: str) -> None:
    assert told.splitlines() == KEPT.read_text(encoding="utf-8").splitlines()


def test_nothing_is_said_twice(told: str) -> None:
    for step in told.split("\n== "):
        said = [line.partition(": ")[2] for line in step.splitlines() if line.startswith("said by ")]
        assert len(said) == len(set(said)), step
        for one in said:
            assert not [other for other in said if other != one and one in other], step

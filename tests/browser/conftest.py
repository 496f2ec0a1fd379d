"""One Chromium for all tests of the page, a board and a clean visitor for each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, cast

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.boards import SPEED, Running, simulated
from tests.browser.chromium import chromium
from tests.browser.visitor import PATIENCE_MS, Visitor

DESK = {"width": 1280, "height": 800}

Visits = Callable[..., Visitor]


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    # A busy machine takes its time; what is waited for comes all the same.
    expect.set_options(timeout=PATIENCE_MS)
    with chromium() as browser:
        yield browser


@pytest.fixture
def board() -> Iterator[Running]:
    with simulated() as running:
        yield running


@pytest.fixture(scope="module")
def evening(browser: Browser) -> Iterator[Running]:
    """A board at which a game has just been won, for all of a module who only look."""
    with simulated() as running:
        context = browser.new_context(**cast("Any", {"viewport": DESK, "reduced_motion": "reduce"}))
        visitor = Visitor(context.new_page(), running.address)
        visitor.play("LTRF a1", "DSQF b2", "LSRF c3", "DTQF d4")
        visitor.call()
        visitor.in_phase("over")
        context.close()
        yield running


@pytest.fixture(scope="module")
def speed() -> int:
    """So many times as fast as at a table time passes at the shared board."""
    return SPEED


@pytest.fixture(scope="module")
def shared_board(speed: int) -> Iterator[Running]:
    """A board for all tests of a module that leave it as they have found it."""
    with simulated(speed=speed) as running:
        yield running


@pytest.fixture(scope="module")
def table(browser: Browser, shared_board: Running) -> Iterator[Visitor]:
    """One visitor at the shared board, for all tests that can share him; none of them may hear complaints."""
    context = browser.new_context(**cast("Any", {"viewport": DESK, "reduced_motion": "reduce"}))
    visitor = Visitor(context.new_page(), shared_board.address)
    yield visitor
    context.close()
    assert visitor.complaints == []


@pytest.fixture
def visit(browser: Browser) -> Iterator[Visits]:
    """Opens a page in a browser profile of its own; none of its pages may have complained in the end."""
    contexts = []
    visitors = []

    def visit(board: Running, **options: object) -> Visitor:
        context = browser.new_context(**cast("Any", {"viewport": DESK, "reduced_motion": "reduce", **options}))
        contexts.append(context)
        visitors.append(Visitor(context.new_page(), board.address))
        return visitors[-1]

    yield visit
    for context in contexts:
        context.close()
    assert [complaint for visitor in visitors for complaint in visitor.complaints] == []


@pytest.fixture
def visitor(board: Running, visit: Visits) -> Visitor:
    return visit(board)

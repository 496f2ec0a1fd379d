"""Two boards of a chain, each in a browser: one invites the other on its page, and they play."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.boards import Running, simulated
from tests.browser.conftest import Visits
from tests.browser.visitor import PATIENCE_MS, Visitor
from tests.hub.hubs import HubFolder, hub_folder_at

pytestmark = pytest.mark.slow

NAMES = ("north-1", "south-1")
SETTLED_MS = 4_500


@pytest.fixture
def boards(tmp_path: Path) -> Iterator[list[Running]]:
    """Two simulated boards at a hub."""
    place = hub_folder_at(tmp_path / "hub")
    with ExitStack() as stack:
        for name in NAMES:
            assert place.order("add", name) == 0
        stack.enter_context(place.running())
        yield [stack.enter_context(board_of(place, name, tmp_path)) for name in NAMES]


def board_of(place: HubFolder, name: str, folder: Path) -> Running:
    """A simulated board with the files that the hub has written for it."""
    files = place.folder / "boards" / name
    section = tomllib.loads((files / "chain.toml").read_text(encoding="utf-8"))["chain"]
    section |= {"broker": "localhost", "ca": str(files / "ca.pem"), "credentials": str(files / "credentials")}
    lines = [f"{key} = {json.dumps(value)}" for key, value in section.items()]
    config = folder / f"{name}.toml"
    config.write_text("\n".join(["[chain]", *lines, ""]), encoding="utf-8")
    kept = str(folder / f"{name}-kept")
    return simulated("--config", str(config), "--keep", kept)


def choose(visitor: Visitor, label: str) -> None:
    """Choose another board, or what stands beside the boards, once it is offered."""
    select = visitor.page.locator("#start-board")
    expect(select.locator("option", has_text=label)).to_have_count(1, timeout=PATIENCE_MS)
    select.select_option(label=label)


def give(visitor: Visitor, piece: str) -> None:
    """Give a piece for good."""
    assert visitor.post("hands", {"do": "put", "piece": piece, "cell": "offer"}) == 200


def test_a_board_in_one_browser_plays_a_board_in_another(boards: list[Running], visit: Visits) -> None:
    north, south = (visit(board) for board in boards)
    choose(north, "south-1")
    choose(south, "★ north-1")
    for visitor in (north, south):
        expect(visitor.page.locator(".player", has_text="Other board")).to_have_count(1, timeout=PATIENCE_MS)
        expect(visitor.page.locator("#start")).to_be_hidden()
    give(north, "LTRF")
    expect(south.page.locator("#text")).to_contain_text("The other board gives you", timeout=PATIENCE_MS)
    assert south.post("hands", {"do": "put", "piece": "LTRF", "cell": "b2"}) == 200
    south.in_phase("placed")
    give(south, "DSQH")
    expect(north.page.locator("#text")).to_contain_text("The other board plays b2", timeout=PATIENCE_MS)
    assert north.post("hands", {"do": "put", "piece": "LTRF", "cell": "b2"}) == 200
    expect(north.page.locator("#text")).to_contain_text("The other board gives you", timeout=PATIENCE_MS)


def test_an_invitation_to_any_board_is_called_off(boards: list[Running], visit: Visits) -> None:
    north, south = (visit(board) for board in boards)
    choose(north, "Any board")
    expect(north.page.locator("#notice")).to_contain_text("Waiting for another board", timeout=PATIENCE_MS)
    expect(south.page.locator("#start-board option", has_text="★ north-1")).to_have_count(1, timeout=PATIENCE_MS)
    choose(north, "Stop waiting")
    expect(north.page.locator("#notice")).to_be_hidden(timeout=PATIENCE_MS)
    expect(south.page.locator("#start-board option", has_text="★ north-1")).to_have_count(0, timeout=PATIENCE_MS)

"""A board's real client at the real hub with its own broker: TLS, accounts, and what the hub has in the end."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import pytest

from quarto_pi.chain.credentials import read_credentials
from quarto_pi.chain.link import BrokerAddress, BrokerLink, Will
from quarto_pi.chain.topics import presence_of
from quarto_pi.config import parse_config
from quarto_pi.journal.queue import SettledQueue
from tests.chain.test_board_on_chain import PlayedBoard, expected
from tests.hub.hubs import HubFolder, hub_folder_at

pytestmark = pytest.mark.slow

BOARD = "north-1"


def board_at(hub: HubFolder, kept: Path, stack: ExitStack) -> PlayedBoard:
    """A board with the files that the hub has made for it, lying where the hub made them."""
    made = hub.folder / "boards" / BOARD
    section = (made / "chain.toml").read_text(encoding="utf-8").replace("/etc/quarto-pi/chain", str(made))
    chain = parse_config(section).chain
    assert chain is not None
    link = BrokerLink(
        # Whatever the machine is called in its network, it is this one.
        BrokerAddress("127.0.0.1", chain.port, chain.tls, chain.ca),
        read_credentials(chain.credentials_file, chain.board),
        Will(presence_of(BOARD), b"offline"),
        chance=lambda: 0.0,
    )
    board = PlayedBoard(kept, chain.port, link=link)
    stack.callback(board.close)
    return board


def test_board_with_what_the_hub_hands_out_tells_it_everything(tmp_path: Path, stack: ExitStack) -> None:
    hub = hub_folder_at(tmp_path / "hub")
    assert hub.order("add", BOARD) == 0
    with hub.running():
        board = board_at(hub, tmp_path / "kept", stack)
        board.play(20)
        board.queue.wait_for(20, 3)
        board.close()
        told = [(call[2].game, call[2].number) for call in hub.heard.calls if call[0] == "settled"]  # type: ignore[attr-defined] # the action
    assert sorted(set(told)) == expected(20)
    assert SettledQueue(board.folder).length().actions == 0


def test_board_plays_on_while_the_hub_is_away_and_tells_it_when_it_is_back(tmp_path: Path, stack: ExitStack) -> None:
    hub = hub_folder_at(tmp_path / "hub")
    assert hub.order("add", BOARD) == 0
    with hub.running():
        board = board_at(hub, tmp_path / "kept", stack)
        board.play(5)
        board.queue.wait_for(5, 3)
    board.play(20)
    with hub.running():
        board.queue.wait_for(25, 3)
        conflicts = [call for call in hub.heard.calls if call[0] == "conflict"]
    assert not conflicts

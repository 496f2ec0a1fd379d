"""A board's real client at the real hub with its own broker: TLS, accounts, and what the hub keeps in the end."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from quarto_pi.chain.board_client import BoardClient
from quarto_pi.chain.credentials import read_credentials
from quarto_pi.chain.link import BrokerAddress, BrokerLink, Will
from quarto_pi.chain.messages import BoardStatus, Doing
from quarto_pi.chain.topics import presence_of
from quarto_pi.config import parse_config
from quarto_pi.journal.queue import SettledQueue
from tests.chain.test_board_on_chain import PlayedBoard
from tests.hub.hubs import HubFolder, hub_folder_at

pytestmark = pytest.mark.slow
BOARD = "north-1"


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def test_what_the_hub_hands_out_puts_a_board_on_the_chain(tmp_path: Path, stack: ExitStack) -> None:
    hub = hub_folder_at(tmp_path / "hub")
    assert hub.order("add", BOARD) == 0
    given = tmp_path / "hub" / "boards" / BOARD
    section = (given / "chain.toml").read_text(encoding="utf-8").replace("/etc/quarto-pi/chain", str(given))
    chain = parse_config(section).chain
    print(section, chain)
    assert chain is not None
    with hub.running() as running:
        link = BrokerLink(BrokerAddress("127.0.0.1", chain.port, chain.tls, chain.ca), read_credentials(chain.credentials_file, chain.board), Will(presence_of(BOARD), b"offline"), say=print)
        board = PlayedBoard(tmp_path / "kept", chain.port, link=link)
        stack.callback(board.close)
        board.play(20)
        board.queue.wait_for(20, 3)
        board.close()
        assert SettledQueue(board.folder).length().actions == 0

"""A real PostgreSQL that goes away: nothing is said to be kept that is not, and all goes on when it is back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from quarto_pi.chain.topics import HUB_PRESENCE
from tests.hub.games import HISTORY, settled
from tests.hub.hubs import hub_folder_at
from tests.hub.postgres import PostgresServer

pytestmark = pytest.mark.slow


@pytest.fixture
def server(postgres: PostgresServer) -> Iterator[PostgresServer]:
    """A server that may be stopped: it is there again for the next test."""
    yield postgres
    if not postgres.is_there:
        postgres.start()


def test_while_the_database_is_away_boards_wait_and_afterwards_all_is_there(
    tmp_path: Path, server: PostgresServer
) -> None:
    told = settled()
    place = hub_folder_at(tmp_path / "hub", f'database = "{server.database()}"')
    assert place.order("add", "north-1") == 0
    with place.running() as hub, place.board("north-1") as board:
        board.tell(told[0])
        board.until(lambda: board.is_taken(HISTORY, 1, 1))
        server.stop()
        board.tell(told[1])
        # The hub's presence is taken away: boards wait.
        board.until(lambda: (HUB_PRESENCE, b"") in board.heard)
        for action in told[2:]:
            board.tell(action)
        place.heard.until(lambda: any("boards wait" in line for line in place.heard.said()))
        assert not board.is_taken(HISTORY, 1, 2)
        server.start()
        board.until(lambda: board.is_taken(HISTORY, 1, len(told)))
        place.heard.until(lambda: any("there again" in line for line in place.heard.said()))
        store = hub.store()
        game = store.game(("north-1", HISTORY, 1))
        store.close()
        presences = [payload for topic, payload in board.heard if topic == HUB_PRESENCE and payload]
    assert game is not None
    assert (game.reason, game.through) == ("call", len(told))
    assert len(set(presences)) == 1, "the database is the same, and so is the hub"


def test_a_hub_starts_without_its_database_and_waits_for_it(tmp_path: Path, server: PostgresServer) -> None:
    place = hub_folder_at(tmp_path / "hub", f'database = "{server.database()}"')
    assert place.order("add", "north-1") == 0
    server.stop()
    with place.running(), place.board("north-1") as board:
        assert any("without its database" in line for line in place.heard.said())
        server.start()
        board.until(lambda: any(topic == HUB_PRESENCE and payload for topic, payload in board.heard))


def test_an_order_without_the_database_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = hub_folder_at(tmp_path / "hub", 'database = "postgresql://hub@/chain?host=/nowhere"')
    assert place.order("boards") == 1
    said = capsys.readouterr().err.strip().splitlines()
    assert len(said) == 1
    assert "PostgreSQL is not reached" in said[0]

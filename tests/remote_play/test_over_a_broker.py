"""Two boards with their real clients at a real Mosquitto, killed in mid-game; the time of the tables is simulated."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from quarto_pi.chain.board_client import BoardClient
from quarto_pi.chain.credentials import Credentials
from quarto_pi.chain.link import BrokerAddress, BrokerLink, Will
from quarto_pi.chain.messages import BoardStatus, Doing
from quarto_pi.chain.topics import letters, presence_of, sender_of
from quarto_pi.wiring.chain import ChainPost
from tests.chain.broker import PASSWORD, TestBroker
from tests.remote_play.tables import TableWithPeople, TwoTables

pytestmark = pytest.mark.slow

GUARD_SECONDS = 120.0


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[TestBroker]:
    broker = TestBroker(tmp_path / "broker", "north", "south", "west")
    yield broker
    broker.stop()


def client_of(board: str, port: int, stack: ExitStack) -> BoardClient:
    """A board's real client."""
    link = BrokerLink(
        BrokerAddress("127.0.0.1", port, tls=False),
        Credentials(board, PASSWORD),
        Will(presence_of(board), b"offline"),
        chance=lambda: 0.0,
    )
    client = BoardClient(board, link, BoardStatus("1", "", Doing.WAITING))
    client.begin()
    stack.callback(client.close)
    return client


def listen(client: BoardClient, table: TableWithPeople) -> None:
    """Have what is written to a board reach its table, as the wiring does."""
    client.listen(
        letters("+", table.name), lambda topic, letter: table.seat.hear_letter(sender_of(topic) or "", letter)
    )


def at_a_broker(port: int, stack: ExitStack) -> TwoTables:
    """Two tables whose letters go over a broker."""
    tables = TwoTables(3)
    for table in tables.tables:
        client = client_of(table.name, port, stack)
        table.post_by(ChainPost(client))
        listen(client, table)
    return tables


def wait_until(tables: TwoTables, happened: Callable[[], bool], *, people: bool = True) -> None:
    """Let the tables go on, a little of their time for a little of ours, until something has happened."""
    until = time.monotonic() + GUARD_SECONDS
    while not happened():
        assert time.monotonic() < until, [table.prompt for table in tables.tables]
        tables.pass_time(200, people=people)
        time.sleep(0.005)


def is_over(tables: TwoTables) -> bool:
    return all(not table.state.is_match_open for table in tables.tables)


def is_agreed(tables: TwoTables) -> bool:
    return all(table.match is not None and table.match.is_agreed for table in tables.tables)


def begin(tables: TwoTables) -> None:
    wait_until(tables, lambda: all(table.box.is_open for table in tables.tables), people=False)
    # The line may be there before the tables have looked around for the first time.
    wait_until(tables, lambda: bool(tables.north.state.others and tables.north.state.others.free), people=False)
    tables.invite()
    wait_until(tables, lambda: tables.south.is_invited, people=False)
    tables.accept()
    wait_until(tables, lambda: all(table.state.is_match_open for table in tables.tables), people=False)


def test_a_game_is_played_over_a_real_broker(broker: TestBroker, stack: ExitStack) -> None:
    tables = at_a_broker(broker.port, stack)
    begin(tables)
    wait_until(tables, lambda: is_over(tables))
    wait_until(tables, lambda: is_agreed(tables))
    first, second = (table.match for table in tables.tables)
    assert first is not None
    assert second is not None
    assert first.log.head == second.log.head
    assert first.result == second.result


def test_a_game_goes_on_where_it_was_after_its_broker_was_killed(broker: TestBroker, stack: ExitStack) -> None:
    tables = at_a_broker(broker.port, stack)
    begin(tables)
    wait_until(tables, lambda: tables.north.match is not None and tables.north.match.count > 2)
    broker.kill()
    wait_until(tables, lambda: not any(table.box.is_open for table in tables.tables))
    before = max(table.match.count for table in tables.tables if table.match is not None)
    broker.start()
    wait_until(tables, lambda: is_over(tables))
    wait_until(tables, lambda: is_agreed(tables))
    first, second = (table.match for table in tables.tables)
    assert first is not None
    assert second is not None
    assert first.log.head == second.log.head
    assert first.count > before


def test_nobody_can_write_in_the_name_of_another_board(broker: TestBroker, stack: ExitStack) -> None:
    tables = at_a_broker(broker.port, stack)
    begin(tables)
    wait_until(tables, lambda: tables.south.match is not None and tables.south.match.count > 1)
    west = client_of("west", broker.port, stack)
    for _ in range(20):
        west.send(letters("north", "south"), b'{"v":1,"letter":"refuse","match":"' + _name(tables) + b'","why":"gone"}')
        west.send(letters("west", "south"), b'{"v":1,"letter":"refuse","match":"' + _name(tables) + b'","why":"gone"}')
    wait_until(tables, lambda: is_over(tables))
    wait_until(tables, lambda: is_agreed(tables))
    assert tables.south.match is not None
    assert not tables.south.match.other_left


def _name(tables: TwoTables) -> bytes:
    assert tables.south.match is not None
    return tables.south.match.name.encode()

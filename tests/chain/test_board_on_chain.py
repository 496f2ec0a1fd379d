"""A board's real client at a real broker: nothing settled is lost, nothing comes twice, whatever is cut."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from quarto_pi.chain.board_client import BoardClient
from quarto_pi.chain.credentials import Credentials
from quarto_pi.chain.link import BrokerAddress, BrokerLink, Will
from quarto_pi.chain.messages import BoardStatus, Doing, TakenThrough
from quarto_pi.chain.topics import presence_of
from quarto_pi.journal.queue import SettledQueue
from quarto_pi.journal.writer import OpenJournal, open_journal
from quarto_pi.referee import Begin, Save, Settings, Tell
from quarto_pi.rules import Given, Placed, Player
from quarto_pi.wiring.chain import JournalQueue
from tests.chain.broker import PASSWORD, TestBroker
from tests.chain.small_hub import SmallHub
from tests.rules.script import piece, play, square

pytestmark = pytest.mark.slow

GIVEN, PLACED = Given(piece("0"), Player.A), Placed(square("a1"), piece("0"), Player.B)
BOARD = "north-1"


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[TestBroker]:
    broker = TestBroker(tmp_path / "broker", BOARD, "north-2")
    yield broker
    broker.stop()


class PlayedBoard:
    """A board's journal and client, as the wiring puts them together; what is settled is made up."""

    def __init__(self, folder: Path, port: int, board: str = BOARD) -> None:
        self.folder = folder
        self._stack = ExitStack()
        self._journal: OpenJournal = open_journal(
            folder, Settings(), self._stack, is_on_chain=True, wall=lambda: 1_800_000_000.0
        )
        link = BrokerLink(
            BrokerAddress("127.0.0.1", port, tls=False),
            Credentials(board, PASSWORD),
            Will(presence_of(board), b"offline"),
            chance=lambda: 0.0,
        )
        self.client = BoardClient(board, link, BoardStatus("1", "", Doing.WAITING))
        self._journal.writer.settled = self.client.settled
        self.client.serve(JournalQueue(folder, self._journal.writer))
        self.client.begin()
        self._game = self._journal.remembered.before.number

    def play(self, games: int = 1) -> None:
        """Play games of three settled actions each; they are on the disk on return."""
        writer, ticket = self._journal.writer, None
        for _ in range(games):
            self._game += 1
            writer.keep((Begin(0, self._game, Player.A, Settings()),))
            writer.keep((Tell(0, GIVEN), Save(0, play("0"))))
            ticket = writer.keep((Tell(0, PLACED), Save(0, play("0 a1"))))
        while ticket is not None and not writer.is_safe(ticket):
            pass

    def close(self) -> None:
        self.client.close()
        self._stack.close()


def settled(board: PlayedBoard, stack: ExitStack) -> PlayedBoard:
    stack.callback(board.close)
    return board


def keys(hub: SmallHub, board: str = BOARD) -> list[tuple[int, int]]:
    return [(action.game, action.number) for action in hub.of(board)]


def expected(games: int) -> list[tuple[int, int]]:
    """Each game but the last ends as the next begins: begun, given, placed, result."""
    return [(game, number) for game in range(1, games + 1) for number in range(1, 5)][:-1]


def test_what_is_settled_reaches_the_hub_once_and_is_let_go(
    tmp_path: Path, broker: TestBroker, stack: ExitStack
) -> None:
    hub = SmallHub(broker.port).begin()
    stack.callback(hub.close)
    board = settled(PlayedBoard(tmp_path / "kept", broker.port), stack)
    board.play(10)
    hub.wait_for(lambda: len(hub.kept) == 39)
    assert keys(hub) == expected(10)
    assert not hub.wrong
    board.close()
    assert SettledQueue(board.folder).length().actions == 0


def test_nothing_is_sent_before_the_hub_is_there_and_all_of_it_then(
    tmp_path: Path, broker: TestBroker, stack: ExitStack
) -> None:
    board = settled(PlayedBoard(tmp_path / "kept", broker.port), stack)
    board.play(40)
    hub = SmallHub(broker.port).begin()
    stack.callback(hub.close)
    hub.wait_for(lambda: len(hub.kept) == 159)
    assert keys(hub) == expected(40)
    assert set(hub.deliveries.values()) == {1}


def test_broker_that_is_killed_in_the_flow_and_starts_empty_loses_nothing(
    tmp_path: Path, broker: TestBroker, stack: ExitStack
) -> None:
    rng = random.Random(1)
    hub = SmallHub(broker.port).begin()
    stack.callback(hub.close)
    board = settled(PlayedBoard(tmp_path / "kept", broker.port), stack)
    games = 0
    for _ in range(3):
        board.play(30)
        games += 30
        enough = len(hub.kept) + rng.randrange(1, 60)
        hub.wait_for(lambda enough=enough: len(hub.kept) >= enough)  # type: ignore[misc] # bound at once
        broker.kill()
        board.play(5)
        games += 5
        broker.start()
    hub.wait_for(lambda: len(hub.kept) == 4 * games - 1)
    assert keys(hub) == expected(games)
    assert not hub.wrong


def test_hub_with_another_memory_is_told_what_is_still_there(
    tmp_path: Path, broker: TestBroker, stack: ExitStack
) -> None:
    hub = SmallHub(broker.port, mute=True).begin()
    stack.callback(hub.close)
    board = settled(PlayedBoard(tmp_path / "kept", broker.port), stack)
    board.play(3)
    hub.wait_for(lambda: len(hub.kept) == 11)
    hub.mute = False
    hub.forget("two")
    hub.wait_for(lambda: len(hub.kept) == 11 and min(hub.deliveries.values()) == 2)
    board.close()
    assert SettledQueue(board.folder).length().actions == 0


def test_words_of_the_hub_that_come_late_or_twice_or_say_too_much_end_nothing_else(
    tmp_path: Path, broker: TestBroker, stack: ExitStack
) -> None:
    hub = SmallHub(broker.port, mute=True).begin()
    stack.callback(hub.close)
    board = settled(PlayedBoard(tmp_path / "kept", broker.port), stack)
    board.play(2)
    hub.wait_for(lambda: len(hub.kept) == 7)
    history = SettledQueue(board.folder).history()
    for word in (
        TakenThrough(history, ((1, 3),)),
        TakenThrough(history, ((1, 2),)),
        TakenThrough(history, ((1, 1),)),
        TakenThrough(history, ((9, 9),)),
        TakenThrough("another", ((1, 4), (2, 3))),
    ):
        hub.say(BOARD, word)
    board.play(1)
    hub.wait_for(lambda: len(hub.kept) == 11)
    board.close()
    rows = SettledQueue(board.folder).after(history, 0, 0, 100)
    assert [(row.game, row.number) for row in rows] == expected(3)[3:]


def test_what_the_hub_misses_is_sent_again(tmp_path: Path, broker: TestBroker, stack: ExitStack) -> None:
    hub = SmallHub(broker.port, mute=True).begin()
    stack.callback(hub.close)
    board = settled(PlayedBoard(tmp_path / "kept", broker.port), stack)
    board.play(1)
    hub.wait_for(lambda: len(hub.kept) == 3)
    history = SettledQueue(board.folder).history()
    hub.say(BOARD, TakenThrough(history, (), ((1, 2),)))
    hub.wait_for(lambda: sorted(hub.deliveries.values()) == [1, 2, 2])


def test_board_says_that_it_is_there_and_that_it_goes(tmp_path: Path, broker: TestBroker, stack: ExitStack) -> None:
    hub = SmallHub(broker.port).begin()
    stack.callback(hub.close)
    board = settled(PlayedBoard(tmp_path / "kept", broker.port), stack)
    hub.wait_for(lambda: BOARD in hub.states)
    board.client.show(BoardStatus("1", "", Doing.PLAYING, game=3, seats=("person", "computer 3")))
    hub.wait_for(lambda: hub.states[BOARD][-1].doing is Doing.PLAYING)
    assert hub.states[BOARD][-1].history == SettledQueue(board.folder).history()
    board.close()
    hub.wait_for(lambda: hub.present[BOARD][-1] == b"offline")
    assert hub.present[BOARD] == [b"online", b"offline"]


def test_broker_that_starts_empty_has_state_and_presence_again_at_once(
    tmp_path: Path, broker: TestBroker, stack: ExitStack
) -> None:
    settled(PlayedBoard(tmp_path / "kept", broker.port), stack)
    broker.kill()
    broker.start()
    hub = SmallHub(broker.port).begin()
    stack.callback(hub.close)
    hub.wait_for(lambda: BOARD in hub.states and hub.present.get(BOARD, [b""])[-1] == b"online")

"""A board's real client at a real broker: nothing settled is lost, nothing comes twice, whatever is cut."""

from __future__ import annotations

import json
import random
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from queue import SimpleQueue
from threading import Condition, Event

import pytest

from quarto_pi.chain.board_client import BoardClient
from quarto_pi.chain.credentials import Credentials
from quarto_pi.chain.discovery import HOME_STATUS, discovery_of, home_event_of, home_state_of
from quarto_pi.chain.link import BrokerAddress, BrokerLink, HeardMessage, LinkCondition, Will
from quarto_pi.chain.messages import BoardStatus, Doing, SettledAction, TakenThrough
from quarto_pi.chain.topics import presence_of
from quarto_pi.journal.journal import JOURNAL_FILE
from quarto_pi.journal.queue import SettledQueue
from quarto_pi.journal.writer import JournalWriter, OpenJournal, open_journal
from quarto_pi.referee import Begin, Save, Settings, Tell
from quarto_pi.rules import Given, Placed, Player
from quarto_pi.wiring.chain import JournalQueue
from tests.chain.broker import PASSWORD, TestBroker
from tests.chain.small_hub import GUARD_SECONDS, SmallHub
from tests.forked import ForkedProcess
from tests.rules.script import piece, play, square

pytestmark = pytest.mark.slow

GIVEN, PLACED = Given(piece("0"), Player.A), Placed(square("a1"), piece("0"), Player.B)
BOARD = "north-1"
PLAYING = "tests.chain.playing"


class ListenedQueue(JournalQueue):
    """A board's queue, which knows what it was told to forget."""

    def __init__(self, folder: Path, writer: JournalWriter) -> None:
        super().__init__(folder, writer)
        self._forgotten: set[tuple[int, int]] = set()
        self._changed = Condition()
        self.looks = 0

    def histories(self) -> Sequence[str]:
        self.looks += 1
        return super().histories()

    def after(self, history: str, game: int, number: int, most: int) -> Sequence[SettledAction]:
        self.looks += 1
        return super().after(history, game, number, most)

    def forget(self, history: str, through: Sequence[tuple[int, int]]) -> None:
        super().forget(history, through)
        with self._changed:
            self._forgotten |= set(through)
            self._changed.notify_all()

    def wait_for(self, game: int, number: int) -> None:
        with self._changed:
            assert self._changed.wait_for(lambda: (game, number) in self._forgotten, GUARD_SECONDS), self._forgotten


class PlayedBoard:
    """A board's journal and client, as the wiring puts them together; what is settled is made up."""

    def __init__(
        self,
        folder: Path,
        port: int,
        board: str = BOARD,
        link: BrokerLink | None = None,
        *,
        say: Callable[[str], None] = lambda _: None,
        queue: type[ListenedQueue] = ListenedQueue,
    ) -> None:
        self.folder = folder
        self._stack = ExitStack()
        self._journal: OpenJournal = open_journal(
            folder, Settings(), self._stack, is_on_chain=True, wall=lambda: 1_800_000_000.0
        )
        link = link or BrokerLink(
            BrokerAddress("127.0.0.1", port, tls=False),
            Credentials(board, PASSWORD),
            Will(presence_of(board), b"offline"),
            say=say,
            chance=lambda: 0.0,
        )
        self.client = BoardClient(board, link, BoardStatus("1", "", Doing.WAITING))
        self._journal.writer.settled = self.client.settled
        self.queue = queue(folder, self._journal.writer)
        self.client.serve(self.queue)
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
    board.queue.wait_for(10, 3)
    board.close()
    assert SettledQueue(board.folder).length().actions == 0


def test_journal_is_looked_into_twice_for_what_is_settled_and_not_for_every_word(
    tmp_path: Path, broker: TestBroker, stack: ExitStack
) -> None:
    hub = SmallHub(broker.port).begin()
    stack.callback(hub.close)
    board = settled(PlayedBoard(tmp_path / "kept", broker.port), stack)
    board.play()
    board.queue.wait_for(1, 3)
    before = board.queue.looks
    for game in range(2, 12):
        board.play()
        board.queue.wait_for(game, 3)
    # A game here is written in two entries at most, and each is looked for as a whole: which histories, which actions.
    assert board.queue.looks - before <= 2 * 2 * 10


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
        enough = len(hub.kept) + rng.randrange(1, 60)
        board.play(30)
        games += 30
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
    board.queue.wait_for(3, 3)
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
    board.queue.wait_for(1, 3)
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


# --- more that goes wrong ---------------------------------------------------------------------------------------------


def test_message_that_nobody_has_subscribed_to_is_sent_again(
    tmp_path: Path, broker: TestBroker, stack: ExitStack
) -> None:
    # Somebody says that the hub is there before it has subscribed: every action is answered with 0x10.
    early = SmallHub(broker.port)
    early.listens = False
    stack.callback(early.begin().close)
    board = settled(PlayedBoard(tmp_path / "kept", broker.port), stack)
    answers: list[int] = []
    published = board.client.published

    def note(mid: int, code: int, now: float) -> None:
        answers.append(code)
        published(mid, code, now)

    board.client.published = note  # type: ignore[method-assign] # to know what the broker answers
    board.play(2)
    early.wait_for(lambda: 0x10 in answers, watched=False)
    early.subscribe()
    early.wait_for(lambda: len(early.kept) == 7)
    assert keys(early) == expected(2)


def test_broker_that_takes_few_messages_at_a_time_is_not_sent_more(tmp_path: Path, stack: ExitStack) -> None:
    broker = TestBroker(tmp_path / "broker", BOARD)
    stack.callback(broker.stop)
    config = tmp_path / "broker" / "config"
    config.write_text(config.read_text(encoding="ascii").replace("messages 1000", "messages 10"), encoding="ascii")
    broker.kill()
    broker.start()
    hub = SmallHub(broker.port).begin()
    stack.callback(hub.close)
    board = settled(PlayedBoard(tmp_path / "kept", broker.port), stack)
    board.play(30)
    hub.wait_for(lambda: len(hub.kept) == 119)
    assert set(hub.deliveries.values()) == {1}


@pytest.mark.parametrize("seed", range(3))
def test_board_that_is_killed_at_any_point_tells_what_its_journal_has(
    tmp_path: Path, broker: TestBroker, stack: ExitStack, seed: int
) -> None:
    rng = random.Random(seed)
    hub = SmallHub(broker.port).begin()
    stack.callback(hub.close)
    folder = tmp_path / "kept"
    for _ in range(4):
        before = len(hub.kept)
        process = ForkedProcess(PLAYING, str(folder), str(broker.port), BOARD)
        enough = before + rng.randrange(1, 80)
        hub.wait_for(lambda enough=enough: len(hub.kept) >= enough)  # type: ignore[misc] # bound at once
        process.kill()
        process.wait(GUARD_SECONDS)
        process.close()
    board = settled(PlayedBoard(folder, broker.port), stack)
    board.play(1)
    with closing(sqlite3.connect(folder / JOURNAL_FILE)) as journal:
        (games,) = journal.execute("SELECT max(number) FROM games").fetchone()
    hub.wait_for(lambda: keys(hub)[-1:] == [(games, 3)] and len(keys(hub)) == len(set(keys(hub))))
    hub.wait_for(lambda: not without_gap(keys(hub)))
    assert not hub.wrong


def without_gap(found: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The numbers that are missing before ones that are there."""
    last: dict[int, int] = {}
    for game, number in found:
        last[game] = max(number, last.get(game, 0))
    return sorted({(game, each) for game, most in last.items() for each in range(1, most + 1)} - set(found))


def test_two_boards_with_one_name_alternate_and_each_tells_its_own_history(
    tmp_path: Path, broker: TestBroker, stack: ExitStack
) -> None:
    hub = SmallHub(broker.port).begin()
    stack.callback(hub.close)
    boards = [settled(PlayedBoard(tmp_path / name, broker.port), stack) for name in ("first", "second")]
    for board in boards:
        board.play(3)
    hub.wait_for(lambda: len(hub.kept) == 22)
    histories = {action.history for action in hub.of(BOARD)}
    assert histories == {SettledQueue(board.folder).history() for board in boards}
    assert not hub.wrong


def test_what_the_hub_misses_and_the_board_has_lost_is_filled(
    tmp_path: Path, broker: TestBroker, stack: ExitStack
) -> None:
    folder = tmp_path / "kept"
    with ExitStack() as first:
        journal = open_journal(folder, Settings(), first, is_on_chain=True, at_once=True)
        journal.writer.keep((Begin(0, 1, Player.A, Settings()), Tell(0, GIVEN), Save(0, play("0"))))
        journal.writer.keep((Tell(0, PLACED), Save(0, play("0 a1"))))
    with closing(sqlite3.connect(folder / JOURNAL_FILE)) as connection, connection:
        connection.execute("DELETE FROM settled WHERE number = 2")
    hub = SmallHub(broker.port).begin()
    stack.callback(hub.close)
    settled(PlayedBoard(folder, broker.port), stack)
    hub.wait_for(lambda: len(hub.kept) == 3)
    assert [action.event["event"] for action in hub.of(BOARD)] == ["begun", "lost", "placed"]


def test_board_without_a_word_is_said_to_be_away(tmp_path: Path, broker: TestBroker, stack: ExitStack) -> None:
    hub = SmallHub(broker.port).begin()
    stack.callback(hub.close)
    process = ForkedProcess(PLAYING, str(tmp_path / "kept"), str(broker.port), BOARD)
    hub.wait_for(lambda: b"online" in hub.present.get(BOARD, []))
    process.kill()
    process.wait(GUARD_SECONDS)
    process.close()
    hub.wait_for(lambda: hub.present[BOARD][-1] == b"offline")


def test_broker_is_believed_by_its_certificate_alone(tmp_path: Path, stack: ExitStack) -> None:
    broker = TestBroker(tmp_path / "broker", BOARD, tls=True)
    stack.callback(broker.stop)
    for ca, believed in ((broker.ca, True), ("", False)):
        conditions: SimpleQueue[LinkCondition] = SimpleQueue()
        link = BrokerLink(
            BrokerAddress("127.0.0.1", broker.port, ca=ca),
            Credentials(BOARD, PASSWORD),
            Will(presence_of(BOARD), b"offline"),
        )
        client = BoardClient(BOARD, link, BoardStatus("1", "", Doing.WAITING))
        link.changed = conditions.put
        client.begin()
        condition = conditions.get(timeout=GUARD_SECONDS)
        client.close()
        assert condition.connected is believed
        assert believed or "a certificate that is not to be believed" in condition.why


def test_credentials_that_do_not_count_are_told_and_tried_again(broker: TestBroker, stack: ExitStack) -> None:
    said: list[str] = []
    told = Event()

    def say(sentence: str) -> None:
        said.append(sentence)
        told.set()

    link = BrokerLink(
        BrokerAddress("127.0.0.1", broker.port, tls=False),
        Credentials("stranger", PASSWORD),
        Will(presence_of("stranger"), b"offline"),
        say=say,
    )
    client = BoardClient("stranger", link, BoardStatus("1", "", Doing.WAITING))
    stack.callback(client.close)
    client.begin()
    assert told.wait(60)
    assert "refuses stranger: its credentials do not count there" in said[0]
    assert PASSWORD not in said[0]


def test_home_assistant_finds_the_board_again_whenever_it_starts(broker: TestBroker, stack: ExitStack) -> None:
    home = Home(broker.port)
    stack.callback(home.begin().close)
    link = BrokerLink(
        BrokerAddress("127.0.0.1", broker.port, tls=False),
        Credentials(BOARD, PASSWORD),
        Will(presence_of(BOARD), b"offline"),
    )
    client = BoardClient(BOARD, link, BoardStatus("1", "", Doing.WAITING), home_assistant=True)
    stack.callback(client.close)
    client.begin()
    home.wait_for(discovery_of(BOARD), 1)
    home.wait_for(home_state_of(BOARD), 1)
    home.say(HOME_STATUS, b"online")
    home.wait_for(discovery_of(BOARD), 2)
    client.show(BoardStatus("1", "", Doing.PLAYING))
    home.wait_for(home_state_of(BOARD), 2)
    assert json.loads(home.heard_on[home_state_of(BOARD)][-1]) == {
        "doing": "playing",
        "playing": "ON",
        "health": "ok",
        "problems": [],
    }
    client.call_quarto()
    home.wait_for(home_event_of(BOARD), 1)
    assert home.heard_on[home_event_of(BOARD)] == [b'{"event_type":"quarto"}']
    config = json.loads(home.heard_on[discovery_of(BOARD)][-1])
    assert {"dev", "o", "cmps"} <= set(config)
    assert {part["p"] for part in config["cmps"].values()} == {"sensor", "binary_sensor", "event"}
    assert config["availability_topic"] == presence_of(BOARD)


class Home:
    """Home Assistant, as far as it hears and speaks."""

    def __init__(self, port: int) -> None:
        self.heard_on: dict[str, list[bytes]] = {}
        self._changed = Condition()
        self._link = BrokerLink(
            BrokerAddress("127.0.0.1", port, tls=False), Credentials("home", PASSWORD), Will("home/away", b"")
        )

    def begin(self) -> Home:
        self._link.begin(self)
        return self

    def close(self) -> None:
        self._link.close()

    def say(self, topic: str, payload: bytes) -> None:
        def work() -> None:
            self._link.publish(topic, payload)

        self._link.post(work)

    def wait_for(self, topic: str, count: int) -> None:
        with self._changed:
            heard = self._changed.wait_for(lambda: len(self.heard_on.get(topic, [])) >= count, GUARD_SECONDS)
            assert heard, self.heard_on

    def connected(self, now: float) -> None:
        del now
        self._link.subscribe(["homeassistant/#", "quarto/#"])

    def disconnected(self, now: float) -> None:
        del now

    def published(self, mid: int, code: int, now: float) -> None:
        del mid, code, now

    def subscribed(self, now: float) -> None:
        del now

    def leaving(self, now: float) -> None:
        del now

    def woken(self, now: float) -> float:
        return now + 60.0

    def heard(self, message: HeardMessage, now: float) -> None:
        del now
        with self._changed:
            self.heard_on.setdefault(message.topic, []).append(message.payload)
            self._changed.notify_all()

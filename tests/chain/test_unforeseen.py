"""Errors that nobody foresaw in a board's chain: told once, tried again, and nothing settled is lost by them."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

import paho.mqtt.client as mqtt
import pytest

from quarto_pi.chain import unforeseen
from quarto_pi.chain.board_client import ChainCondition
from quarto_pi.chain.messages import SettledAction
from quarto_pi.chain.unforeseen import OVER_AFTER_SECONDS, Pauses, UnforeseenErrors
from quarto_pi.controller.other_boards import OtherBoardsSeat
from quarto_pi.journal import settled as settled_tables
from quarto_pi.journal.queue import SettledQueue
from quarto_pi.journal.records import TakenRow
from quarto_pi.journal.writer import open_journal
from quarto_pi.referee import Begin, Save, Settings, Tell
from quarto_pi.rules import Player
from quarto_pi.wiring.chain import Surveyed
from tests.chain.broker import TestBroker
from tests.chain.small_hub import SmallHub
from tests.chain.test_board_on_chain import BOARD, GIVEN, ListenedQueue, PlayedBoard, expected, keys
from tests.rules.script import play


def _raised(error: Exception) -> Exception:
    try:
        raise error
    except Exception as raised:  # noqa: BLE001 - with where it was raised
        return raised


def test_an_error_is_told_once_until_it_has_not_come_for_a_while() -> None:
    said: list[str] = []
    errors = UnforeseenErrors(said.append)
    again = _raised(KeyError("number"))
    for now in (0.0, 1.0, 2.0, OVER_AFTER_SECONDS):
        errors.note("sending actions", again, now)
    assert len(said) == 1
    assert "sending actions: KeyError in test_unforeseen.py" in said[0]
    errors.note("sending actions", _raised(ValueError("of no use")), 3.0)
    assert len(said) == 2
    errors.note("sending actions", again, 3 * OVER_AFTER_SECONDS)
    assert len(said) == 3


def test_an_error_is_over_when_it_has_not_come_for_a_while() -> None:
    errors = UnforeseenErrors(lambda _: None)
    assert errors.newest(0.0) == ""
    errors.note("sending actions", _raised(KeyError("secret")), 5.0)
    assert errors.newest(5.0).startswith("KeyError in test_unforeseen.py, line ")
    assert "secret" not in errors.newest(5.0), "what leaves the board says nothing of what was dealt with"
    assert errors.newest(5.0 + OVER_AFTER_SECONDS) == ""


def test_what_fails_is_tried_less_and_less_often_until_it_works() -> None:
    pauses, waited = Pauses(), []
    for _ in range(12):
        pauses.failed(100.0)
        waited.append(pauses.until - 100.0)
    assert waited == [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300]
    pauses.worked()
    assert pauses.until == 0.0
    pauses.failed(7.0)
    assert pauses.until == 8.0


def test_an_error_of_the_chain_is_an_ailment_of_the_board() -> None:
    surveyed = Surveyed()
    assert surveyed.ailments() == ()
    surveyed.chain = lambda: "KeyError in queue.py, line 7"
    [ailment] = surveyed.ailments()
    assert (ailment.device, ailment.detail) == ("chain", "an error that nobody foresaw: KeyError in queue.py, line 7")


def test_a_letter_that_nobody_foresaw_ends_no_evening(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> object:
        raise TypeError("'NoneType' object is not subscriptable")

    said: list[str] = []
    seat = OtherBoardsSeat("north", _NoPost(), lambda: "0" * 32, say=said.append)
    monkeypatch.setattr("quarto_pi.controller.other_boards.correspond", fails)
    for _ in range(3):
        seat._take_letter("south", b"{}", 0)
    assert len(said) == 1
    assert "reading another board's letter: TypeError" in said[0]


class _NoPost:
    is_open = False

    def post(self, to: str, letter: bytes) -> None:
        raise AssertionError((to, letter))


@pytest.mark.parametrize(
    "error", [ValueError("of no use"), TimeoutError("timed out"), sqlite3.DatabaseError("malformed")], ids=repr
)
def test_what_cannot_be_deleted_keeps_no_game_from_being_kept(
    error: Exception, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise error

    said: list[str] = []
    with ExitStack() as stack:
        writer = open_journal(tmp_path, Settings(), stack, at_once=True, is_on_chain=True, say=said.append).writer
        writer.keep((Begin(0, 1, Player.A, Settings()),))
        history = SettledQueue(tmp_path).history()
        take_out = settled_tables.take_out
        monkeypatch.setattr(settled_tables, "take_out", lambda base, taken: fails() if taken else take_out(base, taken))
        writer.forget([TakenRow(history, 1, 1)])
        ticket = writer.keep((Tell(0, GIVEN), Save(0, play("0"))))
        assert ticket is not None
        assert writer.is_safe(ticket)
        assert writer.trouble is None
    assert SettledQueue(tmp_path).length().actions == 2
    assert any("could not be deleted" in line for line in said)


# --- At a real broker -------------------------------------------------------------------------------------------------


class BrokenQueue(ListenedQueue):
    """A queue that cannot be read while it is broken."""

    is_broken = True
    tried = 0

    def after(self, history: str, game: int, number: int, most: int) -> Sequence[SettledAction]:
        if self.is_broken:
            self.tried += 1
            raise sqlite3.ProgrammingError("Cannot operate on a closed database.")
        return super().after(history, game, number, most)


@pytest.mark.slow
def test_a_queue_that_cannot_be_read_is_told_once_and_sent_when_it_can(
    tmp_path: Path, broker: TestBroker, stack: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unforeseen, "FIRST_PAUSE_SECONDS", 0.05)
    said: list[str] = []
    hub = SmallHub(broker.port).begin()
    stack.callback(hub.close)
    board = PlayedBoard(tmp_path / "kept", broker.port, say=said.append, queue=BrokenQueue)
    stack.callback(board.close)
    queue = board.queue
    assert isinstance(queue, BrokenQueue)
    board.play(3)
    hub.wait_for(lambda: queue.tried > 2, watched=False)
    # It goes on saying that it is there, what it does, and that something is the matter.
    hub.wait_for(lambda: BOARD in hub.states)
    condition = board.client.condition
    assert condition.trouble.startswith("ProgrammingError in board_client.py, line ")
    assert condition == ChainCondition(True, True, "", condition.trouble)
    queue.is_broken = False
    hub.wait_for(lambda: len(hub.kept) == 11)
    assert keys(hub) == expected(3)
    assert sum("foresaw" in line for line in said) == 1


@pytest.mark.slow
def test_a_message_that_nobody_foresaw_and_that_is_retained_keeps_nothing_from_being_sent(
    tmp_path: Path, broker: TestBroker, stack: ExitStack
) -> None:
    def fails(topic: str, payload: bytes) -> None:
        raise RecursionError(f"{topic} {payload!r}")

    said: list[str] = []
    hub = SmallHub(broker.port).begin()
    stack.callback(hub.close)
    board = PlayedBoard(tmp_path / "kept", broker.port, say=said.append)
    stack.callback(board.close)
    board.client.listen(f"quarto/{BOARD}/in/tournament", fails)
    hub.announce(BOARD, b"{}")
    hub.wait_for(lambda: any("RecursionError" in line for line in said), watched=False)
    board.play(10)
    broker.kill()
    broker.start()
    board.play(10)
    hub.wait_for(lambda: len(hub.kept) == 79)
    assert keys(hub) == expected(20)
    assert sum("RecursionError" in line for line in said) == 1


@pytest.mark.slow
@pytest.mark.parametrize("call", ["loop_read", "loop_misc", "publish", "is_connected", "subscribe", "disconnect"])
def test_paho_that_fails_once_is_connected_again_and_nothing_is_lost(
    call: str, tmp_path: Path, broker: TestBroker, stack: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    hub = SmallHub(broker.port).begin()
    stack.callback(hub.close)
    board = PlayedBoard(tmp_path / "kept", broker.port, say=said.append)
    stack.callback(board.close)
    board.play(5)
    hub.wait_for(lambda: len(hub.kept) == 19)
    real = getattr(mqtt.Client, call)
    failed: list[str] = []

    def once(client: mqtt.Client, *arguments: object, **named: object) -> object:
        if client._client_id == BOARD.encode() and not failed:
            failed.append(call)
            raise AttributeError("'NoneType' object has no attribute 'join'")
        return real(client, *arguments, **named)

    monkeypatch.setattr(mqtt.Client, call, once)
    if call in ("subscribe", "disconnect"):
        board.client._link.renew()
    board.play(5)
    hub.wait_for(lambda: bool(failed) and len(hub.kept) == 39, watched=False)
    assert keys(hub) == expected(10)
    assert not hub.wrong

"""Errors that nobody foresaw in the hub: one board's message is set aside, and everything else goes on."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from quarto_pi.hub import replaying, running
from quarto_pi.hub.alarms import HOLD_SECONDS, AlarmKind, Cause
from quarto_pi.hub.connection import LineSettings
from quarto_pi.hub.flow import FIRST_ASIDE_SECONDS, LONGEST_ASIDE_SECONDS, SetAside
from quarto_pi.hub.intake import LOOKS_AFTER, Intake
from quarto_pi.hub.settings import HubSettings
from quarto_pi.hub.sqlite import SqliteDatabase, open_sqlite
from quarto_pi.hub.store import HubStore, KeptActions, ReceivedAction, StoreAway, open_store
from quarto_pi.hub.watch import Watch
from quarto_pi.hub.watching import Watching
from tests.hub.games import HISTORY, received, settled
from tests.hub.hubs import HubFolder
from tests.hub.page_of_hub import Clock


class WrongStore:
    """A hub's database that trips over what `is_wrong` finds wrong."""

    def __init__(self, store: HubStore, is_wrong: Callable[[ReceivedAction], bool]) -> None:
        self._store, self._is_wrong = store, is_wrong

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the real one has
        return getattr(self._store, name)

    def keep(self, received: Sequence[ReceivedAction]) -> list[KeptActions]:
        if any(map(self._is_wrong, received)):
            raise TypeError("'NoneType' object is not subscriptable")
        return self._store.keep(received)


@contextmanager
def tripping(
    monkeypatch: pytest.MonkeyPatch, is_wrong: Callable[[ReceivedAction], bool], kind: type[WrongStore] = WrongStore
) -> Iterator[None]:
    """Every database that the hub opens within trips."""

    def opened(folder: Path, settings: HubSettings) -> HubStore:
        store: Any = kind(open_store(folder, settings), is_wrong)
        found: HubStore = store
        return found

    with monkeypatch.context() as patch:
        patch.setattr(running, "open_store", opened)
        yield


@pytest.mark.slow
def test_an_action_that_cannot_be_kept_is_set_aside_and_all_others_are_kept(
    place: HubFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert place.order("add", "south-1") == 0
    told, wrong = settled(), [("north-1", 3)]

    def is_wrong(each: ReceivedAction) -> bool:
        return (each.board, each.action.number) in wrong

    with (
        tripping(monkeypatch, is_wrong),
        place.running() as hub,
        place.board("north-1") as north,
        place.board("south-1") as south,
    ):
        for action in told:
            north.tell(action)
            south.tell(action)
        south.until(lambda: south.is_taken(HISTORY, 1, len(told)))
        north.until(lambda: north.is_taken(HISTORY, 1, 2))
        place.heard.until(lambda: any(call[0] == "unforeseen" for call in place.heard.calls))
        assert not north.is_taken(HISTORY, 1, 3)
        assert not hub.failed.is_set()
        # Its board sends it again, until somebody has mended the hub.
        wrong.clear()
        hub.intake._aside.take_back(("north-1", HISTORY, 1, 3))
        for action in told:
            north.tell(action)
        north.until(lambda: north.is_taken(HISTORY, 1, len(told)))
    boards = {call[1] for call in place.heard.calls if call[0] == "unforeseen"}
    assert boards == {"north-1"}
    assert sum("TypeError" in line for line in place.heard.said()) == 1


class FullStore(WrongStore):
    """A hub's database that can be opened, and takes nothing."""

    def try_writing(self) -> None:
        if self._is_wrong(FULL):
            raise StoreAway("the database or disk is full.")
        self._store.try_writing()

    def keep(self, received: Sequence[ReceivedAction]) -> list[KeptActions]:
        self.try_writing()
        return self._store.keep(received)


FULL = received("north-1", settled())[0]


@pytest.mark.slow
def test_a_database_that_opens_and_takes_nothing_is_told_of_once(
    place: HubFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    told, tried = settled(), list[ReceivedAction]()
    full = Event()

    def is_full(each: ReceivedAction) -> bool:
        tried.append(each)
        return full.is_set()

    with tripping(monkeypatch, is_full, FullStore), place.running() as hub, place.board("north-1") as board:
        board.tell(told[0])
        board.until(lambda: board.is_taken(HISTORY, 1, 1))
        hub.intake._retry_after = 0.05
        full.set()
        tried.clear()
        board.tell(told[1])
        place.heard.until(lambda: len(tried) > 3)
        assert not board.is_taken(HISTORY, 1, 2)
        full.clear()
        board.until(lambda: board.is_taken(HISTORY, 1, 2))
    said = place.heard.said()
    assert sum("keeps nothing at present, and boards wait: the database or disk is full." in line for line in said) == 1
    assert sum("there again" in line for line in said) == 1


def test_a_hub_whose_database_is_away_does_nothing_until_it_tries_again(tmp_path: Path) -> None:
    is_away, now = False, 1_000.0

    def opened() -> HubStore:
        if is_away:
            raise StoreAway("the database does not answer.")
        return open_sqlite(tmp_path / "hub.sqlite")

    intake = Intake(LineSettings("127.0.0.1", 1, "hub", "", is_encrypted=False), opened, lambda _: None)
    intake._steady = lambda: now
    intake._turn()
    assert intake.counts.away == 0
    is_away, now = True, now + 10 * LOOKS_AFTER
    intake._away("the database does not answer.", now)
    assert intake._patience() == 1.0
    now += 0.75
    assert intake._patience() == 0.25
    now += 0.25
    intake._turn()
    assert (intake.counts.away, intake._patience()) == (2, 1.0)


@pytest.mark.slow
def test_who_shows_what_boards_do_and_fails_at_it_keeps_nothing_from_being_kept(
    place: HubFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise KeyError("board")

    told = settled()
    for name in ("presence", "status", "settled"):
        monkeypatch.setattr(place.heard.__class__, name, fails)
    with place.running(), place.board("north-1") as board:
        board.publish("quarto/north-1/presence", b"online", retain=True)
        for action in told:
            board.tell(action)
        board.until(lambda: board.is_taken(HISTORY, 1, len(told)))
    lines = [line for line in place.heard.said() if "KeyError" in line]
    assert lines
    assert len(set(lines)) == len(lines)


@pytest.mark.slow
def test_a_turn_that_fails_is_followed_by_another_one(place: HubFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    told = settled()
    failed: list[object] = []
    with place.running() as hub, place.board("north-1") as board:
        real = hub.intake._sort

        def once(happened: Any) -> None:  # noqa: ANN401 - whatever has happened
            if not failed:
                failed.append(happened)
                raise RuntimeError("dictionary changed size during iteration")
            real(happened)

        monkeypatch.setattr(hub.intake, "_sort", once)
        for action in told:
            board.tell(action)
        place.heard.until(lambda: any("RuntimeError" in line for line in place.heard.said()))
        # The line is made anew; boards send again what they have not heard of.
        place.heard.until(lambda: place.heard.calls.count(("link", True)) == 2)
        for action in told:
            board.tell(action)
        board.until(lambda: board.is_taken(HISTORY, 1, len(told)))


def test_an_action_is_set_aside_longer_each_time() -> None:
    aside, key = SetAside(), ("north-1", HISTORY, 1, 3)
    assert not aside.is_left(key, 0.0)
    waits, now = [], 0.0
    for _ in range(9):
        aside.put(key, now)
        wait = next(seconds for seconds in range(2_000) if not aside.is_left(key, now + seconds))
        waits.append(wait)
        now += wait
    assert waits[0] == FIRST_ASIDE_SECONDS
    assert waits[1] == 2 * FIRST_ASIDE_SECONDS
    assert waits[-1] == LONGEST_ASIDE_SECONDS
    aside.take_back(key)
    assert not aside.is_left(key, now)
    assert len(aside) == 0


def test_an_error_in_the_replay_marks_the_game_and_the_action_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise ZeroDivisionError("division by zero")

    store = open_sqlite(tmp_path / "hub.sqlite")
    told = received("north-1", settled())
    store.keep(told[:3])
    monkeypatch.setattr(replaying, "_played", fails)
    [kept] = store.keep(told[3:])
    assert kept.through == ((1, len(told)),)
    game = store.game(("north-1", HISTORY, 1))
    assert game is not None
    assert "an error that nobody foresaw (ZeroDivisionError in replaying.py" in (game.fault or "")
    assert len(store.actions(("north-1", HISTORY, 1))) == len(told)
    store.close()


def test_nothing_becomes_a_part_of_what_could_not_be_rolled_back(tmp_path: Path) -> None:
    database = SqliteDatabase(tmp_path / "hub.sqlite")
    database.run("CREATE TABLE kept (number INTEGER)")
    # As it is left where the disk refuses a ROLLBACK as well.
    database.run("BEGIN IMMEDIATE")
    with pytest.raises(StoreAway), database.transaction():
        database.run("INSERT INTO kept VALUES (1)")
    database.close()
    with closing(sqlite3.connect(tmp_path / "hub.sqlite")) as base:
        assert base.execute("SELECT * FROM kept").fetchall() == []


def test_a_look_that_fails_is_an_alarm_and_followed_by_another_one(tmp_path: Path) -> None:
    clock, said = Clock(), list[str]()
    watch = Watch([], clock)
    watching = Watching(watch, lambda: open_sqlite(tmp_path / "hub.sqlite"), said.append, clock)

    def fails(_: HubStore) -> None:
        raise IndexError("tuple index out of range")

    watch.link(True)
    watching.look_beside(fails)
    for _ in range(3):
        watching.look()
        clock.now += HOLD_SECONDS
    watching.close()
    assert sum("IndexError" in line and "please report it" in line for line in said) == 1
    assert [alarm.cause for alarm in watch.alarms()] == [Cause(AlarmKind.ILL, "", "hub")]
    store = open_sqlite(tmp_path / "hub.sqlite")
    assert [alarm.cause.device for alarm in store.watched.alarms_on()] == ["hub"]
    store.close()

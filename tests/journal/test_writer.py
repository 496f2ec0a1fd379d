"""The writer above a storage that is slow, hangs or is out of order: when something is safe, tried again, backed up."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from threading import Event

import pytest

from quarto_pi.journal import backups
from quarto_pi.journal.journal import JOURNAL_FILE
from quarto_pi.journal.records import GameRecorder
from quarto_pi.journal.repair import open_checked
from quarto_pi.journal.writer import (
    BACKUP_EVERY_SECONDS,
    IDLE_SECONDS,
    STUCK_SECONDS,
    UNHURRIED_SECONDS,
    JournalWriter,
    open_journal,
)
from quarto_pi.referee import Begin, Save, Settings, Tell
from quarto_pi.referee.effects import Resolved
from quarto_pi.referee.messages import Storage
from quarto_pi.rules import Player
from tests.rules.script import play

BEGUN, WON = play("0 a1 1"), play("0 a1 1 b1 2 c1 3 d1 call0")


class Clock:
    """The seconds that a writer counts."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def opened(
    folder: Path, stack: ExitStack, clock: Clock, said: list[str] | None = None, *, at_once: bool
) -> JournalWriter:
    heard: list[str] = [] if said is None else said
    return open_journal(folder, Settings(), stack, now=clock, say=heard.append, at_once=at_once).writer


def rows(folder: Path, table: str) -> int:
    """How many rows of a table somebody else sees, who opens the file as it is now."""
    with closing(sqlite3.connect(folder / JOURNAL_FILE)) as connection:
        (count,) = connection.execute(f"SELECT count(*) FROM {table}").fetchone()  # noqa: S608 - a name of ours
        return int(count)


@contextmanager
def commits_held_up(writer: JournalWriter) -> Iterator[None]:
    """Let every commit wait, as a card does that is busy with itself."""
    goes_on = Event()
    connection = writer._connection
    assert connection is not None

    def wait_before(statement: str) -> None:
        if statement == "COMMIT":
            goes_on.wait()

    connection.set_trace_callback(wait_before)
    try:
        yield
    finally:
        goes_on.set()


def test_nothing_is_safe_before_the_storage_has_it(tmp_path: Path, stack: ExitStack, clock: Clock) -> None:
    writer = opened(tmp_path, stack, clock, at_once=False)
    with commits_held_up(writer):
        ticket = writer.keep((Begin(0, 1, Player.A, Settings()), Save(0, BEGUN, 0)))
        assert ticket is not None
        assert not writer.is_safe(ticket)
        assert rows(tmp_path, "games") == 0
    writer.close()
    assert writer.is_safe(ticket)
    assert rows(tmp_path, "games") == 1


def test_storage_that_hangs_is_a_sign_of_life_for_so_long_and_no_longer(
    tmp_path: Path, stack: ExitStack, clock: Clock
) -> None:
    writer = opened(tmp_path, stack, clock, at_once=False)
    clock.now = 1_000.0
    assert writer.is_moving()
    with commits_held_up(writer):
        writer.keep((Begin(0, 1, Player.A, Settings()), Save(0, BEGUN, 0)))
        clock.now += STUCK_SECONDS - 1
        # What comes in meanwhile begins no new patience.
        writer.keep((Save(0, WON, 0),))
        assert writer.is_moving()
        clock.now += 1
        assert not writer.is_moving()
    writer.close()
    assert writer.is_moving()


def test_what_settles_nothing_is_written_with_what_does_or_after_a_while(
    tmp_path: Path, stack: ExitStack, clock: Clock
) -> None:
    writer = opened(tmp_path, stack, clock, at_once=True)
    told = (Tell(0, Resolved()),)
    assert writer.keep(told) is None
    assert rows(tmp_path, "events") == 0
    clock.now = UNHURRIED_SECONDS
    writer.keep(told)
    assert rows(tmp_path, "events") == 2
    writer.keep(told)
    assert rows(tmp_path, "events") == 2
    writer.keep((Begin(0, 1, Player.A, Settings()), Save(0, BEGUN, 0)))
    assert rows(tmp_path, "events") == 3


def test_what_has_settled_nothing_yet_is_written_at_the_end(tmp_path: Path, clock: Clock) -> None:
    with ExitStack() as stack:
        opened(tmp_path, stack, clock, at_once=True).keep((Tell(0, Resolved()),))
        assert rows(tmp_path, "events") == 0
    assert rows(tmp_path, "events") == 1


def test_trouble_is_told_once_and_tried_again_after_longer_and_longer_waits(
    tmp_path: Path, stack: ExitStack, clock: Clock
) -> None:
    folder = tmp_path / "kept"
    folder.touch()
    said: list[str] = []
    writer = opened(folder, stack, clock, said, at_once=True)
    writer.keep((Begin(0, 1, Player.A, Settings()), Save(0, BEGUN, 0)))
    # The first attempt was at the start; each of these comes right before and right after another one is due.
    for wait in (1.0, 2.0, 5.0, 10.0, 30.0, 30.0):
        folder.unlink()
        clock.now += wait - 0.5
        writer.keep((Save(0, WON, 0),))
        assert not folder.exists(), f"it was tried again before {wait:g} s had gone by"
        folder.touch()
        clock.now += 0.5
        writer.keep((Save(0, WON, 0),))
        assert writer.trouble is Storage.BROKEN
    assert len(said) == 1
    folder.unlink()
    clock.now += 30.0
    writer.keep((Save(0, WON, 0),))
    assert (writer.trouble, said[1:]) == (None, ["Games are being saved again."])
    assert rows(folder, "games") == 1
    # The next trouble is another one, and begins with the shortest wait again.
    assert writer._connection is not None
    writer._connection.execute("PRAGMA query_only = ON")
    writer.keep((Save(0, BEGUN, 0),))
    assert writer.trouble is Storage.READ_ONLY
    clock.now += 1.0
    writer.keep((Save(0, WON, 0),))
    assert writer.trouble is None


def play_on(writer: JournalWriter, number: int) -> None:
    writer.keep((Begin(0, number, Player.A, Settings()), Save(0, WON, 0)))


def test_journal_is_backed_up_once_a_day_while_nobody_plays(tmp_path: Path, stack: ExitStack, clock: Clock) -> None:
    writer = opened(tmp_path, stack, clock, at_once=True)
    play_on(writer, 1)
    for number, now in ((2, BACKUP_EVERY_SECONDS - 1), (3, BACKUP_EVERY_SECONDS + 1)):
        clock.now = now
        play_on(writer, number)
    assert len(backups.all_in(tmp_path)) == 1
    clock.now += IDLE_SECONDS
    # Its thread looks after every wait whether it is time.
    writer._back_up()
    assert len(backups.all_in(tmp_path)) == 2


def test_what_comes_while_a_backup_is_made_is_safe_before_the_backup_is_done(tmp_path: Path) -> None:
    connection, _ = open_checked(tmp_path)
    begun, settled = Event(), Event()
    made_before: list[int] = []

    def listen(statement: str) -> None:
        if statement == "PRAGMA page_count":
            # The backup is about to begin, of a journal in which there is nothing yet.
            begun.set()
            settled.wait()
        if statement == "COMMIT":
            made_before.append(len(backups.all_in(tmp_path)))

    connection.set_trace_callback(listen)
    writer = JournalWriter(tmp_path, GameRecorder(Settings(), time.time), connection)
    begun.wait()
    ticket = writer.keep((Begin(0, 1, Player.A, Settings()), Save(0, BEGUN, 0)))
    settled.set()
    writer.close()
    assert made_before == [0]
    assert ticket is not None
    assert writer.is_safe(ticket)


def test_end_that_comes_while_a_backup_is_made_is_not_waited_for(tmp_path: Path) -> None:
    connection, _ = open_checked(tmp_path)

    is_there = Event()

    def end_now(statement: str) -> None:
        if statement == "PRAGMA page_count":
            is_there.wait()
            writer._came.put((0, None))

    connection.set_trace_callback(end_now)
    writer = JournalWriter(tmp_path, GameRecorder(Settings(), time.time), connection)
    is_there.set()
    assert writer._thread is not None
    writer._thread.join(UNHURRIED_SECONDS / 2)
    assert not writer._thread.is_alive()


def test_journal_that_was_damaged_since_its_start_is_told_and_not_backed_up(
    tmp_path: Path, stack: ExitStack, clock: Clock
) -> None:
    said: list[str] = []
    writer = opened(tmp_path, stack, clock, said, at_once=True)
    for number in range(1, 120):
        play_on(writer, number)
    assert writer._connection is not None
    writer._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    writer._connection.execute("PRAGMA shrink_memory")
    with (tmp_path / JOURNAL_FILE).open("r+b") as stream:
        stream.seek(4096 * 12)
        stream.write(bytes(4096))
    clock.now = BACKUP_EVERY_SECONDS + IDLE_SECONDS
    writer._back_up()
    assert len(backups.all_in(tmp_path)) == 1
    (line,) = said
    assert line.startswith("No backup was made: ")

"""A journal of years: what grows with it, and what must not, by counts."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from quarto_pi.journal import backups, journal, writer
from quarto_pi.journal.journal import EVENTS_OF_GAMES, JOURNAL_FILE, games, write
from quarto_pi.journal.records import Entry, GameRecorder
from quarto_pi.journal.repair import CACHE_KB, MOST_LOG_BYTES, open_checked, reading
from quarto_pi.referee import Begin, Save, Settings, Tell
from quarto_pi.referee.effects import ReaderFault, ReaderFaultGone
from quarto_pi.rules import Player
from tests.rules.script import play

BEGUN, WON = play("0 a1 1"), play("0 a1 1 b1 2 c1 3 d1 call0")
MANY, FEW = 2_000, 200
SLACK_BYTES = 100_000
"""SQLite takes the log over into the file after a thousand pages of 4 kB, each with its header in the log."""


class Steps:
    """Counts what the database does, one for each instruction of its machine."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.count = 0
        connection.set_progress_handler(self._note, 1)

    def _note(self) -> None:
        self.count += 1


def kept(folder: Path, count: int) -> sqlite3.Connection:
    """A journal with so many games."""
    folder.mkdir(exist_ok=True)
    for name, content in _files_with(count).items():
        (folder / name).write_bytes(content)
    return open_checked(folder)[0]


@cache
def _files_with(count: int) -> dict[str, bytes]:
    """The files of such a journal, which is written once."""
    with TemporaryDirectory() as folder:
        _keep(Path(folder), count)
        return {file.name: file.read_bytes() for file in Path(folder).iterdir()}


def _keep(folder: Path, count: int) -> None:
    connection, _ = open_checked(folder)
    game_recorder = GameRecorder(Settings(), time.time)
    entries = (
        game_recorder.entry_of((Begin(0, number, Player.A, Settings()), Tell(0, ReaderFault("b2")), Save(0, WON)))
        for number in range(1, count + 1)
    )
    write(connection, [entry for entry in entries if entry is not None])
    connection.close()


def play_on(connection: sqlite3.Connection, numbers: range) -> None:
    """Keep these games, each by itself."""
    game_recorder = GameRecorder(Settings(), time.time)
    for number in numbers:
        entry = game_recorder.entry_of((Begin(0, number, Player.A, Settings()), Save(0, WON)))
        assert entry is not None
        write(connection, [entry])


def log_of(folder: Path) -> int:
    """How long the journal's log is."""
    return (folder / f"{JOURNAL_FILE}-wal").stat().st_size


@pytest.fixture
def journals(tmp_path: Path) -> Iterator[tuple[sqlite3.Connection, sqlite3.Connection]]:
    """One with few games, and one with ten times as many."""
    with closing(kept(tmp_path / "few", FEW)) as few, closing(kept(tmp_path / "many", MANY)) as many:
        yield few, many


@pytest.mark.slow
def test_newest_games_are_read_from_the_end_however_many_there_are(
    journals: tuple[sqlite3.Connection, sqlite3.Connection],
) -> None:
    steps = []
    for connection in journals:
        counted = Steps(connection)
        assert len(list(games(connection, newest=20))) == 20
        steps.append(counted.count)
    assert steps[1] < steps[0] * 1.1


@pytest.mark.slow
def test_whether_a_backup_is_due_is_seen_without_looking_at_every_game(
    journals: tuple[sqlite3.Connection, sqlite3.Connection], tmp_path: Path
) -> None:
    *_, many = journals
    assert backups.make(many, tmp_path) is not None
    counted = Steps(many)
    assert backups.make(many, tmp_path) is None
    # Two for each entry of the index that is counted, and hardly more.
    assert counted.count < MANY * 2.5


@pytest.mark.slow
def test_backup_of_many_games_lets_others_write_again_and_again(
    journals: tuple[sqlite3.Connection, sqlite3.Connection], tmp_path: Path
) -> None:
    *_, many = journals
    (pages,) = many.execute("PRAGMA page_count").fetchone()
    asked = 0

    def settle() -> bool:
        nonlocal asked
        asked += 1
        play_on(many, range(MANY + asked, MANY + asked + 1))
        return True

    made = backups.make(many, tmp_path, settle)
    assert asked > pages / backups.STEP_PAGES
    assert made is not None
    assert backups.is_sound(made)
    assert [game.number for game in games(many, newest=1)] == [MANY + asked]


@pytest.mark.slow
def test_backup_that_is_given_up_leaves_nothing_behind(
    journals: tuple[sqlite3.Connection, sqlite3.Connection], tmp_path: Path
) -> None:
    *_, many = journals
    answers = iter((True, True, False))
    assert backups.make(many, tmp_path, lambda: next(answers)) is None
    assert not list(tmp_path.glob("backup*"))


@pytest.mark.slow
def test_events_of_old_games_are_forgotten_and_their_records_are_not(
    journals: tuple[sqlite3.Connection, sqlite3.Connection],
) -> None:
    *_, many = journals
    events = many.execute("SELECT count(*), min(game) FROM events").fetchone()
    assert events == (EVENTS_OF_GAMES, MANY - EVENTS_OF_GAMES + 1)
    assert sum(1 for _ in games(many)) == MANY


def test_reader_with_a_loose_wire_does_not_fill_the_storage_while_nobody_plays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal, "MOST_EVENTS", 100)
    game_recorder = GameRecorder(Settings(), time.time)
    with closing(kept(tmp_path, 1)) as connection:
        for _ in range(200):
            entry = game_recorder.entry_of((Tell(1, ReaderFault("c3")), Tell(2, ReaderFaultGone("c3"))))
            assert entry is not None
            write(connection, [entry])
        assert connection.execute("SELECT count(*) FROM events").fetchone() == (100,)
        assert connection.execute("SELECT faults FROM readers WHERE cell = 'c3'").fetchone() == (200,)


@pytest.mark.slow
def test_log_does_not_grow_because_somebody_reads_games_slowly(tmp_path: Path) -> None:
    with closing(kept(tmp_path, FEW)) as connection, reading(tmp_path) as other:
        read = games(other)
        next(read)
        play_on(connection, range(FEW + 1, 5 * FEW))
        assert log_of(tmp_path) < MOST_LOG_BYTES + SLACK_BYTES
        assert sum(1 for _ in read) == FEW - 1


@pytest.mark.slow
def test_log_that_has_grown_while_somebody_held_it_is_cut_back(tmp_path: Path) -> None:
    with closing(kept(tmp_path, FEW)) as connection:
        with reading(tmp_path) as other:
            held = other.execute("SELECT * FROM games")
            held.fetchone()
            play_on(connection, range(FEW + 1, 5 * FEW))
            assert log_of(tmp_path) > MOST_LOG_BYTES + SLACK_BYTES
            held.close()
        play_on(connection, range(5 * FEW, 10 * FEW))
        assert log_of(tmp_path) < MOST_LOG_BYTES + SLACK_BYTES


@pytest.mark.slow
def test_pages_in_memory_are_few_however_long_the_file_is(
    journals: tuple[sqlite3.Connection, sqlite3.Connection],
) -> None:
    # Negative is in kilobytes, and not in pages.
    assert [each.execute("PRAGMA cache_size").fetchone() for each in journals] == [(-CACHE_KB,)] * 2


def test_storage_that_is_gone_for_months_does_not_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "MOST_WAITING_GAMES", 50)
    game_recorder = GameRecorder(Settings(), time.time)
    waiting: list[Entry] = []
    for number in range(1, 1_001):
        for game in (BEGUN, WON):
            entry = game_recorder.entry_of((Begin(0, number, Player.A, Settings()), Save(0, game)))
            assert entry is not None
            waiting = writer.condensed([*waiting, entry])
        assert sum(len(each.games) for each in waiting) <= 50 + writer.MOST_ENTRIES
    known = {game.number: game.reason for each in waiting for game in each.games}
    assert all(known[number] == "call" for number in range(951, 1_001))

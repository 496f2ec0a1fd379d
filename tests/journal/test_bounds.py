"""What the journal keeps has bounds: events, backups, and what waits for a storage that does not work."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
from collections import namedtuple
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path

import pytest

from quarto_pi.journal import backups
from quarto_pi.journal.journal import EVENTS_OF_GAMES, games, storage_of, write
from quarto_pi.journal.records import Entry, EventRow, GameRow, ReaderRow
from quarto_pi.journal.repair import open_checked
from quarto_pi.journal.writer import MOST_READERS, MOST_WAITING_EVENTS, condensed, open_journal
from quarto_pi.referee import Begin, Save, Settings
from quarto_pi.referee.messages import Storage
from quarto_pi.rules import Player, Record
from tests.rules.script import play

WON = play("0 a1 1 b1 2 c1 3 d1 call0")
RECORD = str(Record(WON))


def ended(number: int) -> Entry:
    """A game that has ended, and what was told in it."""
    game = GameRow(number, 0.0, 1.0, "{}", RECORD, "{}", 0, "call", 1_000, 0, None, None)
    return Entry((game,), tuple(EventRow(number, float(number), f"{number}") for _ in range(3)))


def test_events_are_kept_of_the_last_games_and_the_games_of_all(tmp_path: Path) -> None:
    connection, _ = open_checked(tmp_path)
    last = EVENTS_OF_GAMES + 5
    with closing(connection):
        for number in range(1, last + 1):
            write(connection, [ended(number)])
        told = [number for (number,) in connection.execute("SELECT DISTINCT game FROM events ORDER BY game")]
        assert told == list(range(last - EVENTS_OF_GAMES + 1, last + 1))
        assert [game.number for game in games(connection)] == list(range(1, last + 1))


def test_what_cannot_be_written_leaves_nothing_of_itself_and_nothing_in_the_way(tmp_path: Path) -> None:
    connection, _ = open_checked(tmp_path)
    with closing(connection):
        half = replace(ended(2).games[0], record=None)  # type: ignore[arg-type] # as a mistake of ours would be
        with pytest.raises(sqlite3.IntegrityError):
            write(connection, [ended(1), Entry((half,))])
        assert list(games(connection)) == []
        write(connection, [ended(3)])
        assert [game.number for game in games(connection)] == [3]


Usage = namedtuple("Usage", "total used free")  # noqa: PYI024 - as shutil has it


def test_backup_is_made_only_where_there_is_room_for_several(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    connection, _ = open_checked(tmp_path)
    with closing(connection):
        write(connection, [ended(1)])
        size = (tmp_path / "journal.sqlite").stat().st_size
        monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(10**9, 0, size))
        assert backups.make(connection, tmp_path) is None
        monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(10**9, 0, 100 * size))
        assert backups.make(connection, tmp_path) is not None


def test_log_that_cannot_be_made_on_a_full_storage_is_told_as_a_full_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(sqlite3.OperationalError) as raised, closing(sqlite3.connect(tmp_path / "no" / "x")):
        pass
    assert storage_of(raised.value, tmp_path) is Storage.BROKEN
    seen = list(os.statvfs(tmp_path))
    monkeypatch.setattr(os, "statvfs", lambda _: os.statvfs_result([*seen[:4], 0, *seen[5:]]))
    assert storage_of(raised.value, tmp_path) is Storage.FULL


@pytest.fixture
def small_storage(tmp_path: Path) -> Iterator[Path]:
    """A file system of its own, of some hundred kilobytes, where this machine lets us have one."""
    folder = tmp_path / "small"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=400k", "tmpfs", f"{folder}"]
    if shutil.which("mount") is None or subprocess.run(mount, capture_output=True, check=False).returncode != 0:  # noqa: S603
        pytest.skip("no file system can be mounted here: that takes root")
    yield folder
    subprocess.run(["umount", folder], check=True)  # noqa: S603, S607


@pytest.mark.parametrize("free", [0, 4_096, 20_000, 36_000, 50_000, 120_000])
def test_storage_on_which_so_much_is_free_is_told_as_full_whatever_does_not_fit(small_storage: Path, free: int) -> None:
    seen = os.statvfs(small_storage)
    (small_storage / "filler").write_bytes(bytes(seen.f_bavail * seen.f_frsize - free))
    said: list[str] = []
    with ExitStack() as stack:
        writer = open_journal(small_storage / "kept", Settings(), stack, say=said.append, at_once=True).writer
        for number in range(1, 200):
            writer.keep((Begin(0, number, Player.A, Settings()), Save(0, WON, 60_000)))
    assert writer.trouble is Storage.FULL
    assert said[0].startswith("Games are not being saved (full): ")


def test_of_what_waits_for_a_storage_the_newest_is_kept() -> None:
    entries = [
        Entry(
            games=(GameRow(1, 0.0, None, "{}", f"{step}", "{}", None, None, step, 0, None, None),),
            events=tuple(EventRow(1, float(step), f"{step}") for _ in range(10)),
            readers=(ReaderRow("b2", float(step), lost=True),),
        )
        for step in range(300)
    ]
    (entry,) = condensed(entries)
    assert [game.record for game in entry.games] == ["299"]
    assert [event.told for event in entry.events] == [f"{step}" for step in range(100, 300) for _ in range(10)]
    assert (len(entry.events), len(entry.readers)) == (MOST_WAITING_EVENTS, MOST_READERS)
    assert entry.readers[-1].at == 299


def test_few_entries_wait_as_they_are() -> None:
    entries = [ended(1), ended(2)]
    assert condensed(entries) == entries


def test_backup_waits_while_games_come_in(tmp_path: Path) -> None:
    with ExitStack() as stack:
        writer = open_journal(tmp_path, Settings(), stack, at_once=True).writer
        game = play("0 a1 1")
        # As its thread sees it when the loop is quicker.
        writer._came.put((1, ended(1)))
        writer._back_up()
        assert backups.all_in(tmp_path) == []
        writer.keep((Begin(0, 2, Player.A, Settings()), Save(0, game, 0)))
        assert len(backups.all_in(tmp_path)) == 1

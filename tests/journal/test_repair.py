"""What takes the place of a journal that is gone, and what does not."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import ExitStack, closing
from pathlib import Path

from quarto_pi.journal.journal import JOURNAL_FILE, SCHEMA_VERSION, games
from quarto_pi.journal.repair import condition_of, open_checked
from quarto_pi.journal.writer import open_journal
from quarto_pi.referee import Begin, Save, Settings
from quarto_pi.rules import Game, Player
from tests.rules.script import play

BEGUN, WON = play("0 a1 1"), play("0 a1 1 b1 2 c1 3 d1 call0")


def keep(folder: Path, *played: tuple[int, Game]) -> None:
    """Start and play these games; the first of them makes a backup."""
    with ExitStack() as stack:
        writer = open_journal(folder, Settings(), stack, at_once=True).writer
        for number, game in played:
            writer.keep((Begin(0, number, Player.A, Settings()), Save(0, game, 60_000)))


def kept(folder: Path) -> list[tuple[int, bool]]:
    """The games in a journal, and whether each is over."""
    connection, _ = open_checked(folder)
    with closing(connection):
        return [(game.number, game.game.over) for game in games(connection, unfinished=True)]


def test_game_that_was_set_aside_long_ago_does_not_come_back(tmp_path: Path) -> None:
    keep(tmp_path, (1, BEGUN))
    shutil.copyfile(tmp_path / JOURNAL_FILE, tmp_path / "damaged-000001.sqlite")
    keep(tmp_path, (1, WON))
    (tmp_path / JOURNAL_FILE).unlink()
    assert kept(tmp_path) == [(1, True)]


def test_file_of_another_program_is_no_backup(tmp_path: Path) -> None:
    keep(tmp_path, (1, WON))
    with closing(sqlite3.connect(tmp_path / "backup-000009.sqlite")) as connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")
        connection.execute("PRAGMA user_version = 1")
    (tmp_path / JOURNAL_FILE).unlink()
    assert kept(tmp_path) == [(1, True)]


def test_what_a_repair_left_that_was_cut_off_is_not_taken_for_a_part_of_the_next_one(tmp_path: Path) -> None:
    other = tmp_path / "other.sqlite"
    with closing(sqlite3.connect(other, isolation_level=None)) as connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")
        connection.execute("PRAGMA cache_size = 1")
        connection.execute("BEGIN")
        connection.executemany("INSERT INTO recipes VALUES (?)", [("x" * 3_000,)] * 50)
        # The transaction is half in the file by now, and its way back stands in the log beside it.
        log = (tmp_path / "other.sqlite-journal").read_bytes()
        connection.execute("ROLLBACK")
    keep(tmp_path, (1, WON))
    (tmp_path / JOURNAL_FILE).unlink()
    (tmp_path / f"{JOURNAL_FILE}.new-journal").write_bytes(log)
    assert kept(tmp_path) == [(1, True)]


def test_database_of_another_program_in_the_journal_s_place_is_set_aside_whole(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / JOURNAL_FILE)) as connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")
        connection.execute("PRAGMA user_version = 1")
    before = (tmp_path / JOURNAL_FILE).read_bytes()
    keep(tmp_path, (1, WON))
    assert kept(tmp_path) == [(1, True)]
    aside = (tmp_path / "damaged-000001.sqlite").read_bytes()
    # All but the kind of its log, which the first page has in two bytes, and what SQLite counts there.
    assert (len(aside), aside[4096:]) == (len(before), before[4096:])
    assert "no journal of quarto-pi" in (tmp_path / "damaged-000001.txt").read_text(encoding="utf-8")


def test_version_stands_in_the_file_itself_before_anything_is_closed(tmp_path: Path) -> None:
    connection, _ = open_checked(tmp_path)
    with closing(connection):
        # File format of SQLite, 1.3: the user version is at offset 60.
        assert int.from_bytes((tmp_path / JOURNAL_FILE).read_bytes()[60:64], "big") == SCHEMA_VERSION


def test_newer_journal_is_not_even_given_another_kind_of_log(tmp_path: Path) -> None:
    keep(tmp_path, (1, WON))
    file = tmp_path / JOURNAL_FILE
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
        connection.execute("PRAGMA user_version = 99")
    before = file.read_bytes()
    keep(tmp_path, (2, WON))
    assert file.read_bytes() == before


def test_page_that_a_card_has_lost_is_told_by_check(tmp_path: Path) -> None:
    keep(tmp_path, (1, WON))
    assert condition_of(tmp_path).ok
    with closing(sqlite3.connect(tmp_path / JOURNAL_FILE)) as connection:
        (page,) = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'settings'").fetchone()
    with (tmp_path / JOURNAL_FILE).open("r+b") as stream:
        stream.seek(4096 * (page - 1))
        stream.write(bytes(4096))
    condition = condition_of(tmp_path)
    assert not condition.ok
    assert "is damaged" in condition.detail
    assert condition.fix is not None

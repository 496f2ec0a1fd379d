"""The file, opened with a check, set aside, backed up; and the writer, when nothing can be written."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path

import pytest

from quarto_pi.commands.export import text_of
from quarto_pi.journal import backups
from quarto_pi.journal.journal import (
    JOURNAL_FILE,
    MIGRATIONS,
    SCHEMA_VERSION,
    JournalNewer,
    games,
    last_number,
    storage_of,
    upgrade,
    wishes,
)
from quarto_pi.journal.repair import condition_of, connect, open_checked
from quarto_pi.journal.writer import OpenJournal, open_journal
from quarto_pi.known_time import EARLIEST_KNOWN, UNKNOWN_TIME, KnownTime
from quarto_pi.referee import PERSON, Against, Begin, Keep, Save, Seat, Settings
from quarto_pi.referee.messages import Storage
from quarto_pi.rules import Game, Give, Place, Player, Record, apply, parse_piece, parse_square
from tests.rules.script import FULL, play

WON = play("0 a1 1 b1 2 c1 3 d1 call0")
BEGUN = play("0 a1 1")


def opened(
    folder: Path,
    stack: ExitStack,
    file: Settings | None = None,
    said: list[str] | None = None,
    now: Callable[[], float] = lambda: 0.0,
) -> OpenJournal:
    say = (lambda _: None) if said is None else said.append
    return open_journal(folder, file or Settings(), stack, at_once=True, say=say, now=now)


def keep(journal: OpenJournal, number: int, game: Game, settings: Settings | None = None) -> None:
    writer = journal.writer
    writer.keep((Begin(0, number, Player.A, settings or Settings()), Save(0, game, 60_000)))


def numbers(folder: Path) -> list[int]:
    connection, _ = open_checked(folder)
    with closing(connection):
        return [game.number for game in games(connection, unfinished=True)]


def spoil(file: Path, at: int) -> None:
    """Zero what stands from there on, as a worn-out card does."""
    with file.open("r+b") as stream:
        stream.seek(at)
        stream.write(bytes(4096))


# --- versions ---------------------------------------------------------------------------------------------------------


def test_journal_of_a_newer_program_is_refused_in_one_sentence_and_left_alone(tmp_path: Path) -> None:
    open_checked(tmp_path)[0].close()
    with closing(sqlite3.connect(tmp_path / JOURNAL_FILE)) as connection:
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    before = (tmp_path / JOURNAL_FILE).read_bytes()
    with pytest.raises(JournalNewer, match="newer quarto-pi"):
        open_checked(tmp_path)
    assert (tmp_path / JOURNAL_FILE).read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == [JOURNAL_FILE]


def test_board_plays_without_keeping_where_the_journal_is_newer(tmp_path: Path, stack: ExitStack) -> None:
    open_checked(tmp_path)[0].close()
    with closing(sqlite3.connect(tmp_path / JOURNAL_FILE)) as connection:
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    said: list[str] = []
    assert opened(tmp_path, stack, said=said).writer.trouble is Storage.NEWER
    assert "newer quarto-pi" in said[0]


def test_empty_file_left_by_a_power_cut_becomes_a_journal(tmp_path: Path) -> None:
    (tmp_path / JOURNAL_FILE).touch()
    connection, note = open_checked(tmp_path)
    with closing(connection):
        assert note is None
        assert last_number(connection) == 0


def test_older_journal_is_upgraded_with_all_that_it_holds(tmp_path: Path, stack: ExitStack) -> None:
    keep(opened(tmp_path, stack), 1, WON)
    stack.close()
    newer = (*MIGRATIONS, ("ALTER TABLE games ADD COLUMN place TEXT", "UPDATE games SET place = 'café'"))
    with closing(connect(tmp_path / JOURNAL_FILE)) as connection:
        upgrade(connection, tmp_path / JOURNAL_FILE, newer)
        assert [str(game.record) for game in games(connection)] == [str(Record(WON))]
        assert connection.execute("SELECT place FROM games").fetchall() == [("café",)]
        assert connection.execute("PRAGMA user_version").fetchone() == (SCHEMA_VERSION + 1,)


def test_upgrade_that_fails_leaves_the_journal_as_it_was(tmp_path: Path, stack: ExitStack) -> None:
    keep(opened(tmp_path, stack), 1, WON)
    stack.close()
    broken = (*MIGRATIONS, ("ALTER TABLE games ADD COLUMN place TEXT", "UPDATE nothing SET place = 'café'"))
    with closing(connect(tmp_path / JOURNAL_FILE)) as connection, pytest.raises(sqlite3.Error):
        upgrade(connection, tmp_path / JOURNAL_FILE, broken)
    assert numbers(tmp_path) == [1]
    with closing(sqlite3.connect(tmp_path / JOURNAL_FILE)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (SCHEMA_VERSION,)
        assert "place" not in [row[1] for row in connection.execute("PRAGMA table_info(games)")]


# --- damage -----------------------------------------------------------------------------------------------------------


def test_damaged_journal_is_set_aside_with_a_note_and_a_new_one_begins(tmp_path: Path) -> None:
    (tmp_path / JOURNAL_FILE).write_bytes(b"this was a journal once" * 500)
    said: list[str] = []
    with ExitStack() as stack:
        journal = opened(tmp_path, stack, said=said)
        keep(journal, 1, WON)
    assert "set aside as damaged-000001.sqlite; a new one has begun" in said[0]
    assert (tmp_path / "damaged-000001.sqlite").read_bytes().startswith(b"this was")
    assert "damaged" in (tmp_path / "damaged-000001.txt").read_text()
    assert numbers(tmp_path) == [1]


def test_backup_whose_running_game_nobody_can_read_takes_the_place_all_the_same(tmp_path: Path) -> None:
    with ExitStack() as stack:
        journal = opened(tmp_path, stack)
        keep(journal, 1, WON)
        keep(journal, 2, BEGUN)
    with closing(sqlite3.connect(tmp_path / JOURNAL_FILE)) as connection:
        connection.execute("UPDATE games SET record = 'as another version wrote it' WHERE number = 2")
        connection.commit()
    with ExitStack() as stack:
        # Its start makes the backup.
        keep(opened(tmp_path, stack), 2, WON)
    backup = max(tmp_path.glob("backup-*.sqlite"))
    with closing(sqlite3.connect(backup)) as connection:
        connection.execute("UPDATE games SET record = 'as another version wrote it', reason = NULL WHERE number = 2")
        connection.commit()
    (tmp_path / JOURNAL_FILE).unlink()
    with ExitStack() as stack:
        journal = opened(tmp_path, stack)
        assert journal.writer.trouble is None
        assert (journal.remembered.before.number, journal.remembered.before.last) == (2, None)


def test_backup_takes_the_place_of_a_damaged_journal_and_the_running_game_is_rescued(tmp_path: Path) -> None:
    with ExitStack() as stack:
        journal = opened(tmp_path, stack)
        for number in range(1, 120):
            keep(journal, number, WON)
    with ExitStack() as stack:
        # Its start makes the backup.
        journal = opened(tmp_path, stack)
        keep(journal, 120, BEGUN)
    assert backups.all_in(tmp_path)
    spoil(tmp_path / JOURNAL_FILE, 4096 * 12)
    connection, note = open_checked(tmp_path)
    with closing(connection):
        assert note is not None
        assert "backup-" in note
        kept = list(games(connection, unfinished=True))
    assert [game.number for game in kept] == list(range(1, 121))
    assert kept[-1].game.hand == BEGUN.hand


def test_game_under_way_in_a_backup_is_closed_because_it_is_another_by_now(tmp_path: Path) -> None:
    with ExitStack() as stack:
        keep(opened(tmp_path, stack), 1, BEGUN)
    with ExitStack() as stack:
        opened(tmp_path, stack).writer.keep((Keep(Settings(language="fr")),))
    assert backups.all_in(tmp_path)
    (tmp_path / JOURNAL_FILE).write_bytes(b"x" * 9999)
    with ExitStack() as stack:
        last = opened(tmp_path, stack).remembered.before.last
    assert last is not None
    assert last.game.over


def test_log_that_has_lost_its_journal_is_not_taken_for_the_next_ones(tmp_path: Path) -> None:
    (tmp_path / f"{JOURNAL_FILE}-wal").write_bytes(b"a log of another file" * 300)
    assert numbers(tmp_path) == []
    assert (tmp_path / "damaged-000001.sqlite-wal").exists()


# --- backups ----------------------------------------------------------------------------------------------------------


def test_only_the_newest_backups_are_kept_and_none_is_made_of_the_same_again(tmp_path: Path) -> None:
    for number in range(1, 9):
        for _ in range(2):
            with ExitStack() as stack:
                keep(opened(tmp_path, stack), number, WON)
    names = [file.name for file in backups.all_in(tmp_path)]
    assert len(names) == backups.KEPT_BACKUPS
    assert all(backups.is_sound(tmp_path / name) for name in names)


def test_backup_that_a_power_cut_has_interrupted_does_not_stay(tmp_path: Path) -> None:
    for number in (1, 2, 3):
        with ExitStack() as stack:
            keep(opened(tmp_path, stack), number, WON)
        (tmp_path / f"backup-{number + 1:06}.unchecked").write_bytes(b"half of it")
        (tmp_path / f"backup-{number + 1:06}.unchecked-journal").write_bytes(b"and its journal")
    with ExitStack() as stack:
        keep(opened(tmp_path, stack), 4, WON)
    names = sorted(file.name for file in tmp_path.glob("backup-*"))
    assert names == [f"backup-{number:06}.sqlite" for number in (1, 2, 3, 4)]


def test_damaged_backup_is_passed_over(tmp_path: Path) -> None:
    for number in (1, 2, 3):
        with ExitStack() as stack:
            keep(opened(tmp_path, stack), number, WON)
    newest, *_ = backups.all_in(tmp_path)
    newest.write_bytes(b"y" * 8192)
    (tmp_path / JOURNAL_FILE).write_bytes(b"x" * 9999)
    assert numbers(tmp_path)[0] == 1


# --- settings ---------------------------------------------------------------------------------------------------------


def test_choice_at_the_table_wins_until_the_file_says_something_else(tmp_path: Path) -> None:
    file = Settings(coach=True)
    with ExitStack() as stack:
        opened(tmp_path, stack, file).writer.keep((Keep(replace(file, language="lt", coach=False)),))
    connection, _ = open_checked(tmp_path)
    with closing(connection):
        assert wishes(connection, file) == replace(file, language="lt", coach=False)
        assert wishes(connection, replace(file, language="fr")) == replace(file, language="fr", coach=False)
        assert wishes(connection, replace(file, buttons=2)).buttons == 2


# --- trouble ----------------------------------------------------------------------------------------------------------


def test_errors_tell_a_full_storage_from_one_that_cannot_be_written(tmp_path: Path) -> None:
    assert storage_of(OSError(errno.ENOSPC, "no space"), tmp_path) is Storage.FULL
    assert storage_of(OSError(errno.EROFS, "read-only"), tmp_path) is Storage.READ_ONLY
    assert storage_of(sqlite3.OperationalError("locked"), tmp_path) is Storage.BROKEN


def test_full_storage_is_told_and_the_game_written_once_there_is_room(tmp_path: Path, stack: ExitStack) -> None:
    now = [0.0]
    journal = opened(tmp_path, stack, now=lambda: now[0])
    writer = journal.writer
    keep(journal, 1, WON)
    assert writer._connection is not None
    (pages,) = writer._connection.execute("PRAGMA page_count").fetchone()
    # As full as it gets without a file system of one's own: the database may not grow.
    writer._connection.execute(f"PRAGMA max_page_count = {pages}")
    game = BEGUN
    for number in range(2, 60):
        keep(journal, number, game)
    assert writer.trouble is Storage.FULL
    assert writer.is_safe(10_000)
    assert writer.is_moving()
    now[0] += 60
    keep(journal, 60, WON)
    assert writer.trouble is None
    assert numbers(tmp_path) == list(range(1, 61))


def test_missing_folder_is_told_and_games_are_numbered_on_once_it_is_there(tmp_path: Path, stack: ExitStack) -> None:
    folder = tmp_path / "kept"
    with ExitStack() as before:
        keep(opened(folder, before), 7, BEGUN)
    folder.rename(tmp_path / "away")
    folder.touch()
    said: list[str] = []
    now = [0.0]
    journal = opened(folder, stack, said=said, now=lambda: now[0])
    now[0] += 60
    assert journal.writer.trouble is not None
    folder.unlink()
    (tmp_path / "away").rename(folder)
    keep(journal, 1, WON)
    assert journal.writer.trouble is None
    connection, _ = open_checked(folder)
    with closing(connection):
        # The game that was under way is another one by now: it goes on no more.
        assert [(game.number, game.game.over) for game in games(connection, unfinished=True)] == [(7, True), (8, True)]
    assert said[-1] == "Games are being saved again."


def test_condition_says_what_is_wrong_and_what_to_do(tmp_path: Path) -> None:
    assert condition_of(tmp_path / "none").ok
    with ExitStack() as stack:
        keep(opened(tmp_path, stack), 1, WON)
    assert condition_of(tmp_path).detail.startswith("1 game in")
    (tmp_path / JOURNAL_FILE).write_bytes(b"z" * 9999)
    condition = condition_of(tmp_path)
    assert not condition.ok
    assert condition.fix is not None


def test_statistics_of_all_games_are_counted_at_the_start(tmp_path: Path) -> None:
    level = Settings(seats=(PERSON, Seat(3)))
    with ExitStack() as stack:
        journal = opened(tmp_path, stack)
        keep(journal, 1, WON, level)
        keep(journal, 2, play("0 a1 1 b1 clear"), level)
        keep(journal, 3, play(f"{FULL} clear"), level)
    with ExitStack() as stack:
        tally = opened(tmp_path, stack).remembered.before.tally
    assert (tally.games, tally.wins, tally.draws, tally.played_ms) == (2, (1, 0), 1, 120_000)
    assert tally.against == (Against(3, won=1, drawn=1),)


def test_level_that_has_the_first_seat_is_counted_as_the_one_that_wins(tmp_path: Path) -> None:
    with ExitStack() as stack:
        keep(opened(tmp_path, stack), 1, WON, Settings(seats=(Seat(5), PERSON)))
    with ExitStack() as stack:
        tally = opened(tmp_path, stack).remembered.before.tally
    assert tally.against == (Against(5, lost=1),)


def test_game_knows_when_it_has_begun_and_ended_by_the_calendar(tmp_path: Path, stack: ExitStack) -> None:
    now = [1_000.0]
    writer = open_journal(tmp_path, Settings(), stack, at_once=True, wall=lambda: now[0]).writer
    writer.keep((Begin(0, 1, Player.A, Settings()), Save(0, BEGUN, 0)))
    now[0] = 1_600.0
    writer.keep((Save(0, WON, 0),))
    stack.close()
    connection, _ = open_checked(tmp_path)
    with closing(connection):
        assert [(game.begun, game.ended) for game in games(connection)] == [(1_000.0, 1_600.0)]


def test_game_of_a_board_that_does_not_know_the_time_has_no_date_and_keeps_its_place(
    tmp_path: Path, stack: ExitStack
) -> None:
    known = KnownTime()
    journal = open_journal(tmp_path, Settings(), stack, at_once=True, wall=known.stamp)
    journal.writer.keep((Begin(0, 1, Player.A, Settings()), Save(0, WON, 0)))
    known.tell(EARLIEST_KNOWN + 86_400)
    journal.writer.keep((Begin(0, 2, Player.A, Settings()), Save(0, WON, 0)))
    stack.close()
    connection, _ = open_checked(tmp_path)
    with closing(connection):
        first, second = games(connection)
    assert (first.begun, first.ended) == (UNKNOWN_TIME, UNKNOWN_TIME)
    assert '[Date "????-??-??"]' in text_of(first)
    assert '[Date "2026-11-02"]' in text_of(second)


def test_running_game_goes_on_in_the_language_that_was_chosen_meanwhile(tmp_path: Path) -> None:
    with ExitStack() as stack:
        journal = opened(tmp_path, stack)
        keep(journal, 1, BEGUN)
        journal.writer.keep((Keep(Settings(language="fr")),))
    with ExitStack() as stack:
        last = opened(tmp_path, stack).remembered.before.last
    assert last is not None
    assert last.settings.language == "fr"


def test_writer_in_a_thread_of_its_own_acknowledges_what_it_has_written(tmp_path: Path) -> None:
    with ExitStack() as stack:
        journal = open_journal(tmp_path, Settings(), stack)
        game = apply(apply(Game(), Give(parse_piece("LTRF"))), Place(parse_square("a1")))
        ticket = journal.writer.keep((Begin(0, 1, Player.A, Settings()), Save(0, game, 0)))
        assert ticket is not None
    assert journal.writer.is_safe(ticket)
    assert numbers(tmp_path) == [1]

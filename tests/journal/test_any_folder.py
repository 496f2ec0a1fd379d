"""A start over a folder in any state: nothing that can be read is lost, and what is damaged stays as it was found."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
from contextlib import ExitStack, closing
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from quarto_pi.journal import backups
from quarto_pi.journal.journal import JOURNAL_FILE, SCHEMA_VERSION
from quarto_pi.journal.writer import open_journal
from quarto_pi.referee import Begin, Save, Settings
from quarto_pi.rules import Player
from tests.fuzz.verdict import check_sentence
from tests.rules.script import play

WON = play("0 a1 1 b1 2 c1 3 d1 call0")
MOST_GAMES = 12
STARTS = backups.KEPT_BACKUPS + 2
"""More than it takes to rotate every backup away."""


@cache
def sound(games: int) -> bytes:
    """A journal in which so many games have ended, as one file."""
    with TemporaryDirectory() as name, ExitStack() as stack:
        folder = Path(name)
        writer = open_journal(folder, Settings(), stack, at_once=True).writer
        for number in range(1, games + 1):
            writer.keep((Begin(0, number, Player.A, Settings()), Save(0, WON, 60_000)))
        writer.close()
        return (folder / JOURNAL_FILE).read_bytes()


def damaged(rng: random.Random, content: bytes) -> bytes:
    """The same after something that happens to cards: cut, emptied, zeroed, or with another version."""
    changed = bytearray(content)
    match rng.randrange(6):
        case 0:
            return b""
        case 1:
            return bytes(len(changed))
        case 2:
            del changed[rng.randrange(len(changed)) :]
        case 3:
            page = 4096 * rng.randrange(1, len(changed) // 4096)
            changed[page : page + 4096] = bytes(4096)
        case 4:
            changed[60:64] = rng.choice((0, -1)).to_bytes(4, "big", signed=True)
        case _:
            return rng.randbytes(5_000)
    return bytes(changed)


def fill(folder: Path, rng: random.Random) -> bytes | None:
    """Something as the journal, with or without logs and backups; what of it has to be there still, byte for byte."""
    file, held = folder / JOURNAL_FILE, rng.randrange(1, MOST_GAMES)
    for number in range(1, 1 + rng.randrange(7)):
        content = sound(rng.choice((0, held, rng.randrange(MOST_GAMES))))
        copy = folder / f"backup-{number:06}.sqlite"
        copy.write_bytes(damaged(rng, content) if rng.random() < 0.2 else content)
    if rng.random() < 0.5:
        (folder / f"{JOURNAL_FILE}{rng.choice(backups.LOGS)}").write_bytes(rng.randbytes(rng.choice((0, 4_152))))
    match rng.randrange(6):
        case 0:
            return None
        case 1:
            file.mkdir()
            (file / "note").write_bytes(b"whose is this?")
            return b"whose is this?"
        case 2:
            os.mkfifo(file)
            return None
        case 3:
            file.write_bytes(sound(held))
            return None
        case _:
            content = damaged(rng, sound(held))
            file.write_bytes(content)
            # A cut may have hit nothing that means anything.
            return None if backups.is_sound(file) else content


def most_games(folder: Path) -> int:
    """The most games that have ended in one sound file of a folder."""
    files = [*backups.all_in(folder), folder / JOURNAL_FILE]
    return max((backups.games_in(file) for file in files if file.is_file() and backups.is_sound(file)), default=0)


@pytest.mark.parametrize(
    "seed", [*range(12), *(pytest.param(seed, marks=pytest.mark.campaign) for seed in range(12, 200))]
)
def test_no_games_are_lost_by_starts_over_any_folder(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    found = fill(tmp_path, rng)
    before = most_games(tmp_path)
    for _ in range(STARTS):
        said: list[str] = []
        with ExitStack() as stack:
            opened = open_journal(tmp_path, Settings(), stack, say=said.append, at_once=True)
            assert opened.writer.trouble is None, said
            number = opened.remembered.before.number + 1
            opened.writer.keep((Begin(0, number, Player.A, Settings()), Save(0, WON, 60_000)))
        for sentence in said:
            check_sentence(sentence)
    assert most_games(tmp_path) >= before
    # Every start made a game more, and every one of them is in the journal, whatever took its place at first.
    assert backups.games_in(tmp_path / JOURNAL_FILE) >= STARTS
    if found:
        assert found in [file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()]


def test_empty_journal_beside_backups_is_damage_and_is_told(tmp_path: Path) -> None:
    (tmp_path / "backup-000001.sqlite").write_bytes(sound(7))
    (tmp_path / JOURNAL_FILE).touch()
    said: list[str] = []
    with ExitStack() as stack:
        opened = open_journal(tmp_path, Settings(), stack, say=said.append, at_once=True)
        assert opened.remembered.before.tally.games == 7
    assert "it is empty, and there was one before" in said[0]


def test_last_backup_with_games_is_not_rotated_away_by_five_that_have_none(tmp_path: Path) -> None:
    (tmp_path / "backup-000001.sqlite").write_bytes(sound(7))
    for number in range(2, 9):
        (tmp_path / f"backup-{number:06}.sqlite").write_bytes(sound(0))
    backups.rotate(tmp_path)
    names = [file.name for file in backups.all_in(tmp_path)]
    assert names == [f"backup-{number:06}.sqlite" for number in (8, 7, 6, 5, 4, 1)]


def test_games_after_the_last_backup_are_read_out_of_the_damaged_journal(tmp_path: Path) -> None:
    (tmp_path / "backup-000001.sqlite").write_bytes(sound(3))
    content = bytearray(sound(9))
    content[60:64] = bytes(4)
    (tmp_path / JOURNAL_FILE).write_bytes(content)
    with ExitStack() as stack:
        assert open_journal(tmp_path, Settings(), stack, at_once=True).remembered.before.tally.games == 9
    assert (tmp_path / "damaged-000001.sqlite").read_bytes() == content


@pytest.mark.parametrize("is_emptied", [True, False])
def test_log_of_a_damaged_journal_is_set_aside_with_it_and_not_played_into_it(tmp_path: Path, is_emptied: bool) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    (first / JOURNAL_FILE).write_bytes(sound(30))
    with ExitStack() as stack:
        writer = open_journal(first, Settings(), stack, at_once=True).writer
        writer.keep((Begin(0, 31, Player.A, Settings()), Save(0, WON, 60_000)))
        # As a cut leaves it: the newest game stands in the log alone.
        shutil.copytree(first, second)
    file = second / JOURNAL_FILE
    file.write_bytes(b"" if is_emptied else file.read_bytes()[: 4096 * 5])
    before = {end: file.with_name(f"{file.name}{end}").read_bytes() for end in ("", "-wal")}
    assert before["-wal"]
    with ExitStack() as stack:
        open_journal(second, Settings(), stack, at_once=True)
    aside = second / "damaged-000001.sqlite"
    assert {end: aside.with_name(f"{aside.name}{end}").read_bytes() for end in ("", "-wal")} == before


def test_journal_without_one_of_its_tables_is_damaged(tmp_path: Path) -> None:
    (tmp_path / JOURNAL_FILE).write_bytes(sound(3))
    with closing(sqlite3.connect(tmp_path / JOURNAL_FILE)) as connection:
        connection.execute("DROP TABLE settings")
    with ExitStack() as stack:
        opened = open_journal(tmp_path, Settings(), stack, at_once=True)
        assert opened.writer.trouble is None
        assert opened.remembered.before.tally.games == 3
    note = (tmp_path / "damaged-000001.txt").read_text(encoding="utf-8")
    assert f"its tables are not those of its version {SCHEMA_VERSION}" in note


def test_backup_without_one_of_its_tables_is_passed_over(tmp_path: Path) -> None:
    for number, games in ((1, 2), (2, 3)):
        (tmp_path / f"backup-{number:06}.sqlite").write_bytes(sound(games))
    with closing(sqlite3.connect(tmp_path / "backup-000002.sqlite")) as connection:
        connection.execute("DROP TABLE readers")
    with ExitStack() as stack:
        opened = open_journal(tmp_path, Settings(), stack, at_once=True)
        assert (opened.writer.trouble, opened.remembered.before.tally.games) == (None, 2)


def test_link_to_a_stick_that_is_not_there_is_told_and_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / JOURNAL_FILE).symlink_to(tmp_path / "stick" / JOURNAL_FILE)
    said: list[str] = []
    with ExitStack() as stack:
        assert open_journal(tmp_path, Settings(), stack, say=said.append, at_once=True).writer.trouble is not None
    assert "which is not there: connect that." in said[0]
    assert (tmp_path / JOURNAL_FILE).is_symlink()

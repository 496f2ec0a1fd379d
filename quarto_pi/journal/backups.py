"""Backups: whole copies of a journal that has been checked, each checked itself, and only so many of them."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Final

from quarto_pi.journal import damage
from quarto_pi.journal.errors import JournalDamaged
from quarto_pi.journal.files import next_number, rename
from quarto_pi.journal.schema import APPLICATION, VERSION

STEM: Final = "backup"
KEPT: Final = 5
SPARE: Final = 4
"""A backup is made only where this many times its size is free."""
STEP_PAGES: Final = 64
"""A journal of years takes a slow card seconds to copy: after so many pages others go first."""
STEP_INSTRUCTIONS: Final = 10_000
"""The same while the copy is checked, in instructions of the database."""


class _GivenUp(Exception):
    """The copy is not wanted any more."""


def all_in(folder: Path) -> list[Path]:
    """The backups in a folder, the newest first."""
    return sorted(folder.glob(f"{STEM}-[0-9]*.sqlite"), reverse=True)


def make(connection: sqlite3.Connection, folder: Path, goes_on: Callable[[], bool] = lambda: True) -> Path | None:
    """Copy a journal, unless nothing has changed since the last time, or there is hardly any room.

    `goes_on` is asked all along: it may write into the journal meanwhile, and have the copy given up. A journal whose
    copy is not sound is damaged.
    """
    if not _has_changed(connection, folder) or not _has_room(connection, folder):
        return None
    for interrupted in folder.glob(f"{STEM}-[0-9]*.unchecked*"):
        # The power was cut in the middle of one.
        interrupted.unlink()
    made = folder / f"{STEM}-{next_number(folder, STEM):06}.sqlite"
    unchecked = made.with_suffix(".unchecked")
    try:
        _copy(connection, unchecked, goes_on)
        is_sound_copy = is_sound(unchecked, goes_on)
        if not goes_on():
            return None
        if not is_sound_copy:
            raise JournalDamaged(f"the journal in {folder} is damaged, for its copy is not sound.")
        _sync(unchecked)
        rename(unchecked, made)
    except _GivenUp:
        return None
    finally:
        unchecked.unlink(missing_ok=True)
    for old in all_in(folder)[KEPT:]:
        old.unlink(missing_ok=True)
    return made


def take_over(folder: Path, file: Path) -> Path | None:
    """Put a copy of the newest backup that is sound in the journal's place, with the game that was under way."""
    for backup in all_in(folder):
        if not is_sound(backup):
            continue
        beside = file.with_name(f"{file.name}.new")
        # What an interrupted attempt has left would be taken for a part of this one.
        beside.with_name(f"{beside.name}-journal").unlink(missing_ok=True)
        shutil.copyfile(backup, beside)
        with contextlib.closing(sqlite3.connect(beside, isolation_level=None)) as copy:
            damage.close_last_game(copy, damage.rescue(copy, folder))
        _sync(beside)
        rename(beside, file)
        return backup
    return None


def is_sound(file: Path, goes_on: Callable[[], bool] = lambda: True) -> bool:
    """Whether a backup is a sound journal that this program can read, as far as it was looked at."""
    try:
        with contextlib.closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro&immutable=1", uri=True)) as copy:
            copy.set_progress_handler(lambda: not goes_on(), STEP_INSTRUCTIONS)
            (version,) = copy.execute("PRAGMA user_version").fetchone()
            (application,) = copy.execute("PRAGMA application_id").fetchone()
            found = [row[0] for row in copy.execute("PRAGMA quick_check(1)")]
    except sqlite3.Error:
        return False
    return found == ["ok"] and application == APPLICATION and 0 < version <= VERSION


def _copy(connection: sqlite3.Connection, to: Path, goes_on: Callable[[], bool]) -> None:
    with contextlib.closing(sqlite3.connect(to, isolation_level=None)) as copy, to.open("rb") as stream:

        def look_up(*_: int) -> None:
            # Step by step as well, or what others write next waits until the card has all of it.
            os.fdatasync(stream.fileno())
            if not goes_on():
                raise _GivenUp

        connection.backup(copy, pages=STEP_PAGES, progress=look_up)
        # One file, which says all by itself.
        copy.execute("PRAGMA journal_mode = DELETE")


def _sync(file: Path) -> None:
    with file.open("rb") as stream:
        os.fsync(stream.fileno())


def _has_changed(connection: sqlite3.Connection, folder: Path) -> bool:
    """Whether there is anything in the journal that its newest backup does not have."""
    newest = next(iter(all_in(folder)), None)
    if newest is None:
        return True
    try:
        with contextlib.closing(sqlite3.connect(f"{newest.resolve().as_uri()}?mode=ro&immutable=1", uri=True)) as copy:
            return _contents(copy) != _contents(connection)
    except sqlite3.Error:
        return True


def _contents(connection: sqlite3.Connection) -> tuple[object, ...]:
    # Counted in the index, and the last found from the end: the records are not touched.
    count = connection.execute("SELECT count(*) FROM games WHERE reason IS NOT NULL").fetchone()
    last = connection.execute("SELECT number, ended FROM games WHERE +reason IS NOT NULL ORDER BY number DESC LIMIT 1")
    return (count, last.fetchone(), *connection.execute("SELECT key, chosen FROM settings").fetchall())


def _has_room(connection: sqlite3.Connection, folder: Path) -> bool:
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    (size,) = connection.execute("PRAGMA page_size").fetchone()
    return shutil.disk_usage(folder).free >= SPARE * int(pages) * int(size)

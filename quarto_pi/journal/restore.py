"""Games taken off the board as one file, and put back from one: from the page, a USB stick or a command line.

What is put back lies beside the journal until it is opened next; then it takes its place, and what was there is kept.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from quarto_pi.journal import backups
from quarto_pi.journal.journal import JournalError, next_number, rename
from quarto_pi.journal.repair import INCOMING, reading

COPY_NAME: Final = "quarto-games"
"""What a copy of the games is called elsewhere; a number follows, so that none is written over."""
HANDED_OUT: Final = "taken"
"""What one is called that is on its way to somebody's phone; a number follows."""
MOST_HANDED_OUT: Final = 8
"""More of those than may be asked for at a time."""
STICK_FOLDERS: Final = ("/media", "/run/media")
"""Where systems put what is plugged in."""


@dataclass(frozen=True, slots=True)
class GamesFile:
    """A file with games: its name, how many have ended in it, and its size."""

    name: str
    games: int
    size: int


def files_in(folder: Path, pattern: str = f"{backups.STEM}-[0-9]*.sqlite") -> list[GamesFile]:
    """The sound files with games in a folder, the newest first."""
    found = sorted(folder.glob(pattern), reverse=True)
    return [
        GamesFile(file.name, backups.games_in(file), file.stat().st_size)
        for file in found
        if file.is_file() and backups.is_sound(file)
    ]


def copies_on(stick: Path) -> list[GamesFile]:
    """The copies of games on a USB stick, the newest first."""
    return files_in(stick, f"{COPY_NAME}-[0-9]*.sqlite")


def sticks(configured: str = "", roots: Iterable[str] = STICK_FOLDERS) -> list[Path]:
    """The USB sticks that can be written to: the folder that is configured, and whatever the system has plugged in."""
    beneath = [place for root in roots for depth in ("*", "*/*") for place in sorted(Path(root).glob(depth))]
    places = [Path(configured)] if configured else [place for place in beneath if place.is_mount()]
    return [place for place in places if place.is_dir() and os.access(place, os.W_OK)]


def copy_games(folder: Path, to: Path) -> Path:
    """Copy the journal of a folder as it is now, whole and checked: to a file, or under a new name into a folder."""
    made = to / f"{COPY_NAME}-{next_number(to, COPY_NAME):06}.sqlite" if to.is_dir() else to
    unchecked = made.with_name(f"{made.name}.unchecked")
    try:
        with reading(folder) as connection, contextlib.closing(sqlite3.connect(unchecked)) as copy:
            connection.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")
        if not backups.is_sound(unchecked):
            raise JournalError(f"the copy {made} is not sound: try another stick, and look at `quarto-pi check`.")
        with unchecked.open("rb") as stream:
            os.fsync(stream.fileno())
        rename(unchecked, made)
    except sqlite3.Error as error:
        raise JournalError(
            f"the games cannot be copied to {made} ({error}): is there room, and may it be written?"
        ) from error
    finally:
        backups.blank(unchecked)
    return made


def put_back(folder: Path, source: Path) -> int:
    """Have a file's games take the place of the journal when it is opened next; how many have ended in it."""
    if not source.is_file():
        raise JournalError(f"there is no file {source}: `quarto-pi backup` lists the copies that there are.")
    if not backups.is_sound(source):
        raise JournalError(
            f"{source.name} holds no games of a quarto-pi that this version can read: choose another file."
        )
    folder.mkdir(parents=True, exist_ok=True)
    beside = backups.blank(folder / f"{INCOMING}.new")
    try:
        shutil.copyfile(source, beside)
        backups.make_ready(beside)
        rename(beside, folder / INCOMING)
    except sqlite3.Error as error:
        raise JournalError(f"{source.name} cannot be read as games ({error}): choose another file.") from error
    finally:
        backups.blank(beside)
    return backups.games_in(folder / INCOMING)


@dataclass(frozen=True, slots=True)
class SavedGames:
    """The games of a running board: copied off it, or put back, for which the board has to open its journal anew."""

    folder: Path
    reopen: Callable[[], None]
    stick: str = ""
    places: Callable[[str], list[Path]] = sticks

    def on_board(self) -> list[GamesFile]:
        """The backups, the newest first."""
        return files_in(self.folder)

    def on_stick(self) -> list[GamesFile] | None:
        """The copies on the USB stick; None where there is no stick."""
        stick = self._stick()
        return None if stick is None else copies_on(stick)

    def taken(self) -> Path:
        """A copy of the games as they are now, to be handed out and removed; one that is handed out stays as it is."""
        # Those that a power cut, or a phone that went away, has left.
        for left in sorted(self.folder.glob(f"{HANDED_OUT}-*.sqlite"))[:-MOST_HANDED_OUT]:
            left.unlink(missing_ok=True)
        number = next_number(self.folder, HANDED_OUT)
        return copy_games(self.folder, self.folder / f"{HANDED_OUT}-{number:06}.sqlite")

    def to_stick(self) -> str | None:
        """Copy the games to the USB stick; the copy's name, or None where there is no stick."""
        stick = self._stick()
        return None if stick is None else copy_games(self.folder, stick).name

    def put_back_named(self, name: str, *, is_on_stick: bool) -> int | None:
        """Put back a copy that is listed; how many games have ended in it, or None where there is none of this name."""
        offered = (self.on_stick() or []) if is_on_stick else self.on_board()
        place = self._stick() if is_on_stick else self.folder
        if place is None or name not in [each.name for each in offered]:
            return None
        return self.put_back(place / name)

    def put_back(self, file: Path) -> int:
        """Put back the games of a file; how many have ended in it."""
        games = put_back(self.folder, file)
        self.reopen()
        return games

    def _stick(self) -> Path | None:
        return next(iter(self.places(self.stick)), None)

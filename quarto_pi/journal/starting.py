"""Where an evening begins: the journal opened, and what it knows of the evenings before."""

from __future__ import annotations

import sqlite3
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from quarto_pi.journal import backups, journal
from quarto_pi.journal.journal import JournalError, KeptGame
from quarto_pi.journal.records import GameRecorder
from quarto_pi.journal.repair import open_checked
from quarto_pi.journal.writer import JournalWriter
from quarto_pi.referee import Settings
from quarto_pi.referee.resuming import Before

GAMES_AT_HAND: Final = 100
"""So many finished games are at hand for the page."""


@dataclass(frozen=True, slots=True)
class Remembered:
    """What the journal knows at the start: how to play, what goes on and when it has begun, and the newest games."""

    wishes: Settings
    before: Before = field(default_factory=Before)
    games: tuple[KeptGame, ...] = ()
    begun: float | None = None


@dataclass(frozen=True, slots=True)
class OpenJournal:
    """A journal that is written from now on, and what it knew before."""

    writer: JournalWriter
    remembered: Remembered


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def open_journal(  # noqa: PLR0913 - what a test puts in the place of calendar, log and thread
    folder: Path,
    file: Settings,
    stack: ExitStack,
    *,
    wall: Callable[[], float] = time.time,
    say: Callable[[str], None] = _say,
    now: Callable[[], float] = time.monotonic,
    at_once: bool = False,
) -> OpenJournal:
    """The journal in a folder, for a board with these settings in its file; the stack closes it.

    Where it cannot be opened the board begins as a new one, and the keeper goes on trying.
    """
    remembered = Remembered(file)
    opened: sqlite3.Connection | Exception
    try:
        opened, note = open_checked(folder)
        if note is not None:
            say(note)
        remembered = remember(opened, file)
    except (sqlite3.Error, OSError, JournalError) as error:
        opened = error
    game_recorder = GameRecorder(file, wall, remembered.begun)
    writer = stack.enter_context(JournalWriter(folder, game_recorder, opened, say=say, now=now, at_once=at_once))
    return OpenJournal(writer, remembered)


def remember(connection: sqlite3.Connection, file: Settings) -> Remembered:
    """What a journal knows, on a board with the settings of this file."""
    wishes = journal.wishes(connection, file)
    last = journal.last_game(connection, wishes)
    before = Before(
        journal.last_number(connection),
        backups.tally(connection),
        None if last is None else last[0],
    )
    games = tuple(journal.games(connection, newest=GAMES_AT_HAND))
    return Remembered(wishes, before, games, None if last is None else last[1])

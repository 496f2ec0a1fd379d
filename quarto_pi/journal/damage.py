"""What is not sound is set aside with a note, never deleted, and what can still be read of the last game is rescued."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path
from typing import Final

from quarto_pi.files import replace_text
from quarto_pi.journal.files import next_number, rename
from quarto_pi.rules import Clear, QuartoError, Record, apply, parse_record

STEM: Final = "damaged"
LOG: Final = "-wal"
_INDEX: Final = "-shm"
_GAME: Final = "number, begun, settings, record, waits, played_ms, missed, level_a, level_b"


def set_aside(file: Path, why: str) -> str:
    """Rename a journal with all that belongs to it, and write a note beside it; the sentence for the log."""
    number = next_number(file.parent, STEM)
    aside = file.with_name(f"{STEM}-{number:06}{file.suffix}")
    replace_text(aside.with_suffix(".txt"), f"{why}\nIt was set aside when the board was started; nothing reads it.\n")
    # The log goes first: left behind, it would be taken for the next journal's.
    for end in (LOG, _INDEX, ""):
        old = file.with_name(f"{file.name}{end}")
        if old.exists():
            rename(old, aside.with_name(f"{aside.name}{end}"))
    return f"{why} It was set aside as {aside.name}"


def finish_setting_aside(file: Path) -> None:
    """Set a log aside that has lost its journal: power may have failed between the one and the other."""
    log = file.with_name(f"{file.name}{LOG}")
    if log.exists() and not file.exists():
        number = next_number(file.parent, STEM)
        rename(log, file.with_name(f"{STEM}-{number:06}{file.suffix}{LOG}"))


def rescue(connection: sqlite3.Connection, folder: Path) -> int | None:
    """Take over the running game of the journal that was set aside last, if it can be played through by the rules.

    Its number is returned. One that has ended in this journal was set aside long ago, and stays as it ended.
    """
    (ended,) = connection.execute("SELECT coalesce(max(number), 0) FROM games WHERE reason IS NOT NULL").fetchone()
    aside = max(folder.glob(f"{STEM}-[0-9]*.sqlite"), default=None)
    game = None if aside is None else _last_game_of(aside)
    if game is None or not isinstance(game[0], int) or game[0] <= ended:
        return None
    marks = ", ".join("?" for _ in game)
    connection.execute(f"INSERT OR REPLACE INTO games ({_GAME}) VALUES ({marks})", game)  # noqa: S608 - our names
    return game[0]


def _last_game_of(file: Path) -> tuple[object, ...] | None:
    try:
        with contextlib.closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)) as connection:
            row: tuple[object, ...] | None = connection.execute(
                f"SELECT {_GAME} FROM games WHERE reason IS NULL AND number = (SELECT max(number) FROM games)"  # noqa: S608
            ).fetchone()
        if row is not None:
            parse_record(str(row[3]))
    except (sqlite3.Error, QuartoError):
        return None
    return row


def close_last_game(connection: sqlite3.Connection, rescued: int | None = None) -> None:
    """End what a backup has as the running game: by now it is over, or has gone on without being kept."""
    running = "SELECT number, record FROM games WHERE reason IS NULL AND number IS NOT ?"
    rows = connection.execute(running, (rescued,)).fetchall()
    for number, text in rows:
        connection.execute(
            "UPDATE games SET reason = ?, record = ? WHERE number = ?", ("unfinished", _ended(text), number)
        )


def _ended(text: str) -> str:
    """A record with its end; one that nobody can read stays as it is."""
    try:
        record = parse_record(text)
    except QuartoError:
        return text
    return text if record.game.over else str(Record(apply(record.game, Clear()), record.headers))

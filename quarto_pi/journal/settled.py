"""The journal's queue for the hub of a chain: settled actions, and the history in which their numbers mean something.

A history belongs to one journal. It is made anew with every journal that is made, restored from a backup or put back,
so that a number never means two things. What is still queued of an older history keeps that history's id.
"""

from __future__ import annotations

import contextlib
import secrets
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from quarto_pi.journal.records import NewestAction, SettledRow, TakenRow, unfinished_at
from quarto_pi.rules import QuartoError, parse_record
from quarto_pi.rules.notation import EMPTY_BOARD

TABLES: Final = (
    # One row at most. The rest of it is the newest action that has been taken out of the queue: the next number comes
    # after it, whatever is still queued.
    "CREATE TABLE history (id TEXT NOT NULL, game INTEGER NOT NULL, number INTEGER NOT NULL, is_over INTEGER NOT NULL)",
    """CREATE TABLE settled (
            history TEXT NOT NULL,
            game INTEGER NOT NULL,
            number INTEGER NOT NULL,
            at REAL NOT NULL,
            told TEXT NOT NULL,
            PRIMARY KEY (history, game, number)
        ) WITHOUT ROWID""",
)
"""A board that is on no chain never writes to them."""

# What was written by a transaction of which nobody heard the end is the same when it is written again.
_QUEUE: Final = """INSERT OR IGNORE INTO settled (history, game, number, at, told)
    SELECT id, ?, ?, ?, ? FROM history"""
_NEWEST_OF: Final = """SELECT game, number, at, told FROM settled WHERE history = ? AND game = ? AND number <= ?
    ORDER BY number DESC LIMIT 1"""
_NEWEST: Final = """SELECT game, number, at, told FROM settled WHERE history = ?
    ORDER BY game DESC, number DESC LIMIT 1"""
# Named: a number behind a question mark is warned of by Python 3.12.
_PASSED: Final = """UPDATE history SET game = :game, number = :number, is_over = :is_over
    WHERE id = :history AND (game, number) < (:game, :number)"""
_TAKE: Final = "DELETE FROM settled WHERE history = ? AND game = ? AND number <= ?"
_ALL: Final = "SELECT history, game, number, at, told FROM settled ORDER BY history, game, number"
_ADD: Final = "INSERT OR IGNORE INTO settled (history, game, number, at, told) VALUES (?, ?, ?, ?, ?)"


def queue(connection: sqlite3.Connection, rows: Iterable[SettledRow], shift: int = 0) -> None:
    """Add what is settled, within a transaction."""
    connection.executemany(_QUEUE, [(row.game + shift, row.number, row.at, row.told) for row in rows])


def take_out(connection: sqlite3.Connection, taken: Iterable[TakenRow]) -> None:
    """Remove what the hub has taken, within a transaction."""
    for each in taken:
        key = (each.history, each.game, each.number)
        newest = connection.execute(_NEWEST_OF, key).fetchone()
        if newest is None:
            continue
        passed = NewestAction.of(SettledRow(*newest))
        now = {"game": passed.game, "number": passed.number, "is_over": passed.is_over, "history": each.history}
        connection.execute(_PASSED, now)
        connection.execute(_TAKE, key)


def history_of(connection: sqlite3.Connection) -> str | None:
    """The id of a journal's history; None where it has never been on a chain."""
    row = connection.execute("SELECT id FROM history").fetchone()
    return None if row is None else str(row[0])


def newest_action(connection: sqlite3.Connection) -> NewestAction:
    """The newest action that has a number in a journal's history."""
    row = connection.execute("SELECT id, game, number, is_over FROM history").fetchone()
    if row is None:
        return NewestAction()
    taken = NewestAction(row[1], row[2], is_over=bool(row[3]))
    queued = connection.execute(_NEWEST, (row[0],)).fetchone()
    if queued is None:
        return taken
    return max(taken, NewestAction.of(SettledRow(*queued)), key=lambda action: (action.game, action.number))


def ensure_history(connection: sqlite3.Connection) -> str:
    """The id of a journal's history, which begins now if it has none yet."""
    history = history_of(connection)
    if history is None:
        history = secrets.token_hex(8)
        with _transaction(connection):
            connection.execute("INSERT INTO history VALUES (?, 0, 0, 1)", (history,))
    return history


def end_cut_off(connection: sqlite3.Connection, going_on: int | None = None) -> None:
    """End the game that the hub was told of last as unfinished, unless it is the one that goes on now.

    It was played on meanwhile without being told, or cannot be gone on with.
    """
    newest = newest_action(connection)
    if newest.is_over or newest.game == going_on:
        return
    end = unfinished_at(_position_of(connection, newest.game))
    with _transaction(connection):
        queue(connection, [SettledRow(newest.game, newest.number + 1, 0.0, end)])


@contextlib.contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except sqlite3.Error:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _position_of(connection: sqlite3.Connection, game: int) -> str:
    row = connection.execute("SELECT record FROM games WHERE number = ?", (game,)).fetchone()
    try:
        return EMPTY_BOARD if row is None else str(parse_record(row[0]).game.position)
    except QuartoError:
        return EMPTY_BOARD


def keep_history(connection: sqlite3.Connection, history: str, newest: NewestAction) -> None:
    """Have a journal that has taken another one's place in mid-evening go on with the numbers of the running board."""
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("DELETE FROM history")
    connection.execute("INSERT INTO history VALUES (?, ?, ?, ?)", (history, newest.game, newest.number, newest.is_over))
    connection.execute("COMMIT")


# --- A journal that takes another one's place -------------------------------------------------------------------------


def forget_history(connection: sqlite3.Connection, *, with_queue: bool) -> None:
    """Have a copy of a journal begin a history of its own; what is queued in it may be another board's."""
    connection.execute("DELETE FROM history")
    if with_queue:
        connection.execute("DELETE FROM settled")


def hand_on_queue(old: Path, connection: sqlite3.Connection) -> None:
    """Add what is queued in an older journal, as far as it can be read."""
    with contextlib.suppress(sqlite3.Error), contextlib.closing(_to_look_into(old)) as source:
        for row in source.execute(_ALL):
            if _is_queued(row):
                connection.execute(_ADD, row)


def _to_look_into(file: Path) -> sqlite3.Connection:
    # Where no log is to be read, none is made.
    log = file.with_name(f"{file.name}-wal")
    has_log = log.is_file() and log.stat().st_size > 0
    return sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro{'' if has_log else '&immutable=1'}", uri=True)


def _is_queued(row: tuple[object, ...]) -> bool:
    """Whether what was read of a damaged page is a settled action."""
    history, game, number, at, told = row
    if not (isinstance(history, str) and isinstance(told, str) and isinstance(at, float)):
        return False
    if not (type(game) is int and type(number) is int and game > 0 and number > 0):
        return False
    try:
        return SettledRow(game, number, at, told).ends_game in (True, False)
    except (ValueError, KeyError, TypeError):
        return False

"""The journal itself: entries go in, each of them whole or not at all, and what was kept comes out; its tables.

`MIGRATIONS[n]` leads from version n to version n + 1; `PRAGMA user_version` says which version a file has.
"""

from __future__ import annotations

import errno
import json
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import astuple, dataclass, fields, replace
from pathlib import Path
from typing import Final

from quarto_pi.files import sync_folder
from quarto_pi.journal import settled
from quarto_pi.journal.records import SCORE_KEYS, SKILL_KEYS, Entry, GameRow, as_settings, chosen
from quarto_pi.referee import Settings
from quarto_pi.referee.messages import Storage
from quarto_pi.referee.resuming import Interrupted
from quarto_pi.referee.tally import NEWCOMER, Skill
from quarto_pi.rules import PIECES, Game, Player, QuartoError, Record, parse_record

# --- What can be wrong with a journal ---------------------------------------------------------------------------------


class JournalError(QuartoError):
    """A journal that cannot be used; the text says why and what to do."""


class JournalNewer(JournalError):
    """A journal that a newer quarto-pi has written: it is left alone."""


class JournalDamaged(JournalError):
    """A journal that is not sound."""


def storage_of(error: Exception, folder: Path) -> Storage:
    """What an error says about the storage that has this folder, as people are told of it."""
    if isinstance(error, JournalNewer):
        return Storage.NEWER
    if isinstance(error, sqlite3.Error):
        # The lowest byte is the primary code, whatever the extended one adds.
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code == sqlite3.SQLITE_FULL:
            return Storage.FULL
        if code == sqlite3.SQLITE_READONLY:
            return Storage.READ_ONLY
        if code in (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN):
            # A log or its index that cannot be made is told as any other trouble with the storage.
            return _seen_of(folder)
    if isinstance(error, OSError):
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            return Storage.FULL
        if error.errno in (errno.EROFS, errno.EACCES, errno.EPERM):
            return Storage.READ_ONLY
    return Storage.BROKEN


def _seen_of(folder: Path) -> Storage:
    """What the system says about a storage in trouble."""
    try:
        seen = os.statvfs(folder)
    except OSError:
        return Storage.BROKEN
    if seen.f_flag & os.ST_RDONLY or not os.access(folder, os.W_OK):
        return Storage.READ_ONLY
    is_full = seen.f_bavail * seen.f_frsize < LEAST_ROOM or (seen.f_files > 0 and seen.f_favail == 0)
    return Storage.FULL if is_full else Storage.BROKEN


LEAST_ROOM: Final = 65_536
"""The index of a log needs half of this at once: with less free the storage is full, whatever SQLite calls it."""


# --- The names of files beside the journal, which outlive a power cut and tell which came first -----------------------


def rename(old: Path, new: Path) -> None:
    """Rename a file, for good."""
    old.rename(new)
    sync_folder(new.parent)


def next_number(folder: Path, stem: str) -> int:
    """One more than the highest number of the files `STEM-NUMBER…`: a Pi does not know the time when it starts."""
    numbers = [name.name.removeprefix(f"{stem}-")[:6] for name in folder.glob(f"{stem}-[0-9]*")]
    return 1 + max((int(number) for number in numbers if number.isdecimal()), default=0)


# --- What the journal's file is called --------------------------------------------------------------------------------

JOURNAL_FILE: Final = "journal.sqlite"


# --- The journal itself: entries go in, each of them whole or not at all, and what was kept comes out again -----------

EVENTS_OF_GAMES: Final = 500
"""What was told is kept of so many games; their records, results and times are kept of all."""
MOST_EVENTS: Final = 50_000
"""And of what is told without end while no game ends, as by a reader with a loose wire, only so much: the newest."""

_COLUMNS: Final = ", ".join(field.name for field in fields(GameRow))
_MARKS: Final = ", ".join("?" for _ in fields(GameRow))
_SAVE: Final = f"INSERT OR REPLACE INTO games ({_COLUMNS}) VALUES ({_MARKS})"  # noqa: S608 - our own names
_EVENT: Final = "INSERT INTO events (game, at, told) VALUES (?, ?, ?)"
# Events are in the order of their games; an index for the few that go would be written with every event that comes.
_FORGET: Final = "DELETE FROM events WHERE id IN (SELECT id FROM events ORDER BY id LIMIT 500) AND game <= ?"
_BOUND: Final = "DELETE FROM events WHERE id <= (SELECT max(id) FROM events) - ?"
_LOST: Final = """INSERT INTO readers (cell, faults, lost) VALUES (?, 1, ?)
    ON CONFLICT (cell) DO UPDATE SET faults = faults + 1, lost = excluded.lost"""
_RECOVERED: Final = """INSERT INTO readers (cell, recovered) VALUES (?, ?)
    ON CONFLICT (cell) DO UPDATE SET recovered = excluded.recovered"""
MATCHES_KEPT: Final = 20
"""So many games with other boards are kept as both boards have them; their records stand among all games."""
_MATCH: Final = "INSERT INTO matches (name, kept) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET kept = excluded.kept"
_FORGET_MATCHES: Final = "DELETE FROM matches WHERE id <= (SELECT max(id) FROM matches) - ?"
_CHOICE: Final = "INSERT OR REPLACE INTO settings (key, chosen, file) VALUES (?, ?, ?)"


@dataclass(frozen=True, slots=True)
class KeptGame:
    """A game that was kept: its record, and when and how it was played."""

    number: int
    begun: float
    ended: float | None
    played_ms: int
    levels: tuple[int | None, int | None]
    record: Record

    @property
    def game(self) -> Game:
        """The game itself."""
        return self.record.game


def write(connection: sqlite3.Connection, entries: Iterable[Entry], shift: int = 0) -> None:
    """Write entries in one transaction; games that began before there was a journal are numbered on from its last."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        for entry in entries:
            _write(connection, entry, shift)
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _write(connection: sqlite3.Connection, entry: Entry, shift: int) -> None:
    for each in entry.games:
        game = replace(each, number=each.number + shift)
        connection.execute(_SAVE, astuple(game))
        if game.reason is not None:
            connection.execute(_FORGET, (game.number - EVENTS_OF_GAMES,))
    if entry.events:
        connection.executemany(_EVENT, ((event.game + shift, event.at, event.told) for event in entry.events))
        connection.execute(_BOUND, (MOST_EVENTS,))
    for reader in entry.readers:
        connection.execute(_LOST if reader.lost else _RECOVERED, (reader.cell, reader.at))
    connection.executemany(_CHOICE, (astuple(choice) for choice in entry.choices))
    if entry.settled:
        settled.queue(connection, entry.settled, shift)
    settled.take_out(connection, entry.taken)
    for amended in entry.amended:
        values = (amended.record, amended.winner, amended.reason, amended.number + shift)
        connection.execute("UPDATE games SET record = ?, winner = ?, reason = ? WHERE number = ?", values)
    if entry.matches:
        connection.executemany(_MATCH, (astuple(match) for match in entry.matches))
        connection.execute(_FORGET_MATCHES, (MATCHES_KEPT,))


# --- what was kept ----------------------------------------------------------------------------------------------------


def last_number(connection: sqlite3.Connection) -> int:
    """The number of the last game; 0 before the first."""
    (number,) = connection.execute("SELECT coalesce(max(number), 0) FROM games").fetchone()
    return int(number)


def wishes(connection: sqlite3.Connection, file: Settings) -> Settings:
    """How the next game is to be played: as people chose, unless the file has been changed since."""
    rows = connection.execute("SELECT key, chosen, file FROM settings").fetchall()
    return chosen({key: (choice, said) for key, choice, said in rows}, file)


def last_game(connection: sqlite3.Connection, like: Settings) -> tuple[Interrupted, float] | None:
    """The last game and when it has begun, to be gone on with by these wishes; None where there is none."""
    row = connection.execute(
        "SELECT settings, record, waits, begun, played_ms FROM games ORDER BY number DESC LIMIT 1"
    ).fetchone()
    if row is None:
        return None
    settings, record, waits, begun, played_ms = row
    try:
        game = parse_record(record).game
        told = json.loads(waits)
        kept = as_settings(json.loads(settings), like)
    except (QuartoError, ValueError):
        # What cannot be read cannot be gone on with; it stays where it is.
        return None
    # What concerns no rule changes at once, in a game that is under way as well.
    kept = kept.heeding(like)
    latched, left_over = told.get("latched"), told.get("left_over")
    first, second = (told.get(key, 0) for key in SCORE_KEYS)
    interrupted = Interrupted(
        game,
        kept,
        played_ms,
        latched=None if latched is None else Player(latched),
        used_ms=told.get("used_ms"),
        told=bool(told.get("told")),
        left_over=None if left_over is None else PIECES[left_over],
        score=(first, second),
        skill=Skill(told["skill"] / 1000, told["skill_games"]) if set(SKILL_KEYS) <= set(told) else NEWCOMER,
    )
    return interrupted, begun


def matches(connection: sqlite3.Connection) -> tuple[str, ...]:
    """The games with other boards that are kept as both boards have them, the oldest first."""
    return tuple(kept for (kept,) in connection.execute("SELECT kept FROM matches ORDER BY id"))


def games(
    connection: sqlite3.Connection,
    *,
    unfinished: bool = False,
    number: int | None = None,
    newest: int = -1,
    unreadable: Callable[[int, QuartoError], None] = lambda _number, _why: None,
) -> Iterator[KeptGame]:
    """Games that were kept, the oldest first: those that have ended, or all; one of them; or the newest so many.

    A game that was abandoned has not been finished. One that cannot be read is told of and left out.
    """
    # The plus keeps SQLite from looking up all games by their reason: from the last one backwards it reads a few.
    asked = ["1"] if unfinished else ["+reason IN ('call', 'auto', 'draw', 'forfeit')"]
    values: list[int] = []
    if number is not None:
        asked, values = ["number = ?"], [number]
    rows = connection.execute(
        "SELECT * FROM (SELECT number, begun, ended, played_ms, level_a, level_b, record FROM games "  # noqa: S608
        f"WHERE {' AND '.join(asked)} ORDER BY number DESC LIMIT ?) ORDER BY number",
        (*values, newest),
    ).fetchall()  # At once: while somebody is still reading, the log of what is being written only grows.
    for each, begun, ended, played_ms, level_a, level_b, record in rows:
        try:
            read = parse_record(record)
        except QuartoError as error:
            unreadable(each, error)
            continue
        yield KeptGame(each, begun, ended, played_ms, (level_a, level_b), read)


APPLICATION: Final = 0x51506A31
"""What SQLite files of ours say that they are: `QPj1`."""

MIGRATIONS: Final = (
    (
        """CREATE TABLE games (
            number INTEGER PRIMARY KEY,
            begun REAL NOT NULL,
            ended REAL,
            settings TEXT NOT NULL,
            record TEXT NOT NULL,
            waits TEXT NOT NULL,
            winner INTEGER,
            reason TEXT,
            played_ms INTEGER NOT NULL,
            missed INTEGER NOT NULL,
            level_a INTEGER,
            level_b INTEGER
        )""",
        # What is counted over all games is read from here, without touching the records; while a game is under way
        # nothing of it is written.
        """CREATE INDEX counted ON games (reason, winner, level_a, level_b, played_ms, missed)
            WHERE reason IS NOT NULL""",
        "CREATE TABLE events (id INTEGER PRIMARY KEY, game INTEGER NOT NULL, at REAL NOT NULL, told TEXT NOT NULL)",
        "CREATE TABLE settings (key TEXT PRIMARY KEY, chosen TEXT NOT NULL, file TEXT NOT NULL) WITHOUT ROWID",
        """CREATE TABLE readers (
            cell TEXT PRIMARY KEY,
            faults INTEGER NOT NULL DEFAULT 0,
            lost REAL,
            recovered REAL
        ) WITHOUT ROWID""",
    ),
    settled.TABLES,
    ("CREATE TABLE matches (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, kept TEXT NOT NULL)",),
)
SCHEMA_VERSION: Final = len(MIGRATIONS)


def refuse_newer(version: int, file: Path) -> None:
    """Refuse what a newer quarto-pi has written."""
    if version > SCHEMA_VERSION:
        raise JournalNewer(
            f"the journal {file} was written by a newer quarto-pi (version {version} of its tables, this one knows "
            f"{SCHEMA_VERSION}) and is left as it is: install the newer quarto-pi again, or keep the journal elsewhere."
        )


def check_tables(connection: sqlite3.Connection, file: Path) -> None:
    """Refuse what is newer, no journal at all, or has not the tables that its version has."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    found = set(connection.execute("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL"))
    if found and application != APPLICATION:
        raise JournalDamaged(f"{file} is an SQLite file, but no journal of quarto-pi.")
    refuse_newer(version, file)
    if version < 0 or not _tables_of(version) <= found or (found and not version):
        raise JournalDamaged(f"the journal {file} is damaged (its tables are not those of its version {version}).")


def _tables_of(version: int) -> set[tuple[str, str]]:
    with closing(sqlite3.connect(":memory:")) as example:
        for statement in (statement for migration in MIGRATIONS[: max(0, version)] for statement in migration):
            example.execute(statement)
        return set(example.execute("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL"))


def upgrade(connection: sqlite3.Connection, file: Path, migrations: Sequence[Sequence[str]] = MIGRATIONS) -> None:
    """Bring a journal up to date, in one transaction; refuse what is newer."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    refuse_newer(version, file)
    if version == len(migrations):
        return
    connection.execute("BEGIN IMMEDIATE")
    for migration in migrations[version:]:
        for statement in migration:
            connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {APPLICATION}")
    connection.execute(f"PRAGMA user_version = {len(migrations)}")
    connection.execute("COMMIT")
    # Whoever looks at the file alone, without what is still in the log, is to see its version.
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

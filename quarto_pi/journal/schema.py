"""The tables of the journal, and how older files are brought up to date.

`MIGRATIONS[n]` leads from version n to version n + 1; `PRAGMA user_version` says which version a file has.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from quarto_pi.journal.journal import JournalDamaged, JournalNewer

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
)
SCHEMA_VERSION: Final = len(MIGRATIONS)


def refuse_newer(version: int, file: Path) -> None:
    """Refuse what a newer quarto-pi has written."""
    if version > SCHEMA_VERSION:
        raise JournalNewer(
            f"the journal {file} was written by a newer quarto-pi (version {version} of its tables, this one knows "
            f"{SCHEMA_VERSION}) and is left as it is: install the newer quarto-pi again, or keep the journal elsewhere."
        )


def upgrade(connection: sqlite3.Connection, file: Path, migrations: Sequence[Sequence[str]] = MIGRATIONS) -> None:
    """Bring a journal up to date, in one transaction; refuse what is newer or no journal at all."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    if tables and application != APPLICATION:
        raise JournalDamaged(f"{file} is an SQLite file, but no journal of quarto-pi.")
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

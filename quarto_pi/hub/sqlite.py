"""The database of a house: one SQLite file, in which what was committed outlives a pulled plug."""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from quarto_pi.hub.schema import HUB_MIGRATIONS, Rows
from quarto_pi.hub.store import StoreAway, StoreRefused
from quarto_pi.hub.tables import SqlStore

HUB_APPLICATION: Final = 0x51506831
"""What SQLite files of a hub say that they are: `QPh1`."""
_PATIENCE: Final = 10.0
_OF_THE_VALUES: Final = (sqlite3.DataError, sqlite3.IntegrityError, sqlite3.InterfaceError, sqlite3.NotSupportedError)
"""Errors about what was to be written: the database is there."""


class SqliteDatabase:
    """A connection to the file; with a log, and synced at each commit, as the journal of a board."""

    row_lock = ""

    def __init__(self, file: Path) -> None:
        try:
            self._connection = sqlite3.connect(file, timeout=_PATIENCE, isolation_level=None, check_same_thread=False)
        except sqlite3.Error as error:
            raise StoreAway(f"the hub's database {file} cannot be opened ({error}): look at its folder.") from error
        self._file = file
        self._is_within = False
        try:
            self._prepare()
        except BaseException:
            self._connection.close()
            raise

    def _prepare(self) -> None:
        try:
            (application,) = self._connection.execute("PRAGMA application_id").fetchone()
            (tables,) = self._connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
            if tables and application != HUB_APPLICATION:
                raise StoreRefused(f"{self._file} is an SQLite file, but no database of a hub: take it away.")
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA synchronous = FULL")
            if not tables:
                self._connection.execute(f"PRAGMA application_id = {HUB_APPLICATION}")
        except sqlite3.DatabaseError as error:
            if getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
                raise StoreRefused(
                    f"the hub's database {self._file} is damaged ({error}): put a copy back, or take it away, and the "
                    "hub begins a new one."
                ) from error
            raise StoreAway(f"the hub's database {self._file} cannot be used ({error}).") from error

    def run(self, sql: str, values: Sequence[object] = ()) -> Rows:
        """Run a statement, and return its rows."""
        try:
            return self._connection.execute(sql, tuple(values)).fetchall()
        except _OF_THE_VALUES:
            raise
        except sqlite3.Error as error:
            raise StoreAway(f"the hub's database {self._file} refuses ({error}): is its disk full?") from error

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All that is run within it is done, or nothing of it; one within another is a part of it."""
        if self._is_within:
            yield
            return
        # Where an earlier one could not be rolled back this is refused, and nothing becomes a part of it.
        self.run("BEGIN IMMEDIATE")
        self._is_within = True
        try:
            yield
            self.run("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
            raise
        finally:
            self._is_within = False

    def has_tables(self) -> bool:
        """Whether there are tables of a hub."""
        return bool(self.run("SELECT 1 FROM sqlite_schema WHERE name = 'hub'"))

    def lock_schema(self) -> None:
        """Nothing: a transaction that may write has the file for itself."""

    def close(self) -> None:
        """Let go of it."""
        self._connection.close()


def make_private(file: Path) -> None:
    """Make an empty database for nobody but its owner to read, where none is; its log gets the same mode by SQLite."""
    # A file is not opened for that: closing it would let go of all locks that this process has on it.
    try:
        os.mknod(file, stat.S_IFREG | 0o600)
    except FileExistsError:
        return
    except OSError as error:
        raise StoreAway(f"the hub's database {file} cannot be made ({error.strerror}): look at its folder.") from error


def open_sqlite(file: Path, migrations: Sequence[Sequence[str]] = HUB_MIGRATIONS) -> SqlStore:
    """The store in this file, made or brought up to date."""
    database = SqliteDatabase(file)
    try:
        return SqlStore(database, migrations, f"the hub's database {file}")
    except BaseException:
        database.close()
        raise

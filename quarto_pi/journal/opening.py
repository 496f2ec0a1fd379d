"""Opening the journal: checked at every start, upgraded if it is older, set aside if it is not sound."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from urllib.parse import quote

from quarto_pi.files import sync_folder
from quarto_pi.journal import backups, damage
from quarto_pi.journal.errors import JournalDamaged, JournalError
from quarto_pi.journal.place import FILE
from quarto_pi.journal.schema import refuse_newer, upgrade

SYNCHRONOUS: Final = "FULL"
"""A transaction is on the storage itself when it is committed; with `NORMAL` the last ones are lost with the power."""
CACHE_KB: Final = 512
"""What is written are the last pages of each table: more of the file need not stay in memory as it grows."""
MOST_LOG_BYTES: Final = 4_194_304
"""A log that has become longer, because somebody was reading for long, is cut back to this when it begins anew."""
BUSY_SECONDS: Final = 2.0
"""So long is waited for somebody else who writes, such as a copy being made."""


def open_checked(folder: Path) -> tuple[sqlite3.Connection, str | None]:
    """The journal in a folder, made where there is none, and what had to be done about an older one.

    A journal that is not sound is set aside with a note. The newest backup that is sound takes its place, with what
    could still be read of the last game; without a backup a new journal begins. A journal that is missing beside its
    backups is one whose repair a power cut has interrupted.
    """
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / FILE
    damage.finish_setting_aside(file)
    note = None
    if file.exists():
        try:
            return _opened(file), None
        except JournalDamaged as error:
            note = damage.set_aside(file, str(error))
    taken = backups.take_over(folder, file)
    connection = _opened(file)
    if taken is not None:
        missing = f"The journal {file} is missing"
        return connection, f"{note or missing}; its backup {taken.name} has taken its place."
    if note is None:
        return connection, None
    damage.rescue(connection, folder)
    return connection, f"{note}; a new one has begun."


def _opened(file: Path) -> sqlite3.Connection:
    """A connection to a journal that is sound and up to date."""
    is_new = not file.exists()
    if not is_new:
        refuse_newer(_version_in_file(file), file)
    connection = connect(file)
    try:
        check(connection, file)
        upgrade(connection, file)
    except sqlite3.OperationalError:
        # The storage's trouble, not the file's: full, read-only, or in use.
        connection.close()
        raise
    except sqlite3.DatabaseError as error:
        connection.close()
        raise JournalDamaged(f"the journal {file} is damaged ({error}).") from error
    except JournalError:
        connection.close()
        raise
    if is_new:
        sync_folder(file.parent)
    return connection


def connect(file: Path) -> sqlite3.Connection:
    """A connection whose transactions are safe once they have been committed."""
    # The loop's thread opens it and hands it over to the keeper's.
    connection = sqlite3.connect(file, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute(f"PRAGMA synchronous = {SYNCHRONOUS}")
        connection.execute(f"PRAGMA cache_size = -{CACHE_KB}")
        connection.execute(f"PRAGMA journal_size_limit = {MOST_LOG_BYTES}")
    except sqlite3.OperationalError:
        connection.close()
        raise
    except sqlite3.DatabaseError as error:
        connection.close()
        raise JournalDamaged(f"the journal {file} is damaged ({error}).") from error
    return connection


def check(connection: sqlite3.Connection, file: Path) -> None:
    """Refuse a journal whose pages are not sound."""
    found = [row[0] for row in connection.execute("PRAGMA quick_check(3)")]
    if found != ["ok"]:
        raise JournalDamaged(f"the journal {file} is damaged ({found[0]}).")


@contextlib.contextmanager
def reading(folder: Path) -> Iterator[sqlite3.Connection]:
    """The journal to be read only, also while the controller writes it."""
    file = folder / FILE
    if not file.is_file():
        raise JournalError(f"there is no journal in {folder}: no game has been kept there yet.")
    try:
        connection = sqlite3.connect(f"file:{quote(str(file))}?mode=ro", timeout=BUSY_SECONDS, uri=True)
    except sqlite3.Error as error:
        raise _unreadable(file, error) from error
    with contextlib.closing(connection):
        try:
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            refuse_newer(version, file)
            yield connection
        except sqlite3.Error as error:
            raise _unreadable(file, error) from error


def _unreadable(file: Path, error: sqlite3.Error) -> JournalError:
    return JournalError(
        f"the journal {file} cannot be read ({error}): start the board, which checks it and sets it aside if need be."
    )


def _version_in_file(file: Path) -> int:
    """The version as it stands in the file's first page, read without touching anything."""
    with file.open("rb") as stream:
        head = stream.read(100)
    return int.from_bytes(head[60:64], "big") if head.startswith(b"SQLite format 3\0") and len(head) == 100 else 0

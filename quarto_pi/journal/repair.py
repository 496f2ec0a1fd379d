"""Opening the journal: checked at every start, upgraded if it is older, set aside if it is not sound."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import quote

from quarto_pi.journal import backups, settled
from quarto_pi.journal.journal import (
    JOURNAL_FILE,
    JournalDamaged,
    JournalError,
    JournalNewer,
    check_tables,
    next_number,
    refuse_newer,
    rename,
    upgrade,
)

SYNCHRONOUS: Final = "FULL"
"""A transaction is on the storage itself when it is committed; with `NORMAL` the last ones are lost with the power."""
CACHE_KB: Final = 512
"""What is written are the last pages of each table: more of the file need not stay in memory as it grows."""
MOST_LOG_BYTES: Final = 4_194_304
"""A log that has become longer, because somebody was reading for long, is cut back to this when it begins anew."""
BUSY_SECONDS: Final = 2.0
"""How long to wait for another who writes, such as a copy being made."""


def open_checked(folder: Path) -> tuple[sqlite3.Connection, str | None]:
    """The journal in a folder, made where there is none, and what had to be done about an older one.

    A journal that is not sound is set aside with a note, byte for byte. The newest backup that is sound takes its
    place, with what could still be read of the damaged file; without a backup a new journal begins. A journal that is
    missing beside its backups is one whose repair a power cut has interrupted.
    """
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / JOURNAL_FILE
    if file.is_symlink() and not file.exists():
        raise JournalError(f"the journal {file} is a link to {file.readlink()}, which is not there: connect that.")
    _take_in(folder, file)
    backups.finish_setting_aside(file)
    note = None
    if file.exists() and not _is_blank(file):
        try:
            is_looked_at = refuse_unsound(file)
            return _opened(file, is_looked_at=is_looked_at), None
        except JournalDamaged as error:
            note = backups.set_aside(file, str(error))
    taken = backups.take_over(folder, file)
    if taken is None:
        _begin(file)
    connection = _opened(file, is_looked_at=True)
    if taken is not None:
        missing = f"The journal {file} is missing"
        return connection, f"{note or missing}; its backup {taken.name} has taken its place."
    if note is None:
        return connection, None
    backups.rescue(connection, folder)
    return connection, f"{note}; a new one has begun."


INCOMING: Final = "incoming.sqlite"
"""What `restore` has made ready to take the journal's place."""
REPLACED_STEM: Final = "replaced"
KEPT_REPLACED: Final = 3


def _take_in(folder: Path, file: Path) -> None:
    """Put what is to be put back into the journal's place, and keep what was there."""
    incoming = folder / INCOMING
    if not incoming.is_file():
        return
    if file.is_file():
        # Closing it brings all that stands in its log into the file; one that is not sound stays as it is.
        with contextlib.suppress(sqlite3.Error, JournalError), contextlib.closing(connect(file)):
            pass
        # What waits for the hub of a chain has been played, whatever takes the place of the games.
        with contextlib.closing(sqlite3.connect(incoming, isolation_level=None)) as ready:
            settled.hand_on_queue(file, ready)
    if os.path.lexists(file):
        backups.rename_all(file, folder / f"{REPLACED_STEM}-{next_number(folder, REPLACED_STEM):06}.sqlite")
    backups.finish_setting_aside(file)
    rename(incoming, file)
    for old in sorted(folder.glob(f"{REPLACED_STEM}-[0-9]*.sqlite"), reverse=True)[KEPT_REPLACED:]:
        if old.is_file():
            backups.blank(old)


def _is_blank(file: Path) -> bool:
    """Whether this is an empty file where there was never a journal, so that nothing is lost if one begins here."""
    return file.is_file() and file.stat().st_size == 0 and not backups.has_history(file)


def refuse_unsound(file: Path) -> bool:
    """Refuse a journal that is not sound, or newer than this program, and change nothing of it.

    False if nobody can tell without writing: then the storage is in trouble, or a transaction has to be undone first.
    """
    if not file.is_file():
        raise JournalDamaged(f"{file} is a {'folder' if file.is_dir() else 'device'} in the place of the journal.")
    if file.stat().st_size == 0:
        raise JournalDamaged(f"the journal {file} is damaged (it is empty, and there was one before).")
    refuse_newer(_version_in_file(file), file)
    try:
        with contextlib.closing(
            sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", timeout=BUSY_SECONDS, uri=True)
        ) as connection:
            check(connection, file)
    except sqlite3.OperationalError:
        return False
    except sqlite3.DatabaseError as error:
        raise JournalDamaged(f"the journal {file} is damaged ({error}).") from error
    return True


def _begin(file: Path) -> None:
    """Make a new journal beside its place and put it there: a power cut leaves none, or a whole one."""
    beside = backups.blank(file.with_name(f"{file.name}.new"))
    with contextlib.closing(connect(beside)) as connection:
        upgrade(connection, beside)
    rename(beside, file)


def _opened(file: Path, *, is_looked_at: bool) -> sqlite3.Connection:
    """A connection to a journal that is sound and up to date."""
    connection = connect(file)
    try:
        if not is_looked_at:
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
    return connection


def connect(file: Path) -> sqlite3.Connection:
    """A connection whose transactions are safe once they have been committed."""
    # The loop's thread opens it and hands it over to the writer's.
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
    """Refuse a journal whose pages are not sound, or whose tables are not those of its version."""
    found = [row[0] for row in connection.execute("PRAGMA quick_check(3)")]
    if found != ["ok"]:
        raise JournalDamaged(f"the journal {file} is damaged ({found[0]}).")
    check_tables(connection, file)


@contextlib.contextmanager
def reading(folder: Path) -> Iterator[sqlite3.Connection]:
    """The journal to be read only, also while the controller writes it."""
    file = folder / JOURNAL_FILE
    if not file.is_file():
        raise JournalError(f"there is no journal in {folder}: no game has been kept there yet.")
    if file.stat().st_size == 0:
        # Not even to be read: SQLite would delete its log.
        raise JournalError(f"the journal {file} is empty: start the board, which sets it aside if need be.")
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
    return (
        int.from_bytes(head[60:64], "big", signed=True)
        if head.startswith(b"SQLite format 3\0") and len(head) == 100
        else 0
    )


# --- How the journal is doing, for `quarto-pi check`: nothing of it is changed by looking -----------------------------

_RESTART: Final = "restart the board: it sets the file aside and takes over a backup"


@dataclass(frozen=True, slots=True)
class JournalCondition:
    """Whether games are safe here, what was seen, and what to do about it."""

    ok: bool
    detail: str
    fix: str | None = None


def condition_of(folder: Path) -> JournalCondition:
    """Look at a journal's version, its pages and its backups."""
    if not (folder / JOURNAL_FILE).exists():
        return JournalCondition(True, f"no game kept yet in {folder}")
    try:
        with reading(folder) as connection:
            (games,) = connection.execute("SELECT count(*) FROM games").fetchone()
            found = [row[0] for row in connection.execute("PRAGMA quick_check(1)")]
    except JournalNewer as error:
        return JournalCondition(False, str(error), "install the newer quarto-pi again, or keep the journal elsewhere")
    except (sqlite3.Error, JournalError) as error:
        return JournalCondition(False, str(error), _RESTART)
    if found != ["ok"]:
        return JournalCondition(False, f"the journal in {folder} is damaged ({found[0]})", _RESTART)
    return JournalCondition(True, f"{games} game{'' if games == 1 else 's'} in {folder}, sound; {_copies(folder)}")


def _copies(folder: Path) -> str:
    copies, aside = len(backups.all_in(folder)), len(list(folder.glob(f"{backups.DAMAGED_STEM}-*.txt")))
    said = f"{copies} backup{'' if copies == 1 else 's'}"
    return f"{said}, {aside} set aside" if aside else said

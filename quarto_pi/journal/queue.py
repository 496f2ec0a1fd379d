"""The queue for the hub as others read it beside the writer: whoever sends it, and `quarto-pi check`."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from quarto_pi.journal.journal import JOURNAL_FILE, JournalError
from quarto_pi.journal.records import SettledRow
from quarto_pi.journal.repair import reading


@dataclass(frozen=True, slots=True)
class QueueLength:
    """How many actions wait for the hub, and since which second of the calendar; 0 where nobody knows."""

    actions: int = 0
    since: float = 0.0


class SettledQueue:
    """What waits for the hub in a folder's journal; `JournalError` says why it cannot be read.

    One that `stays_open` has the file open between two looks, until it is another file or `close` is called; one thread
    does all of it.
    """

    def __init__(self, folder: Path, *, stays_open: bool = False) -> None:
        self._folder, self._stays_open = folder, stays_open
        self._open = ExitStack()
        self._file: tuple[int, int] | None = None
        self._connection: sqlite3.Connection | None = None

    def close(self) -> None:
        """Let go of the file; whoever looks again opens it again."""
        self._connection = None
        self._open.close()

    def histories(self) -> list[str]:
        """The histories of which something waits, the one that goes on last."""
        with self._reading() as connection:
            rows = connection.execute(
                "SELECT DISTINCT history FROM settled ORDER BY history IN (SELECT id FROM history), history"
            )
            return [row[0] for row in rows]

    def history(self) -> str:
        """The history that goes on; empty where the board has not been on a chain yet."""
        with self._reading() as connection:
            row = connection.execute("SELECT id FROM history").fetchone()
            return "" if row is None else str(row[0])

    def after(self, history: str, game: int, number: int, most: int) -> list[SettledRow]:
        """The next actions of a history after this one."""
        with self._reading() as connection:
            rows = connection.execute(
                "SELECT game, number, at, told FROM settled WHERE history = ? AND (game, number) > (?, ?) "
                "ORDER BY game, number LIMIT ?",
                (history, game, number, most),
            )
            return [SettledRow(*row) for row in rows]

    def length(self) -> QueueLength:
        """How much waits, and since when."""
        with self._reading() as connection:
            actions, since = connection.execute("SELECT count(*), min(at) FROM settled WHERE at > 0").fetchone()
            (unknown,) = connection.execute("SELECT count(*) FROM settled WHERE at <= 0").fetchone()
            return QueueLength(actions + unknown, since or 0.0)

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        """The journal that lies there now."""
        try:
            seen = (self._folder / JOURNAL_FILE).stat()
            now = seen.st_dev, seen.st_ino
        except OSError:
            now = None
        if self._connection is None or now != self._file:
            self.close()
            self._connection, self._file = self._open.enter_context(reading(self._folder)), now
        try:
            yield self._connection
        except sqlite3.Error as error:
            self.close()
            raise JournalError(f"the journal in {self._folder} cannot be read ({error}).") from error
        finally:
            if not self._stays_open:
                self.close()

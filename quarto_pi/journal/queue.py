"""The queue for the hub as others read it beside the writer: whoever sends it, and `quarto-pi check`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from quarto_pi.journal.numbering import SettledRow
from quarto_pi.journal.repair import reading


@dataclass(frozen=True, slots=True)
class QueueLength:
    """How many actions wait for the hub, and since which second of the calendar; 0 where nobody knows."""

    actions: int = 0
    since: float = 0.0


class SettledQueue:
    """What waits for the hub in a folder's journal; `JournalError` says why it cannot be read."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def histories(self) -> list[str]:
        """The histories of which something waits."""
        with reading(self._folder) as connection:
            return [row[0] for row in connection.execute("SELECT DISTINCT history FROM settled")]

    def history(self) -> str:
        """The history that goes on; empty where the board has not been on a chain yet."""
        with reading(self._folder) as connection:
            row = connection.execute("SELECT id FROM history").fetchone()
            return "" if row is None else str(row[0])

    def after(self, history: str, game: int, number: int, most: int) -> list[SettledRow]:
        """The next actions of a history after this one."""
        with reading(self._folder) as connection:
            rows = connection.execute(
                "SELECT game, number, at, told FROM settled WHERE history = ? AND (game, number) > (?, ?) "
                "ORDER BY game, number LIMIT ?",
                (history, game, number, most),
            )
            return [SettledRow(*row) for row in rows]

    def length(self) -> QueueLength:
        """How much waits, and since when."""
        with reading(self._folder) as connection:
            actions, since = connection.execute("SELECT count(*), min(at) FROM settled WHERE at > 0").fetchone()
            (unknown,) = connection.execute("SELECT count(*) FROM settled WHERE at <= 0").fetchone()
            return QueueLength(actions + unknown, since or 0.0)

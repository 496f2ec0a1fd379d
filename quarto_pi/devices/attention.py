"""Who is looked at when: squares that may change often, settled ones seldom, an idle board slowly."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil

from quarto_pi.sensing.readings import Outcome, Reading


@dataclass(frozen=True, slots=True)
class AttentionSettings:
    """Rhythm of the rounds; times are in milliseconds.

    A settled tag is left out of a round if its last look is not older than `settled_for`: at the slowest boards it is
    looked at in every other round, so that taking it away is seen about as soon as putting it down.
    """

    settled_for: int = 70
    fresh_for: int = 3_000
    idle_after: int = 60_000
    idle_interval: int = 400


class Attention:
    """Chooses the cells of each round from what the readings before have shown."""

    def __init__(self, cells: Iterable[str], settings: AttentionSettings | None = None) -> None:
        self._cells = tuple(cells)
        self._settings = settings or AttentionSettings()
        self._last: dict[str, Reading] = {}
        self._changed_at: dict[str, int] = {}
        self._board_changed_at = 0

    def note(self, reading: Reading) -> None:
        """Take a reading into account."""
        before = self._last.get(reading.cell)
        self._last[reading.cell] = reading
        if before is None or (before.outcome, before.uids) != (reading.outcome, reading.uids):
            self._changed_at[reading.cell] = reading.at
            self._board_changed_at = reading.at

    def choose(self, now: int) -> tuple[str, ...]:
        """Return the cells of the next round: those that may not wait, or else those that have waited longest."""
        due = tuple(cell for cell in self._cells if not self._may_wait(cell, now))
        if due:
            return due
        waiting = sorted(self._cells, key=lambda cell: self._last[cell].at)
        return tuple(waiting[: ceil(len(waiting) / 3)])

    def _may_wait(self, cell: str, now: int) -> bool:
        reading = self._last.get(cell)
        if reading is None or reading.outcome not in (Outcome.TAG, Outcome.DEAD):
            return False
        is_settled = now - self._changed_at[cell] >= self._settings.fresh_for
        return is_settled and now - reading.at < self._settings.settled_for

    def pause(self, now: int) -> int:
        """Return how many milliseconds may pass before the next round."""
        quiet_for = now - self._board_changed_at
        return self._settings.idle_interval if quiet_for >= self._settings.idle_after else 0

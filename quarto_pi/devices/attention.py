"""Who is looked at when: squares that may change often, settled ones seldom, an idle board slowly."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from quarto_pi.sensing.readings import Outcome, Reading


@dataclass(frozen=True, slots=True)
class AttentionSettings:
    """Rhythm of the rounds; times are in milliseconds."""

    settled_every: int = 3
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
        self._round = 0
        self._board_changed_at = 0

    def note(self, reading: Reading) -> None:
        """Take a reading into account."""
        before = self._last.get(reading.cell)
        self._last[reading.cell] = reading
        if before is None or (before.outcome, before.uids) != (reading.outcome, reading.uids):
            self._changed_at[reading.cell] = reading.at
            self._board_changed_at = reading.at

    def choose(self, now: int) -> tuple[str, ...]:
        """Return the cells of the next round; every cell comes at least each `settled_every` rounds."""
        self._round += 1
        every = self._settings.settled_every
        return tuple(
            cell
            for index, cell in enumerate(self._cells)
            if (index + self._round) % every == 0 or not self._is_settled(cell, now)
        )

    def _is_settled(self, cell: str, now: int) -> bool:
        reading = self._last.get(cell)
        if reading is None or reading.outcome not in (Outcome.TAG, Outcome.DEAD):
            return False
        return now - self._changed_at[cell] >= self._settings.fresh_for

    def pause(self, now: int) -> int:
        """Return how many milliseconds may pass before the next round."""
        quiet_for = now - self._board_changed_at
        return self._settings.idle_interval if quiet_for >= self._settings.idle_after else 0

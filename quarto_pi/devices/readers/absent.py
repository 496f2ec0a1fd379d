"""Readers and buttons of a board that cannot open what they hang on: none answers, and none is ever pressed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from quarto_pi.clock import US_PER_MS, Clock
from quarto_pi.devices.readers.health import ReaderHealth, Version
from quarto_pi.devices.readers.interface import CannotCalibrate, Movement
from quarto_pi.devices.upkeep import ClosedWith
from quarto_pi.sensing.readings import Glimpse, Outcome, Reading, leave_alone

if TYPE_CHECKING:
    from quarto_pi.devices.readers.calibration import Calibration

ABSENT_PAUSE_MS: Final = 1_000


class AbsentReaders(ClosedWith):
    """The readers of these cells, all of them dead."""

    def __init__(self, cells: tuple[str, ...], clock: Clock, why: str) -> None:
        self.cells = cells
        self.sweeps = 0
        self.answering = 0
        self.pause_ms = ABSENT_PAUSE_MS
        self.not_calibrated_because = why
        self._clock = clock

    def start(self) -> dict[str, Version]:
        """Find no chip anywhere."""
        return dict.fromkeys(self.cells, Version.NO_CHIP)

    def round(self, glimpse: Glimpse = leave_alone) -> list[Reading]:
        """Read nothing."""
        del glimpse
        return self.sweep()

    def sweep(self, cells: Iterable[str] | None = None) -> list[Reading]:
        """Read nothing on these cells."""
        self.sweeps += 1
        now = self._clock.now() // US_PER_MS
        return [Reading(cell, Outcome.DEAD, (), now) for cell in (self.cells if cells is None else cells)]

    def health(self) -> dict[str, ReaderHealth]:
        """The figures of readers that were never there."""
        return {
            cell: ReaderHealth(cell, Version.NO_CHIP, self.sweeps, 0, 0, 0, 0, None, None, answers=False)
            for cell in self.cells
        }

    def calibrate(self, looks: int = 5) -> Calibration:
        """Refuse it."""
        del looks
        raise CannotCalibrate(self.not_calibrated_because)

    def close(self) -> None:
        """Nothing was opened."""


class AbsentButtons:
    """Buttons that nobody can press."""

    def movements(self) -> list[Movement]:
        """None."""
        return []

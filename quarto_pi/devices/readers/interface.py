"""What the readers of a board are to everybody above them, whatever chips they are and whatever they hang on."""

from __future__ import annotations

from collections.abc import Iterable
from types import TracebackType
from typing import TYPE_CHECKING, Protocol, Self

from quarto_pi.rules import QuartoError
from quarto_pi.sensing.readings import Glimpse, Reading, leave_alone

if TYPE_CHECKING:
    from quarto_pi.devices.readers.calibration import Calibration
    from quarto_pi.devices.readers.health import ReaderHealth, Version


class CannotCalibrate(QuartoError, RuntimeError):
    """Readers whose cross-talk cannot be measured from here; the text says what to do instead."""


class Readers(Protocol):
    """All readers of a board as one device, used by one thread; times are milliseconds of the clock they were given.

    No reader that fails, chip that is missing or bus that breaks raises anything: it is a reading, ERROR or DEAD, and
    `health` tells of it. What fails is tried again, without holding up the others. `start` comes first, and nothing
    after `close`.
    """

    @property
    def cells(self) -> tuple[str, ...]:
        """The cells that have a reader, in the order of `CELLS`."""

    @property
    def sweeps(self) -> int:
        """How often has been looked: it grows with every `round` and `sweep`, and who watches sees that it does."""

    @property
    def answering(self) -> int:
        """How many of the readers answer, 0 to all of `cells`."""

    @property
    def pause_ms(self) -> int:
        """How long may be waited before the next round without missing anything; 0 or less: not at all."""

    def start(self) -> dict[str, Version]:
        """Bring up whatever is there and return what chip each cell has; what is not there may come later."""

    def round(self, glimpse: Glimpse = leave_alone) -> list[Reading]:
        """Look at the cells whose turn it is, and return the readings: each cell once at most, as its look ended.

        It takes a second at most. `glimpse` hears of readings before the round is over, where they are known sooner.
        """

    def sweep(self, cells: Iterable[str] | None = None) -> list[Reading]:
        """Look once at each of these cells (at all, if none are named) and return a reading of each that was reached.

        `KeyError` is raised for a cell that has no reader.
        """

    def health(self) -> dict[str, ReaderHealth]:
        """The figures of every cell's reader since it came up, those of readers that do not answer as well."""

    @property
    def not_calibrated_because(self) -> str | None:
        """Why their cross-talk cannot be measured from here, and what to do instead; None where it can."""

    def calibrate(self, looks: int = 5) -> Calibration:
        """Measure cross-talk, with a piece on every square; `CannotCalibrate` is raised where that cannot be."""

    def close(self) -> None:
        """Switch off what is on and give everything back; a second call does nothing."""

    def __enter__(self) -> Self:
        """The readers themselves."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close them."""

"""The table of a café: where pieces stand, what the readers hear of it, and the button."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from quarto_pi.devices.readers.health import ReaderHealth, Version
from quarto_pi.devices.readers.interface import CannotCalibrate, Movement
from quarto_pi.devices.upkeep import ClosedWith
from quarto_pi.rules import PIECES, Piece, parse_digit
from quarto_pi.sensing.readings import CELLS, Glimpse, Outcome, Reading, leave_alone
from quarto_pi.simulation.clock import SimulatedClock

if TYPE_CHECKING:
    from quarto_pi.devices.readers.calibration import Calibration

UIDS = tuple(f"04{piece.number:02X}A1B2C3D480" for piece in PIECES)
ROUND_MS = 100.0
PRESS_MS = 90

Announce = Callable[[Piece, str | None], None]
"""Is told what hands are about to do: wood stays where it is when power fails, and somebody has to know where."""


class Wood(ClosedWith):
    """Pieces on a table, as the loop sees its readers and buttons: good readers, each looked at in every round."""

    def __init__(self, standing: dict[Piece, str], clock: SimulatedClock, announce: Announce) -> None:
        self.cells = CELLS
        self.sweeps = 0
        self.answering = len(CELLS)
        self.pause_ms = 0
        self.not_calibrated_because = "there is nothing to be measured: these readers hear their own cells only."
        self._standing = standing
        self._clock = clock
        self._announce = announce
        self._moved: list[Movement] = []

    def start(self) -> dict[str, Version]:
        """All are there."""
        return dict.fromkeys(CELLS, Version.NXP)

    def round(self, glimpse: Glimpse = leave_alone) -> list[Reading]:
        """What every reader hears."""
        del glimpse
        return self.sweep()

    def sweep(self, cells: Iterable[str] | None = None) -> list[Reading]:
        """What these readers hear."""
        self.sweeps += 1
        self._clock.advance_ms(ROUND_MS)
        at = self._clock.now() // 1_000
        heard = {cell: (UIDS[piece.number],) for piece, cell in self._standing.items()}
        return [
            Reading(cell, Outcome.TAG if cell in heard else Outcome.EMPTY, heard.get(cell, ()), at)
            for cell in (CELLS if cells is None else cells)
        ]

    def health(self) -> dict[str, ReaderHealth]:
        """All are well."""
        return {
            cell: ReaderHealth(cell, Version.NXP, self.sweeps, 0, 0, 0, 0, None, None, answers=True) for cell in CELLS
        }

    def calibrate(self, looks: int = 5) -> Calibration:
        """Refuse."""
        del looks
        raise CannotCalibrate(self.not_calibrated_because)

    def close(self) -> None:
        """Nothing was opened."""

    def movements(self) -> list[Movement]:
        """What the button has done."""
        moved, self._moved = self._moved, []
        return moved

    def put(self, piece: Piece, cell: str) -> None:
        """Put a piece down."""
        self._announce(piece, cell)
        self._standing[piece] = cell

    def lift(self, piece: Piece) -> None:
        """Take a piece up."""
        self._announce(piece, None)
        del self._standing[piece]

    @property
    def cells_taken(self) -> dict[str, Piece]:
        """What stands where."""
        return {cell: piece for piece, cell in self._standing.items()}

    def clear(self) -> None:
        """Take everything off."""
        for piece in tuple(self._standing):
            self._announce(piece, None)
            del self._standing[piece]

    def press(self) -> None:
        """Press the button."""
        now = self._clock.now() // 1_000
        self._moved += [Movement("call", down=True, at=now), Movement("call", down=False, at=now + PRESS_MS)]


def standing(text: str) -> Iterator[tuple[Piece, str]]:
    """The pieces and their cells in a text such as `7:b2,c:offer`."""
    for part in filter(None, text.split(",")):
        digit, _, cell = part.partition(":")
        yield parse_digit(digit), cell

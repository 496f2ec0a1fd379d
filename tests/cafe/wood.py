"""The table of a café: where pieces stand, what the readers hear of it, and the button."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from quarto_pi.rules import PIECES, Piece, parse_digit
from quarto_pi.sensing.readings import CELLS, Glimpse, Outcome, Reading, leave_alone
from quarto_pi.simulation.clock import SimulatedClock

UIDS = tuple(f"04{piece.number:02X}A1B2C3D480" for piece in PIECES)
ROUND_MS = 100.0
PRESS_MS = 90

Announce = Callable[[Piece, str | None], None]
"""Is told what hands are about to do: wood stays where it is when power fails, and somebody has to know where."""


class Movement(NamedTuple):
    """A button that has moved, as `devices.push_buttons` tells it; that module needs a Pi's packages."""

    name: str
    at: int
    down: bool


class Wood:
    """Pieces on a table, as the loop sees its readers and buttons."""

    def __init__(self, standing: dict[Piece, str], clock: SimulatedClock, announce: Announce) -> None:
        self.pause_ms = 0
        self._standing = standing
        self._clock = clock
        self._announce = announce
        self._moved: list[Movement] = []

    def round(self, glimpse: Glimpse = leave_alone) -> list[Reading]:
        """What every reader hears."""
        del glimpse
        self._clock.advance_ms(ROUND_MS)
        at = self._clock.now() // 1_000
        heard = {cell: (UIDS[piece.number],) for piece, cell in self._standing.items()}
        return [
            Reading(cell, Outcome.TAG if cell in heard else Outcome.EMPTY, heard.get(cell, ()), at) for cell in CELLS
        ]

    def movements(self) -> list[Any]:
        """What the button has done."""
        moved, self._moved = self._moved, []
        return moved

    def put(self, piece: Piece, cell: str) -> None:
        """Put a piece down."""
        self._announce(piece, cell)
        self._standing[piece] = cell

    def clear(self) -> None:
        """Take everything off."""
        for piece in tuple(self._standing):
            self._announce(piece, None)
            del self._standing[piece]

    def press(self) -> None:
        """Press the button."""
        now = self._clock.now() // 1_000
        self._moved += [Movement("call", now, down=True), Movement("call", now + PRESS_MS, down=False)]


def standing(text: str) -> Iterator[tuple[Piece, str]]:
    """The pieces and their cells in a text such as `7:b2,c:offer`."""
    for part in filter(None, text.split(",")):
        digit, _, cell = part.partition(":")
        yield parse_digit(digit), cell

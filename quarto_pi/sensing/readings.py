"""One reading of one cell, as it leaves the readers; the cells, and which of them touch."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import Final

from quarto_pi import rules
from quarto_pi.rules import QuartoError

# --- What can be wrong with what the sensing layer is given; each text is one sentence fit to be shown ----------------


class SensingError(QuartoError, ValueError):
    """Something that the sensing layer cannot work with."""


class TagsError(SensingError):
    """Tags that cannot be told apart or do not name all sixteen pieces."""


class TimesError(SensingError):
    """Settling or hysteresis times that no board can work with; `key` is the one that is wrong."""

    def __init__(self, key: str, text: str) -> None:
        super().__init__(text)
        self.key = key


class SweepError(SensingError):
    """A sweep of a cell that does not exist, or from before the last one."""


# --- What leaves the reader bank: one reading of one cell -------------------------------------------------------------

SQUARE_NAMES: Final[tuple[str, ...]] = tuple(square.name for square in rules.SQUARES)
OFFER: Final = "offer"
"""The cell on which a piece is given; all others are squares."""
CELLS: Final[tuple[str, ...]] = (*SQUARE_NAMES, OFFER)

LINES: Final[Mapping[str, int]] = MappingProxyType({cell: line for line, cell in enumerate(CELLS)})
"""The select line of each cell, as usually wired: the decoder's outputs by rank, and behind them the offer's own."""
OFFER_LINE: Final = LINES[OFFER]


class Outcome(Enum):
    """How one look at a cell ended."""

    TAG = "tag"
    SEVERAL = "several"
    EMPTY = "empty"
    ERROR = "error"
    DEAD = "dead"


@dataclass(frozen=True, slots=True)
class Reading:
    """One look at one cell: its outcome, the UIDs in upper-case hex, and the millisecond it was taken at.

    ERROR says nothing about presence (a tag may well stand there), DEAD says that no reader answers, and SEVERAL
    may name fewer UIDs than there are tags, because three or more cannot always be told apart.
    """

    cell: str
    outcome: Outcome
    uids: tuple[str, ...]
    at: int


Glimpse = Callable[[Reading], None]
"""Hears of a reading as soon as it has been taken; it must not take its time."""


def leave_alone(reading: Reading) -> None:
    """A `Glimpse` for those who wait for all readings."""


# --- Which cells touch: only there can an antenna hear a tag that is not its own --------------------------------------


def _touches(cell: str, other: str) -> bool:
    if cell == other:
        return False
    if OFFER in (cell, other):
        # where the offer place lies is the builder's choice, so it may be near any square
        return True
    return squares_touch(cell, other)


def squares_touch(square: str, other: str) -> bool:
    """Whether two squares touch, at a side or a corner; a square touches itself."""
    (row, column), (other_row, other_column) = (divmod(SQUARE_NAMES.index(name), 4) for name in (square, other))
    return abs(row - other_row) <= 1 and abs(column - other_column) <= 1


NEIGHBOURS: Final = {cell: tuple(other for other in CELLS if _touches(cell, other)) for cell in CELLS}
"""The cells that touch a cell, at a side or a corner."""

"""What leaves the reader bank: one reading of one cell."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Final

from quarto_pi import rules

SQUARES: Final[tuple[str, ...]] = tuple(square.name for square in rules.SQUARES)
OFFER: Final = "offer"
CELLS: Final[tuple[str, ...]] = (*SQUARES, OFFER)


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

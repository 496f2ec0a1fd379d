"""One reading of one cell, as it leaves the readers; how long and how often it has to be seen to be believed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
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


SENSING_SECTION = "sensing"
LONGEST_MS = 60_000
MOST_SWEEPS = 100


@dataclass(frozen=True, slots=True)
class SensingTimes:
    """Settling and hysteresis: every judgement takes sweeps *and* milliseconds, so that no sweep rate defeats it.

    `placed_...`: a tag has to be read so often, and to be there so long, to count as a piece that rests.
    `lead_sweeps`: by so many reads one of two cells that hear the same tag has to lead.
    `removed_...`: so many clean time-outs in a row, over so long, make a piece lifted.
    `removed_confidence`: and they have to be that unlikely, in bits, for a tag that answers as this one has so far.
    `moved_within_ms`: a piece that left and is heard elsewhere may rest there so long before it counts as lifted.
    `vanished_after_ms`: three or more pieces gone at the same instant have to be gone so long: it may be the supply.
    `lost_...`, `recovered_...`: so long nothing but errors is a lost reader, so long none a recovered one.
    `garbled_after_ms`: a UID like a neighbour's, read without a gap for so long, is a tag after all.
    `settled_after_ms`: so long after the last event the board counts as settled.
    """

    placed_after_sweeps: int = 2
    placed_after_ms: int = 250
    lead_sweeps: int = 5
    removed_after_sweeps: int = 3
    removed_after_ms: int = 300
    removed_confidence: int = 24
    moved_within_ms: int = 800
    vanished_after_ms: int = 1_500
    lost_after_sweeps: int = 5
    lost_after_ms: int = 1_500
    recovered_after_sweeps: int = 2
    recovered_after_ms: int = 300
    garbled_after_ms: int = 10_000
    settled_after_ms: int = 200

    def __post_init__(self) -> None:
        for name in NAMES:
            _check(name, getattr(self, name))
        if self.moved_within_ms < self.removed_after_ms:
            raise TimesError(
                "moved_within_ms",
                f"[{SENSING_SECTION}] moved_within_ms is {self.moved_within_ms}, less than removed_after_ms "
                f"({self.removed_after_ms}): a piece cannot be looked for elsewhere before it is gone.",
            )
        if self.vanished_after_ms < self.removed_after_ms:
            raise TimesError(
                "vanished_after_ms",
                f"[{SENSING_SECTION}] vanished_after_ms is {self.vanished_after_ms}, less than removed_after_ms "
                f"({self.removed_after_ms}): many pieces at once need more time than one, not less.",
            )


NAMES = tuple(field.name for field in fields(SensingTimes))
"""The keys of the section, in the order of `SensingTimes`."""

_LEAST = {"placed_after_sweeps": 2, "removed_after_sweeps": 2, "removed_confidence": 1, "lead_sweeps": 1}
_WHY = {
    "placed_after_sweeps": "one read alone may be a wrong one",
    "removed_after_sweeps": "one time-out alone may be a missed answer",
}


def _check(name: str, value: int) -> None:
    if name.endswith("_ms"):
        if value < 0:
            raise _wrong(name, value, "a time cannot be negative")
        if value > LONGEST_MS:
            raise _wrong(name, value, f"more than {LONGEST_MS} ms would look like a dead board")
        return
    least = _LEAST.get(name, 1)
    if value < least:
        why = _WHY.get(name)
        raise _wrong(name, value, f"write {least} or more" + (f", {why}" if why else ""))
    if value > MOST_SWEEPS:
        raise _wrong(name, value, f"more than {MOST_SWEEPS} would look like a dead board")


def _wrong(name: str, value: int, todo: str) -> TimesError:
    return TimesError(name, f"[{SENSING_SECTION}] {name} is {value}: {todo}.")


DEFAULT_TIMES = SensingTimes()

"""One sweep over the readers: what goes into the sensing layer, live or from a table trace."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Self

from quarto_pi.rules import hint
from quarto_pi.sensing.readings import CELLS, Outcome, Reading, SweepError
from quarto_pi.sensing.tags import parse_uid

TraceValue = str | list[str] | None
"""A cell in a table trace: a UID, several, nothing, or the word "error"."""

_KNOWN = frozenset(CELLS)


@dataclass(frozen=True, slots=True)
class Sweep:
    """The readings of one sweep, and its millisecond; a cell that is not among them counts as the same again."""

    at: int
    readings: tuple[Reading, ...] = ()

    def __post_init__(self) -> None:
        cells = [reading.cell for reading in self.readings]
        for cell in cells:
            if cell not in _KNOWN:
                raise SweepError(f"'{cell}' is not a cell: {hint(cell, CELLS)}")
        if len(set(cells)) < len(cells):
            twice = next(cell for cell in cells if cells.count(cell) > 1)
            raise SweepError(f"the cell {twice} comes twice in one sweep: one reading for each cell.")

    @classmethod
    def of(cls, readings: Iterable[Reading], at: int | None = None) -> Self:
        """The sweep of these readings, at the time of the latest one unless told otherwise."""
        taken = tuple(readings)
        if at is None:
            if not taken:
                raise SweepError("a sweep without readings has no time of its own: say when it was.")
            at = max(reading.at for reading in taken)
        return cls(at, taken)

    @classmethod
    def from_trace(cls, at: int, cells: Mapping[str, TraceValue]) -> Self:
        """The sweep that stands in a line of a table trace.

        >>> [reading.outcome.name for reading in Sweep.from_trace(0, {"b2": None, "c3": "error"}).readings]
        ['EMPTY', 'ERROR']
        """
        return cls(at, tuple(_reading(cell, value, at) for cell, value in cells.items()))


def to_trace(reading: Reading) -> TraceValue:
    """What a table trace says for this reading; a dead reader is an error like any other there."""
    match reading.outcome:
        case Outcome.EMPTY:
            return None
        case Outcome.TAG:
            return reading.uids[0]
        case Outcome.SEVERAL:
            return list(reading.uids)
        case Outcome.ERROR | Outcome.DEAD:
            return "error"


def _reading(cell: str, value: TraceValue, at: int) -> Reading:
    if value is None:
        return Reading(cell, Outcome.EMPTY, (), at)
    if value == "error":
        return Reading(cell, Outcome.ERROR, (), at)
    if isinstance(value, str):
        return Reading(cell, Outcome.TAG, (parse_uid(value),), at)
    if isinstance(value, list) and all(isinstance(uid, str) for uid in value):
        return Reading(cell, Outcome.SEVERAL, tuple(parse_uid(uid) for uid in value), at)
    raise SweepError(f'{value!r} says nothing about {cell}: write a UID, a list of UIDs, null or "error".')

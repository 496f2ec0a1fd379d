"""A board on which nothing happens: most sweeps of an evening say the same as the one before.

On such a board every piece has answered and every other cell is known to be empty, so one more equal sweep only makes
each piece a little better known. That is counted here, and made good when something does happen.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from quarto_pi.sensing.cell import Cell
from quarto_pi.sensing.condition import Condition
from quarto_pi.sensing.readings import Outcome
from quarto_pi.sensing.sweep import Sweep
from quarto_pi.sensing.tags import TagTable

_WORKS = Condition()


def is_still(cells: Mapping[str, Cell], tags: TagTable) -> bool:
    """Whether one more equal sweep could change nothing but how well the pieces are known."""
    return all(_is_still(cell, tags) for cell in cells.values())


def says_the_same(cells: Mapping[str, Cell], sweep: Sweep) -> bool:
    """Whether a sweep saw what the one before saw."""
    for reading in sweep.readings:
        cell = cells.get(reading.cell)
        before = None if cell is None else cell.reading
        if before is None or before.outcome is not reading.outcome or before.uids != reading.uids:
            return False
    return True


def caught_up(cells: Mapping[str, Cell], sweeps: int) -> dict[str, Cell]:
    """The cells after so many equal sweeps of a still board."""
    return {
        name: cell if cell.presence is None else replace(cell, presence=cell.presence.answered(sweeps))
        for name, cell in cells.items()
    }


def _is_still(cell: Cell, tags: TagTable) -> bool:
    reading = cell.reading
    if reading is None or cell.candidates or cell.crowd or cell.crowding or cell.condition != _WORKS:
        return False
    if cell.presence is None:
        return reading.outcome is Outcome.EMPTY and cell.known
    if reading.outcome is not Outcome.TAG or cell.presence.misses:
        return False
    return tags.piece_of(reading.uids[0]) == cell.presence.thing

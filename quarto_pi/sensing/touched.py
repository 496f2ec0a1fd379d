"""What may be about to change: pieces that are heard where they are not yet believed to rest.

Whoever acts on events has to know this too: what a slow tag is about to tell may have happened before what a fast one
has told already.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from quarto_pi.rules import Piece
from quarto_pi.sensing.board import BoardState, Sensing
from quarto_pi.sensing.cell import Candidate, Cell, Presence, homes_of
from quarto_pi.sensing.events import Thing
from quarto_pi.sensing.readings import Outcome, Reading
from quarto_pi.sensing.sweep import Sweep

TOUCHED_BITS: Final = 10
"""So unlikely it has to be that a tag which stands still looks like one that has left: once in a thousand looks."""
ALWAYS_ANSWERED: Final = 8
"""After so many looks a tag that has answered at all of them is taken for one that always does."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """A piece that may have come to a cell (`arriving`), or have left it, since a moment."""

    piece: Piece
    cell: str
    since: int
    arriving: bool


NO_DOUBTS: tuple[Doubt, ...] = ()


def doubts_of(state: BoardState) -> tuple[Doubt, ...]:
    """Every piece about which the next sweeps will tell more."""
    if state.still:
        return NO_DOUBTS
    found: list[Doubt] = []
    answering: set[object] = set()
    for name, cell in state.cells.items():
        presence = cell.presence
        if presence is None:
            continue
        if not presence.misses:
            answering.add(presence.thing)
        elif isinstance(presence.thing, Piece):
            found.append(Doubt(presence.thing, name, presence.missing_since, arriving=False))
    for name, cell in state.cells.items():
        for candidate in cell.candidates:
            thing = candidate.thing
            if isinstance(thing, Piece) and candidate.score and not candidate.garbled and thing not in answering:
                found.append(Doubt(thing, name, candidate.since, arriving=True))
    return tuple(found) or NO_DOUBTS


def touched_on(state: BoardState) -> tuple[str, ...]:
    """The cells on which something is heard that is not believed yet to rest there, or silent that is to have left.

    What it is makes no difference, and a weak tag that stands still is no touch; of one that misses half of the looks
    not even its leaving is one.
    """
    if state.still:
        return ()
    doubtful = [cell for cell in state.cells.values() if cell.candidates or (cell.presence and cell.presence.misses)]
    if not doubtful:
        return ()
    homes = homes_of(dict(state.cells))
    return tuple(name for name, cell in state.cells.items() if cell.known and _is_touched(cell, state, homes))


def is_touched_by(reading: Reading, sensing: Sensing, state: BoardState, at: int) -> bool:
    """Whether a reading alone shows that its cell is touched, before the sweep it belongs to is over."""
    cell = state.cells.get(reading.cell)
    if cell is None or reading.outcome in (Outcome.ERROR, Outcome.DEAD):
        return False
    is_as_before = cell.reading is not None and cell.reading.uids == reading.uids
    if is_as_before and not cell.candidates and (cell.presence is None or not cell.presence.misses):
        return False
    return reading.cell in touched_on(sensing.fold(state, Sweep(at, (reading,)))[0])


def _is_touched(cell: Cell, state: BoardState, homes: Mapping[Thing, str]) -> bool:
    presence = cell.presence
    if presence is not None and _seems_to_leave(presence):
        return True
    return any(
        candidate.proof >= TOUCHED_BITS if candidate.thing in homes else _leads(candidate, state)
        for candidate in cell.candidates
        if candidate.score and not candidate.garbled
    )


def _seems_to_leave(presence: Presence) -> bool:
    """Whether a tag is silent that hardly ever is; one look is enough where it has answered at every one so far."""
    if presence.misses and not presence.missed and presence.looks >= ALWAYS_ANSWERED:
        return True
    return presence.doubt >= TOUCHED_BITS and presence.silence_bits > 1


def _leads(candidate: Candidate, state: BoardState) -> bool:
    """Whether no other cell has heard the same thing more often."""
    rivals = (cell.candidate(candidate.thing) for cell in state.cells.values())
    return all(rival is None or rival.score <= candidate.score for rival in rivals)

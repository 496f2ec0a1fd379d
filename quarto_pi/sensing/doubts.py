"""What may be about to change: pieces that are heard where they are not yet believed to rest.

Whoever acts on events has to know this too: what a slow tag is about to tell may have happened before what a fast one
has told already.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from quarto_pi.rules import Piece
from quarto_pi.sensing.board import BoardState
from quarto_pi.sensing.candidate import Candidate
from quarto_pi.sensing.cell import Cell, homes_of
from quarto_pi.sensing.events import Thing
from quarto_pi.sensing.readings import Reading
from quarto_pi.sensing.tags import TagTable

TOUCHED_BITS: Final = 10
"""So unlikely it has to be that a tag which stands still looks like one that has left: once in a thousand looks."""


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


def is_touched(state: BoardState, tags: TagTable, reading: Reading) -> bool:
    """Whether a reading alone shows that a piece has come to its cell: one that rests nowhere."""
    cell = state.cells.get(reading.cell)
    if cell is None or not cell.known or cell.presence is not None or not reading.uids:
        return False
    homes = homes_of(dict(state.cells))
    pieces = [tags.piece_of(uid) for uid in reading.uids]
    return all(piece is not None and piece not in homes for piece in pieces)


def _is_touched(cell: Cell, state: BoardState, homes: Mapping[Thing, str]) -> bool:
    presence = cell.presence
    if presence is not None and presence.doubt >= TOUCHED_BITS and presence.silence_bits > 1:
        return True
    return any(
        candidate.proof >= TOUCHED_BITS if candidate.thing in homes else _leads(candidate, state)
        for candidate in cell.candidates
        if candidate.score and not candidate.garbled
    )


def _leads(candidate: Candidate, state: BoardState) -> bool:
    """Whether no other cell has heard the same thing more often."""
    rivals = (cell.candidate(candidate.thing) for cell in state.cells.values())
    return all(rival is None or rival.score <= candidate.score for rival in rivals)

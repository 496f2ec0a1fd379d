"""What may be about to change: pieces that are heard where they are not yet believed to rest.

Whoever acts on events has to know this too: what a slow tag is about to tell may have happened before what a fast one
has told already.
"""

from __future__ import annotations

from dataclasses import dataclass

from quarto_pi.rules import Piece
from quarto_pi.sensing.board import BoardState


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

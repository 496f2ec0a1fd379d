"""All that is known of one cell."""

from __future__ import annotations

from dataclasses import dataclass

from quarto_pi.sensing.candidate import Candidate
from quarto_pi.sensing.condition import WORKING, Condition
from quarto_pi.sensing.events import Thing
from quarto_pi.sensing.presence import Presence
from quarto_pi.sensing.readings import Reading


@dataclass(frozen=True, slots=True)
class Judged:
    """How often readings of one cell were judged not to mean what they say."""

    errors: int = 0
    dead: int = 0
    cross_reads: int = 0
    garbled: int = 0


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell: what rests there, what may be about to, and how its reader does.

    `empty_since` and `empty_looks` are the run of clean time-outs before anything was found; `known` says that the
    cell has been judged once, so that what appears from now on was put there. `crowding` is the suspicion that several
    tags are on the cell, `crowd` the certainty.
    """

    reading: Reading | None = None
    condition: Condition = WORKING
    presence: Presence | None = None
    candidates: tuple[Candidate, ...] = ()
    crowding: Candidate | None = None
    crowd: Presence | None = None
    known: bool = False
    empty_looks: int = 0
    empty_since: int = 0
    judged: Judged = Judged()

    def candidate(self, thing: Thing) -> Candidate | None:
        """The candidate for this thing, if there is one."""
        return next((candidate for candidate in self.candidates if candidate.thing == thing), None)

    @property
    def is_answered(self) -> bool:
        """Whether something rests here that has answered the last clean look."""
        return self.presence is not None and not self.presence.misses


Cells = dict[str, Cell]


def homes_of(cells: Cells) -> dict[Thing, str]:
    """The cell on which each thing rests."""
    return {cell.presence.thing: name for name, cell in cells.items() if cell.presence is not None}

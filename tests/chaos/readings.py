"""Readings that come from what stands on the table, without chips: a hundred games in the time of one.

What a poll makes of strong and weak tags, of noise, dead wires and a dipping supply is drawn from the seed, much as
chips make it; how chips come to that is what the games through chips are for.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from quarto_pi.sensing.readings import CELLS, Outcome, Reading
from quarto_pi.simulation.board import SimulatedBoard
from quarto_pi.simulation.field import Link

GUARD_MS = (5.3, 6.2)
"""What a look at a cell takes at least: its field has to be on for so long."""
KNOWN_MS, FOUND_MS = (1.5, 3.5), (2.5, 6.0)
"""A tag that is known, and one that has to be found out, take so much longer."""
OVERHEARD = 0.25
"""No tag that hands hold over a cell is as weak as one that stands on the next."""
EXCHANGES = 3
"""After the call so many answers have to arrive until a tag is found out."""


class DippingBoard(SimulatedBoard):
    """A board that remembers whose chips the supply has reset."""

    def __init__(self, *, seed: int) -> None:
        super().__init__(NoPins(), seed=seed)
        self.reset: set[str] = set()

    def brown_out(self, *cells: str) -> None:
        """Let the supply dip: the next look at these cells (at all, if none is named) fails."""
        self.reset.update(cells or CELLS)


class NoPins:
    """No pins at all: nothing is selected."""

    def level(self, number: int) -> bool:
        """Return the level of a pin: high."""
        del number
        return True

    def watch(self, number: int, moved: Callable[[bool], None]) -> None:
        """Tell nothing: nobody drives a pin."""
        del number, moved

    def has_toggled(self, number: int) -> bool:
        """Return whether a pin has changed: never."""
        del number
        return False


class DirectReaders:
    """Looks at all cells, one after the other."""

    def __init__(self, board: DippingBoard, draw: random.Random) -> None:
        self._board = board
        self._random = draw
        self._known: dict[str, tuple[str, ...]] = {}

    def round(self) -> list[Reading]:
        """Look at each cell once, and let the time pass that it takes."""
        return [self._look(cell) for cell in CELLS]

    def _look(self, cell: str) -> Reading:
        draw, clock = self._random, self._board.clock
        clock.advance_ms(draw.uniform(*GUARD_MS))
        outcome, uids = self._outcome(cell)
        if outcome in (Outcome.TAG, Outcome.SEVERAL):
            clock.advance_ms(draw.uniform(*(KNOWN_MS if self._known.get(cell) == uids else FOUND_MS)))
            self._known[cell] = uids
        return Reading(cell, outcome, uids, clock.ns // 1_000_000)

    def _outcome(self, cell: str) -> tuple[Outcome, tuple[str, ...]]:
        draw, fault = self._random, self._board.faults.of(cell)
        if fault is not None and fault.stuck_at is not None:
            return Outcome.DEAD, ()
        if cell in self._board.reset or (fault is not None and draw.random() < fault.drops_ones * 10):
            self._board.reset.discard(cell)
            return Outcome.ERROR, ()
        if draw.random() < self._board.field.noise_at(cell):
            return draw.choices((Outcome.ERROR, Outcome.EMPTY), (4, 1))[0], ()
        heard: list[str] = []
        links = self._board.field.links_at(cell)
        is_filled = any(link.strength >= 1 for link in links.values())
        for tag, link in links.items():
            if is_filled and link.strength < OVERHEARD:
                # A tag that is known is spoken to by its name: what is overheard beside it has nothing to say.
                continue
            answers = self._hears(link)
            if answers is None:
                return Outcome.ERROR, ()
            heard += [tag.uid.hex().upper()] * answers
        if not heard:
            return Outcome.EMPTY, ()
        return Outcome.TAG if len(heard) == 1 else Outcome.SEVERAL, tuple(sorted(heard))

    def _hears(self, link: Link) -> bool | None:
        """Whether a tag is heard, called twice as by the poll; None where it woke and did not answer all the rest."""
        draw = self._random
        if link.strength >= 1:
            return True
        if draw.random() >= 1 - (1 - link.strength) ** 2:
            return False
        return True if link.distortion is None and draw.random() < link.strength**EXCHANGES else None

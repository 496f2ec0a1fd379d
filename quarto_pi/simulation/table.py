"""The table: which piece rests, hovers or slides where, and how far antennas reach beyond their squares."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from quarto_pi.simulation.clock import SimulatedClock
from quarto_pi.simulation.field import Field, shifted_by_one_bit
from quarto_pi.simulation.tag import Tag


@dataclass(frozen=True, slots=True)
class Reach:
    """How a neighbour's antenna hears a piece: how often, and with which bits."""

    strength: float
    shifted: bool = False
    garbled_as: str | None = None


class Table:
    """Pieces by their UIDs, and what hands do with them at this instant of the clock."""

    def __init__(self, clock: SimulatedClock, field: Field) -> None:
        self._clock = clock
        self._field = field
        self._tags: dict[str, Tag] = {}
        self._ghosts: dict[str, list[Tag]] = {}
        self._reach: dict[str, dict[str, Reach]] = {}
        self.resting: dict[str, str] = {}

    def tag(self, uid: str) -> Tag:
        """Return the tag in the piece with this UID."""
        return self._tags.setdefault(uid, Tag(uid))

    def let_reach(self, cell: str, other: str, reach: Reach) -> None:
        """Let the antenna of `other` hear what rests on `cell` (pieces put down from now on)."""
        self._reach.setdefault(cell, {})[other] = reach

    def keep_apart(self) -> None:
        """Let antennas hear nothing but their own cells (pieces put down from now on)."""
        self._reach.clear()

    def rest(self, uid: str, cell: str, strength: float = 1.0) -> None:
        """Put a piece down; a strength below one is a tag that answers only so often."""
        self._take_away(uid)
        self.resting[uid] = cell
        self._field.link(self.tag(uid), cell, self._clock.ns, strength)
        for other, reach in self._reach.get(cell, {}).items():
            self._couple(uid, other, reach)

    def _couple(self, uid: str, cell: str, reach: Reach) -> None:
        if reach.garbled_as is None:
            distortion = shifted_by_one_bit if reach.shifted else None
            self._field.link(self.tag(uid), cell, self._clock.ns, reach.strength, distortion)
            return
        # the worst kind: a wrong UID that passes every check, so it must behave like a tag of its own
        ghost = Tag(reach.garbled_as)
        self._ghosts.setdefault(uid, []).append(ghost)
        self._field.link(ghost, cell, self._clock.ns, reach.strength)

    def lift(self, uid: str) -> None:
        """Take a piece off the board."""
        self._take_away(uid)

    def hover(self, uid: str, cell: str, strength: float) -> None:
        """Hold a piece over a cell, where its tag answers with this probability."""
        self._take_away(uid)
        self._field.link(self.tag(uid), cell, self._clock.ns, strength)

    def between(self, uid: str, strengths: dict[str, float]) -> None:
        """Hold a piece between cells; those it is heard by with their strength, none at all if empty."""
        self._take_away(uid)
        for cell, strength in strengths.items():
            self._field.link(self.tag(uid), cell, self._clock.ns, strength)

    def _take_away(self, uid: str) -> None:
        self.resting.pop(uid, None)
        self._field.unlink(self.tag(uid), self._clock.ns)
        for ghost in self._ghosts.pop(uid, ()):
            self._field.unlink(ghost, self._clock.ns)


class Hands:
    """Movements that take time, planned on the clock from a given millisecond on."""

    _STAGES = (0.2, 0.5, 0.8)

    def __init__(self, clock: SimulatedClock, table: Table) -> None:
        self._clock = clock
        self._table = table

    def put(self, uid: str, cell: str, at: float, approach: float = 150.0) -> float:
        """Lower a piece onto a cell and return the millisecond at which it rests."""
        self._in_stages(at, approach, self._STAGES, lambda strength: self._table.hover(uid, cell, strength))
        self._clock.plan(at + approach, lambda: self._table.rest(uid, cell))
        return at + approach

    def lift(self, uid: str, at: float, departure: float = 150.0) -> float:
        """Take a resting piece up and return the millisecond at which it is out of reach."""

        def rise(strength: float) -> None:
            cell = self._table.resting.get(uid)
            if cell is not None:
                self._rising[uid] = cell
            self._table.hover(uid, self._rising[uid], strength)

        self._rising: dict[str, str] = {}
        self._in_stages(at, departure, self._STAGES[::-1], rise)
        self._clock.plan(at + departure, lambda: self._table.lift(uid))
        return at + departure

    def slide(self, uid: str, start: str, end: str, at: float, duration: float = 300.0) -> float:
        """Push a piece from cell to cell: heard by the first, by both or none, by the second."""
        path: tuple[dict[str, float], ...] = (
            {start: 0.7},
            {start: 0.4, end: 0.3},
            {},
            {start: 0.2, end: 0.4},
            {end: 0.7},
        )
        for index, strengths in enumerate(path):
            moment = at + duration * index / len(path)
            self._clock.plan(moment, partial(self._table.between, uid, strengths))
        self._clock.plan(at + duration, lambda: self._table.rest(uid, end))
        return at + duration

    def _in_stages(
        self, at: float, duration: float, strengths: tuple[float, ...], act: Callable[[float], None]
    ) -> None:
        for index, strength in enumerate(strengths):
            self._clock.plan(at + duration * index / len(strengths), partial(act, strength))

"""What the cells say together: which thing rests where, what has left, and what has only been overheard.

Every thing is on exactly one cell or off the board. A thing that rests somewhere stays there until that cell has been
cleanly silent for long enough, or until another cell has proved that it is there instead. A thing that rests nowhere
goes to the cell that hears it more often than any other.
"""

from __future__ import annotations

from dataclasses import dataclass

from quarto_pi.sensing.candidate import Candidate
from quarto_pi.sensing.cell import Cell, Cells, homes_of
from quarto_pi.sensing.events import Thing
from quarto_pi.sensing.looks import Evidence
from quarto_pi.sensing.observation import Looks
from quarto_pi.sensing.presence import Presence
from quarto_pi.sensing.times import SensingTimes

MANY = 3


@dataclass(frozen=True, slots=True)
class Arrival:
    """A candidate that rests on its cell from now on, and where it rested before."""

    cell: str
    candidate: Candidate
    origin: str | None


@dataclass(frozen=True, slots=True)
class Judgement:
    """What has changed: cells that things have left for good, and arrivals."""

    left: tuple[str, ...]
    arrivals: tuple[Arrival, ...]


def judge(cells: Cells, looks: Looks, at: int, times: SensingTimes) -> Judgement:
    """The changes that this sweep has decided."""
    doubted = {
        name: cell.presence for name, cell in cells.items() if cell.presence is not None and cell.presence.misses
    }
    suspects = {name: cell for name, cell in cells.items() if cell.candidates}
    if not doubted and not suspects:
        return Judgement((), ())
    return _Case(cells, looks, at, times, doubted, suspects).decided()


def rivals_of(thing: Thing, name: str, cells: Cells) -> list[tuple[Cell, Candidate]]:
    """The other cells on which the same thing may be about to rest."""
    others = ((cell, cell.candidate(thing)) for other, cell in cells.items() if other != name and cell.candidates)
    return [(cell, candidate) for cell, candidate in others if candidate is not None]


@dataclass(frozen=True, slots=True)
class _Case:
    """The board after a sweep that has left something in doubt."""

    cells: Cells
    looks: Looks
    at: int
    times: SensingTimes
    doubted: dict[str, Presence]
    suspects: dict[str, Cell]

    def decided(self) -> Judgement:
        gone = {name for name in self.doubted if self._is_gone(name)}
        arrivals = self._possible(self._ready(gone), gone)
        origins = {arrival.origin for arrival in arrivals.values()}
        left = tuple(
            name for name in self.cells if name in gone - origins and (name in arrivals or not self._is_held(name))
        )
        return Judgement(left, tuple(arrivals[name] for name in self.cells if name in arrivals))

    def _is_gone(self, name: str) -> bool:
        presence = self.doubted[name]
        if not presence.is_gone(self.at, self.times):
            return False
        together = sum(
            other.misses >= self.times.removed_after_sweeps and abs(other.missing_from - presence.missing_from) <= 1
            for other in self.doubted.values()
        )
        # hands take one piece or two at an instant; more than that is the supply, until it has lasted
        return together < MANY or self.at - presence.missing_since >= self.times.vanished_after_ms

    def _ready(self, gone: set[str]) -> dict[str, Arrival]:
        """The best candidate of each cell on which one has proved itself."""
        homes = homes_of(self.cells)
        ready: dict[str, Arrival] = {}
        for name, cell in self.suspects.items():
            if cell.crowd is not None or cell.crowding is not None:
                continue
            for candidate in sorted(cell.candidates, key=lambda candidate: -candidate.hits):
                origin = homes.get(candidate.thing)
                has_left = origin is None or origin in gone or candidate.proof >= self.times.removed_confidence
                if has_left and self._rests(candidate, name):
                    ready[name] = Arrival(name, candidate, origin)
                    break
        return ready

    def _rests(self, candidate: Candidate, name: str) -> bool:
        if not candidate.rests(self.at, self.times):
            return False
        if self.looks[name].says_of(candidate.thing) is not Evidence.HEARD:
            return False
        if not candidate.contested:
            return True
        # where another piece answers there is no room for this one: it is only overheard there
        rivals = [rival for cell, rival in rivals_of(candidate.thing, name, self.suspects) if not cell.is_answered]
        return candidate.leads(rivals, self.times)

    def _possible(self, ready: dict[str, Arrival], gone: set[str]) -> dict[str, Arrival]:
        """The arrivals on cells that are free, or become free by other arrivals, as when two pieces are swapped."""
        possible = dict(ready)
        while True:
            freed = gone | {arrival.origin for arrival in possible.values() if arrival.origin is not None}
            blocked = [name for name in possible if self.cells[name].presence is not None and name not in freed]
            if not blocked:
                return possible
            for name in blocked:
                del possible[name]

    def _is_held(self, name: str) -> bool:
        """Whether what has left this cell is heard on another one, and may still come to rest there."""
        presence = self.doubted[name]
        if self.at - presence.missing_since >= self.times.moved_within_ms:
            return False
        return any(cell.candidate(presence.thing) is not None for cell in self.suspects.values())

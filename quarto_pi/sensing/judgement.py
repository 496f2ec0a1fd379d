"""What the cells say together: which thing rests where, what has left, and what has only been overheard.

Every thing is on exactly one cell or off the board. A thing that rests somewhere stays there until that cell has been
cleanly silent for long enough, or until another cell has proved that it is there instead. A thing that rests nowhere
goes to the cell that hears it more often than any other.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from quarto_pi.rules import Piece
from quarto_pi.sensing.cell import Candidate, Cell, Cells, Presence, fold_candidate, homes_of
from quarto_pi.sensing.events import Thing
from quarto_pi.sensing.readings import NEIGHBOURS, SensingTimes
from quarto_pi.sensing.tags import NOTHING_HEARD, Evidence, Look

# --- What one sweep does to what is known of each cell ----------------------------------------------------------------

Looks = Mapping[str, Look]


class Observation:
    """One sweep's looks at all cells, for the length of one fold."""

    def __init__(self, cells: Cells, looks: Looks, at: int, sweep: int, times: SensingTimes) -> None:
        self.looks = looks
        self.at = at
        self.sweep = sweep
        self.times = times
        self._before = cells
        self._homes = homes_of(cells)
        self._hearing: dict[Thing, list[str]] = {}
        for name, look in looks.items():
            for thing in look.heard:
                self._hearing.setdefault(thing, []).append(name)

    def cells(self) -> Cells:
        """The cells after the sweep."""
        after = {name: self._observed(name, cell) for name, cell in self._before.items()}
        suspects = [name for name, cell in after.items() if cell.candidates]
        alive = {candidate.thing for name in suspects for candidate in after[name].candidates if candidate.score}
        for name in suspects:
            # a candidate that has fallen silent is kept only for comparison with the others of its thing
            kept = tuple(candidate for candidate in after[name].candidates if candidate.thing in alive)
            if len(kept) < len(after[name].candidates):
                after[name] = replace(after[name], candidates=kept)
        return after

    def _observed(self, name: str, cell: Cell) -> Cell:
        look = self.looks.get(name)
        if look is None:
            return cell
        if look is NOTHING_HEARD and cell.known and not cell.candidates and cell.presence is None:
            return cell
        presence = cell.presence and self._presence(name, cell.presence, look)
        judged = cell.judged
        candidates = cell.candidates
        heard: frozenset[Thing] = look.heard | look.garbled
        if candidates or not heard <= {presence and presence.thing}:
            candidates = self._candidates(name, cell, look, heard)
            echoes = sum(self._is_echo(name, thing) for thing in look.heard)
            if echoes or look.garbled:
                judged = replace(
                    judged, cross_reads=judged.cross_reads + echoes, garbled=judged.garbled + len(look.garbled)
                )
        if presence is cell.presence and candidates is cell.candidates and cell.known and judged is cell.judged:
            return cell
        known, empty_looks, empty_since = self._emptiness(cell, look)
        # Written out: this is done for every piece that is seen, and `replace` takes four times as long.
        return Cell(
            cell.reading,
            cell.condition,
            presence,
            candidates,
            cell.crowding,
            cell.crowd,
            known,
            empty_looks,
            empty_since,
            judged,
        )

    def _presence(self, name: str, presence: Presence, look: Look) -> Presence:
        thing = presence.thing
        evidence = look.says_of(thing)
        after = presence.after(evidence, self.at, self.sweep)
        if evidence is Evidence.HEARD:
            for other in self._hearing.get(thing, ()):
                if other != name:
                    after = after.echoed_by(other)
        return after

    def _is_echo(self, name: str, thing: Thing) -> bool:
        home = self._homes.get(thing, name)
        return home != name and thing in self.looks[home].heard

    def _candidates(self, name: str, cell: Cell, look: Look, heard: frozenset[Thing]) -> tuple[Candidate, ...]:
        things = [candidate.thing for candidate in cell.candidates]
        things += sorted(heard.difference(things), key=str)
        after = (self._candidate(name, cell.candidate(thing), thing, look) for thing in things)
        return tuple(candidate for candidate in after if candidate is not None)

    def _candidate(self, name: str, candidate: Candidate | None, thing: Thing, look: Look) -> Candidate | None:
        home = self._homes.get(thing)
        if home == name:
            return None
        fresh = Candidate(thing, self.at)
        if thing in look.garbled:
            fresh = replace(fresh, garbled=True)
            candidate = candidate and replace(candidate, garbled=True)
        if any(other not in (name, home) for other in self._hearing.get(thing, ())):
            fresh = replace(fresh, contested=True)
            candidate = candidate and replace(candidate, contested=True)
        evidence = look.says_of(thing)
        if home is None or evidence is not Evidence.HEARD:
            return fold_candidate(candidate, evidence, fresh, self.at, self.times)
        return self._against_home(name, candidate or fresh, home)

    def _against_home(self, name: str, candidate: Candidate, home: str) -> Candidate | None:
        presence = self._before[home].presence
        assert presence is not None  # noqa: S101 - a home is a cell with a presence
        bits = presence.echo_bits(name, near=name in NEIGHBOURS[home])
        match self.looks[home].says_of(candidate.thing):
            case Evidence.HEARD:
                return candidate.contradicted()
            case Evidence.MISSED:
                return candidate.heard(self.at, self.times, bits + presence.silence_bits)
            case Evidence.UNCLEAR:
                return candidate.heard(self.at, self.times, bits)

    def _emptiness(self, cell: Cell, look: Look) -> tuple[bool, int, int]:
        """Whether the cell is known by now, and the run of clean time-outs that may make it so."""
        if cell.known or look.failed:
            return cell.known, cell.empty_looks, cell.empty_since
        if look.heard or look.nameless or look.blurred:
            return False, 0, 0
        since = cell.empty_since if cell.empty_looks else self.at
        # nothing is known of a tag that may stand here: it is given as long as one that has never been heard
        silence = Presence(thing="", misses=cell.empty_looks + 1, missing_since=since)
        return silence.is_gone(self.at, self.times), cell.empty_looks + 1, since


def uids_at(cell: Cell, uids_of: Mapping[Piece, tuple[str, ...]]) -> tuple[str, ...]:
    """The tags that are, or may be about to be, on a cell."""
    things = [candidate.thing for candidate in cell.candidates]
    if cell.presence is not None:
        things.append(cell.presence.thing)
    return tuple(uid for thing in things if isinstance(thing, Piece) for uid in uids_of[thing])


# --- What the cells say together: which thing rests where, what has left, and what has only been overheard ------------

MANY = 3


@dataclass(frozen=True, slots=True)
class Arrival:
    """A candidate that rests on its cell from now on, and where it rested before."""

    cell: str
    candidate: Candidate
    origin: str | None


@dataclass(frozen=True, slots=True)
class CellJudgement:
    """What has changed: cells that things have left for good, and arrivals."""

    left: tuple[str, ...]
    arrivals: tuple[Arrival, ...]


def judge_cells(cells: Cells, looks: Looks, at: int, times: SensingTimes) -> CellJudgement:
    """The changes that this sweep has decided."""
    doubted = {
        name: cell.presence for name, cell in cells.items() if cell.presence is not None and cell.presence.misses
    }
    suspects = {name: cell for name, cell in cells.items() if cell.candidates}
    if not doubted and not suspects:
        return CellJudgement((), ())
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

    def decided(self) -> CellJudgement:
        gone = {name for name in self.doubted if self._is_gone(name)}
        arrivals = self._possible(self._ready(gone), gone)
        origins = {arrival.origin for arrival in arrivals.values()}
        left = tuple(
            name for name in self.cells if name in gone - origins and (name in arrivals or not self._is_held(name))
        )
        return CellJudgement(left, tuple(arrivals[name] for name in self.cells if name in arrivals))

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

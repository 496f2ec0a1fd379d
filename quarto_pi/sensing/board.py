"""The board as the sensors see it: a state, and the fold from sweep to sweep; what may be about to change.

>>> from quarto_pi.sensing.board import Sweep
>>> from quarto_pi.sensing.tags import TagTable
>>> sensing = Sensing(TagTable.from_codes({"04A1B2C3": "LTRF"}))
>>> state = sensing.start_empty()
>>> state, events = sensing.fold(state, Sweep.from_trace(0, {"b2": "04A1B2C3"}))
>>> for at in range(100, 400, 100):
...     state, events = sensing.fold(state, Sweep(at))
>>> events
(PiecePlaced(cell='b2', piece=Piece(number=0), at=300, since=0),)

Whoever acts on events has to know this too: what a slow tag is about to tell may have happened before what a fast one
has told already.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Self

from quarto_pi.rules import PIECES, Piece, hint
from quarto_pi.sensing.cell import Candidate, Cell, Cells, Presence, ReaderCondition, homes_of
from quarto_pi.sensing.changes import check_readers, fold_crowds, make_changes
from quarto_pi.sensing.events import BoardEvent, Photograph, Settled, Thing
from quarto_pi.sensing.judgement import Observation, judge_cells, uids_at
from quarto_pi.sensing.readings import CELLS, DEFAULT_TIMES, NEIGHBOURS, Outcome, Reading, SensingTimes, SweepError
from quarto_pi.sensing.tags import NOTHING_HEARD, Look, TagTable, parse_uid, understand

# --- One sweep over the readers: what goes into the sensing layer, live or from a table trace -------------------------

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


# --- The photograph of the whole board, and whether anything on it is still in doubt ----------------------------------


def take_photograph(cells: Mapping[str, Cell]) -> Photograph:
    """What stands where, as far as it is known."""
    pieces: list[tuple[str, Piece]] = []
    foreign: list[tuple[str, str]] = []
    for name, cell in cells.items():
        if cell.presence is None:
            continue
        thing = cell.presence.thing
        if isinstance(thing, Piece):
            pieces.append((name, thing))
        else:
            foreign.append((name, thing))
    crowds = tuple(name for name, cell in cells.items() if cell.crowd is not None)
    lost = tuple(name for name, cell in cells.items() if cell.condition.lost)
    return Photograph(tuple(pieces), tuple(foreign), crowds, lost)


def is_calm(cells: Mapping[str, Cell], times: SensingTimes) -> bool:
    """Whether every cell has been judged and none is about to change."""
    answering = {cell.presence.thing for cell in cells.values() if cell.presence is not None and cell.is_answered}
    return all(_is_calm(cell, times) for cell in cells.values()) and not any(
        candidate.thing not in answering and not candidate.garbled
        for cell in cells.values()
        for candidate in cell.candidates
    )


def _is_calm(cell: Cell, times: SensingTimes) -> bool:
    if cell.crowding is not None:
        return False
    if cell.presence is not None:
        return cell.presence.misses < times.removed_after_sweeps
    return cell.known or cell.condition.lost


# --- A board on which nothing happens: most sweeps of an evening say the same as the one before -----------------------
#
# On such a board every piece has answered and every other cell is known to be empty, so one more equal sweep only makes
# each piece a little better known. That is counted here, and made good when something does happen.

_WORKS = ReaderCondition()


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


# --- The board as the sensors see it: a state, and the fold that takes it from sweep to sweep -------------------------


@dataclass(frozen=True, slots=True)
class BoardState:
    """All that the sensing layer remembers between two sweeps.

    On a board that is `still`, `repeated` equal sweeps have come since `cells` was written down.
    """

    cells: Mapping[str, Cell]
    sweeps: int = 0
    at: int | None = None
    changed_at: int = 0
    settled: Photograph | None = None
    still: bool = False
    repeated: int = 0

    @property
    def photograph(self) -> Photograph:
        """What stands where as far as is known at this moment, settled or not."""
        return take_photograph(self.cells)


@dataclass(frozen=True, slots=True)
class Sensing:
    """The sensing layer of one board: its known tags, its times, and the cells that have a reader."""

    tags: TagTable
    times: SensingTimes = DEFAULT_TIMES
    cells: tuple[str, ...] = CELLS
    _uids: Mapping[Piece, tuple[str, ...]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_uids", {piece: self.tags.uids_of(piece) for piece in PIECES})

    def start(self) -> BoardState:
        """The state before the first sweep of a board of which nothing is known."""
        return BoardState({name: Cell() for name in self.cells})

    def start_empty(self) -> BoardState:
        """The state before the first sweep of a table trace, which begins with nothing on the board."""
        return BoardState({name: Cell(Reading(name, Outcome.EMPTY, (), 0), known=True) for name in self.cells})

    def fold(self, state: BoardState, sweep: Sweep) -> tuple[BoardState, tuple[BoardEvent, ...]]:
        """The state after a sweep, and what has happened on the board."""
        if state.at is not None and sweep.at < state.at:
            raise SweepError(f"a sweep at {sweep.at} ms comes after one at {state.at} ms: time runs forwards.")
        at, number = sweep.at, state.sweeps + 1
        if state.still and says_the_same(state.cells, sweep):
            return BoardState(
                state.cells, number, at, state.changed_at, state.settled, still=True, repeated=state.repeated + 1
            ), ()
        cells = self._take_in(state, sweep)
        looks = self._looks(cells)
        events = check_readers(cells, looks, at, self.times)
        cells = Observation(cells, looks, at, number, self.times).cells()
        events += make_changes(cells, judge_cells(cells, looks, at, self.times), at)
        events += fold_crowds(cells, looks, at, number, self.times)
        changed_at = at if events or state.at is None else state.changed_at
        settled, still = state.settled, False
        if at - changed_at >= self.times.settled_after_ms and is_calm(cells, self.times):
            photograph = take_photograph(cells)
            if photograph != settled:
                settled = photograph
                events.append(Settled(photograph, at))
            else:
                still = is_still(cells, self.tags)
        return BoardState(cells, number, at, changed_at, settled, still), tuple(events)

    def _take_in(self, state: BoardState, sweep: Sweep) -> Cells:
        cells = caught_up(state.cells, state.repeated) if state.repeated else dict(state.cells)
        for reading in sweep.readings:
            if reading.cell not in cells:
                raise SweepError(f"the cell {reading.cell} has no reader on this board.")
            if not cells[reading.cell].has_read(reading):
                cells[reading.cell] = replace(cells[reading.cell], reading=reading)
        return cells

    def _looks(self, cells: Cells) -> dict[str, Look]:
        return {name: self._look(cell.reading, cells) for name, cell in cells.items() if cell.reading is not None}

    def _look(self, reading: Reading, cells: Cells) -> Look:
        if reading.outcome is Outcome.EMPTY:
            return NOTHING_HEARD
        if all(uid in self.tags.pieces for uid in reading.uids):
            return understand(reading, self.tags, (), ())
        own = uids_at(cells[reading.cell], self._uids)
        return understand(reading, self.tags, own, tuple(self._uids_around(reading.cell, cells)))

    def _uids_around(self, name: str, cells: Cells) -> Iterator[str]:
        for other in NEIGHBOURS[name]:
            cell = cells.get(other)
            if cell is None:
                continue
            yield from uids_at(cell, self._uids)
            if cell.reading is not None:
                yield from (uid for uid in cell.reading.uids if uid in self.tags.pieces)


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

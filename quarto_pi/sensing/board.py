"""The board as the sensors see it: a state, and the fold that takes it from sweep to sweep.

>>> from quarto_pi.sensing.sweep import Sweep
>>> from quarto_pi.sensing.tags import TagTable
>>> sensing = Sensing(TagTable.from_codes({"04A1B2C3": "LTRF"}))
>>> state = sensing.start_empty()
>>> state, events = sensing.fold(state, Sweep.from_trace(0, {"b2": "04A1B2C3"}))
>>> for at in range(100, 400, 100):
...     state, events = sensing.fold(state, Sweep(at))
>>> events
(PiecePlaced(cell='b2', piece=Piece(number=0), at=300, since=0),)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from quarto_pi.rules import PIECES, Piece
from quarto_pi.sensing.cell import Cell, Cells, ReaderCondition
from quarto_pi.sensing.changes import check_readers, fold_crowds, make_changes
from quarto_pi.sensing.events import BoardEvent, Photograph, Settled
from quarto_pi.sensing.evidence import NOTHING_HEARD, Look, understand
from quarto_pi.sensing.judgement import Observation, judge_cells, uids_at
from quarto_pi.sensing.readings import CELLS, NEIGHBOURS, Outcome, Reading, SweepError
from quarto_pi.sensing.sweep import Sweep
from quarto_pi.sensing.tags import TagTable
from quarto_pi.sensing.times import DEFAULT_TIMES, SensingTimes

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
        if cell is None or not cell.has_read(reading):
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

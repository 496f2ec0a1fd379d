"""A long evening at the simulated table: hands, faults and cross-talk at random, and what really happened.

The whole chain is run: simulated tags and chips, the reader bank with the real `mfrc522` package, the sensing layer.
What the hands do is known, so that every event can be called true or false. The same seed makes the same evening.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field, replace

from quarto_pi.devices.readers.fields import CurrentBudget, FieldMode
from quarto_pi.rules import PIECES, Piece
from quarto_pi.sensing.board import Sensing, Sweep
from quarto_pi.sensing.events import (
    BoardEvent,
    ForeignTagGone,
    Found,
    PieceLifted,
    PieceMoved,
    PiecePlaced,
    ReaderFailed,
    ReaderRecovered,
    Settled,
    TwoTagsGone,
)
from quarto_pi.sensing.readings import CELLS, OFFER, SQUARE_NAMES
from quarto_pi.sensing.tags import TagTable
from quarto_pi.simulation.board import Hands, RandomFaults, Reach
from tests.rig import build_rig

UIDS = {piece: f"1{piece.number:X}A0B1{piece.number:02X}" for piece in PIECES[:8]} | {
    piece: f"04{piece.number:02X}A1B2C3D480" for piece in PIECES[8:]
}
TAGS = TagTable({uid: piece for piece, uid in UIDS.items()})
ROUND_SWEEPS = 240
QUIET_SWEEPS = 60
"""A round of disturbances, and how long nothing happens after it, so that everything that rests has to be known."""
PAUSE_MS = 40.0
JUDGED_AFTER_MS = 1_000.0
"""Events are judged when it is known what came after them."""
EARLY_MS = 500.0
"""A piece may be told so long before it rests: its tag is in full reach a moment before it touches the wood."""
FAULT_ECHO_MS = 6_000.0
"""A reader may be told as lost so long after its fault was repaired."""


@dataclass(frozen=True, slots=True)
class Rest:
    """A piece lay on a cell from one moment to another; `until` is None while it still does."""

    cell: str
    since: float
    until: float | None = None

    def touches(self, start: float, end: float) -> bool:
        """Whether it lay there at some time between two moments."""
        return self.since <= end and (self.until is None or self.until >= start)

    def covers(self, start: float, end: float) -> bool:
        """Whether it lay there all the time between two moments."""
        return self.since <= start and (self.until is None or self.until >= end)


@dataclass(slots=True)
class Report:
    """What an evening came to."""

    sweeps: int = 0
    events: Counter[str] = field(default_factory=Counter)
    false_events: list[str] = field(default_factory=list)
    wrong_pictures: list[str] = field(default_factory=list)


class Evening:
    """One evening; `live` goes on with it for so many sweeps."""

    def __init__(self, seed: int, mode: FieldMode = FieldMode.ONE_AT_A_TIME, tags: TagTable = TAGS) -> None:
        self.report = Report()
        self._random = random.Random(seed)
        self._rig = build_rig(mode, seed=seed, budget=CurrentBudget(supply_ma=900))
        self._board = self._rig.board
        self._faults = RandomFaults(self._board, self._random)
        self._fault_until = 0.0
        self._hands = {piece: Hands(self._board.clock, self._board.table) for piece in PIECES}
        self._sensing = Sensing(tags)
        self._state = self._sensing.start_empty()
        self._rests: dict[Piece, list[Rest]] = {piece: [] for piece in PIECES}
        self._aims: dict[Piece, str] = {}
        self._busy_until: dict[Piece, float] = dict.fromkeys(PIECES, 0.0)
        self._unjudged: list[BoardEvent] = []
        self._let_neighbours_hear()

    @property
    def now(self) -> float:
        """Milliseconds of the evening."""
        return self._board.clock.ns / 1_000_000

    def live(self, sweeps: int) -> Report:
        """Go on for so many sweeps, and compare the whole picture after each round."""
        while self.report.sweeps < sweeps:
            for _ in range(ROUND_SWEEPS):
                self._disturb()
                self._sweep()
            self._faults.repair()
            while self.now < max(self._busy_until.values()):
                self._sweep()
            for _ in range(QUIET_SWEEPS):
                self._sweep()
            self._compare_pictures()
        return self.report

    def _let_neighbours_hear(self) -> None:
        """Give some squares an antenna that hears a neighbour's piece at times, some of them with wrong bits."""
        for cell in self._random.sample([cell for cell in range(15) if cell % 4 < 3], 5):
            reach = Reach(self._random.uniform(0.02, 0.2), shifted=self._random.random() < 0.5)
            self._board.table.let_reach(SQUARE_NAMES[cell], SQUARE_NAMES[cell + 1], reach)

    def _disturb(self) -> None:
        if self._random.random() < 0.08:
            self._move_a_piece(self._random.choice(PIECES))
        if self._random.random() < 0.02:
            self._faults.strike()
            self._fault_until = float("inf")
        if self._random.random() < 0.03:
            self._faults.repair()
            self._fault_until = self.now + FAULT_ECHO_MS

    def _move_a_piece(self, piece: Piece) -> None:
        if self._busy_until[piece] > self.now:
            return
        hands, uid, draw = self._hands[piece], UIDS[piece], self._random
        resting = self._board.table.resting
        aimed_at = {cell for other, cell in self._aims.items() if self._busy_until[other] > self.now}
        goal = draw.choice([cell for cell in CELLS if cell not in {*resting.values(), *aimed_at}])
        start, begin = resting.get(uid), self.now + draw.uniform(1, 60)
        if start is None:
            end = hands.put(uid, goal, begin, draw.uniform(30, 400))
        elif OFFER in (start, goal) or draw.random() < 0.5:
            end = hands.lift(uid, begin, draw.uniform(30, 400))
        else:
            end = hands.slide(uid, start, goal, begin, draw.uniform(100, 900))
        self._aims[piece] = goal
        self._busy_until[piece] = end + draw.uniform(50, 3_000)

    def _sweep(self) -> None:
        readings = self._rig.bank.round()
        self._note_rests()
        self._state, events = self._sensing.fold(self._state, Sweep.of(readings, int(self.now)))
        self._unjudged += events
        self.report.sweeps += 1
        self.report.events.update(type(event).__name__ for event in events)
        self._board.clock.advance_ms(PAUSE_MS)
        self._note_rests()
        while self._unjudged and self._unjudged[0].at + JUDGED_AFTER_MS < self.now:
            event = self._unjudged.pop(0)
            if not self._is_true(event):
                self.report.false_events.append(f"{event}; rests {self._rests_of(event)}")

    def _note_rests(self) -> None:
        resting = self._board.table.resting
        for piece, rests in self._rests.items():
            cell = resting.get(UIDS[piece])
            if rests and rests[-1].until is None and rests[-1].cell != cell:
                rests[-1] = replace(rests[-1], until=self.now)
            if cell is not None and (not rests or rests[-1].until is not None):
                rests.append(Rest(cell, self.now))

    def _is_true(self, event: BoardEvent) -> bool:
        match event:
            case PiecePlaced(cell, piece, at, since):
                return self._came_to(piece, cell, since, at)
            case PieceLifted(cell, piece, at, since):
                return self._left(piece, cell, since, at)
            case PieceMoved(origin, cell, piece, at, since, missed):
                return self._came_to(piece, cell, since, at) and self._left(piece, origin, missed, at)
            case ReaderFailed(_, at):
                return at < self._fault_until + JUDGED_AFTER_MS
            case Settled() | ReaderRecovered() | ForeignTagGone() | TwoTagsGone():
                return True
        # Nothing was there before the first sweep, no foreign tag and no second piece on a square.
        return False

    def _came_to(self, piece: Piece, cell: str, since: int, at: int) -> bool:
        return any(rest.cell == cell and rest.touches(since, at + EARLY_MS) for rest in self._rests[piece])

    def _left(self, piece: Piece, cell: str, since: int, at: int) -> bool:
        return not any(rest.cell == cell and rest.covers(since - EARLY_MS, at) for rest in self._rests[piece])

    def _rests_of(self, event: BoardEvent) -> list[Rest]:
        return (
            []
            if not isinstance(event, PiecePlaced | PieceLifted | PieceMoved | Found)
            else self._rests[event.piece][-3:]
        )

    def _compare_pictures(self) -> None:
        """Everything is quiet and well: the last settled photograph is what lies on the table."""
        resting = self._board.table.resting
        real = {(cell, piece) for piece, uid in UIDS.items() if (cell := resting.get(uid)) is not None}
        settled = self._state.settled
        seen = set() if settled is None else set(settled.pieces)
        lost = () if settled is None else settled.lost
        if real != seen or lost:
            self.report.wrong_pictures.append(
                f"at {self.now:.0f} ms: missing {real - seen}, extra {seen - real}, {lost}"
            )

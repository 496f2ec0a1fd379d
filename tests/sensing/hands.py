"""A small model of a table: hands that move pieces, and readers that hear them more or less well.

It knows nothing of the sensing layer: what hands did is the truth that its events are held against.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

from quarto_pi.rules import PIECES, Piece
from quarto_pi.sensing.board import Sweep
from quarto_pi.sensing.readings import CELLS, OFFER, SQUARE_NAMES, Outcome, Reading
from quarto_pi.sensing.tags import TagTable

APPROACH_MS = 150
SLIDE_MS = 300
SETTLED_MS = 3_000
STAGES = (0.2, 0.5, 0.8)

_RNG = random.Random(16)
UIDS = {piece: f"04{_RNG.getrandbits(48):012X}" for piece in PIECES}
TAGS = TagTable({uid: piece for piece, uid in UIDS.items()})


def touching(cell: str) -> list[str]:
    """The squares around a square; the offer place of this table stands apart."""
    if cell == OFFER:
        return []
    return [
        other
        for other in SQUARE_NAMES
        if other != cell and abs(ord(other[0]) - ord(cell[0])) <= 1 and abs(int(other[1]) - int(cell[1])) <= 1
    ]


@dataclass(frozen=True)
class Noise:
    """How badly the readers do; every figure is a share of looks.

    `weak` pieces answer only `answers`; `echo` is how often each of the cells in `echoing` (pairs of own cell and
    other) overhears, `garble` how many of the overheard UIDs are wrong; `partial`: in so many sweeps a reader is left
    out whose cell has shown the same tag for long, which is what the reader bank does.
    """

    weak: frozenset[Piece] = frozenset()
    answers: float = 0.7
    miss: float = 0.0
    error: float = 0.0
    echoing: frozenset[tuple[str, str]] = frozenset()
    echo: float = 0.3
    garble: float = 0.0
    partial: float = 0.0


@dataclass
class Rest:
    """A piece rested on a cell from one millisecond to another."""

    piece: Piece
    cell: str
    start: int
    end: int | None = None

    def covers(self, at: int, before: int = 0, after: int = 0) -> bool:
        return self.start - before <= at and (self.end is None or at <= self.end + after)


@dataclass
class Hands:
    """What hands do, planned ahead: changes of who hears which piece how well, and the truth about what rested."""

    changes: list[tuple[int, Piece, dict[str, float], bool]] = field(default_factory=list)
    rests: list[Rest] = field(default_factory=list)
    failing: list[tuple[str, int, int, Outcome]] = field(default_factory=list)

    def where(self, piece: Piece) -> str | None:
        return next((rest.cell for rest in self.rests if rest.piece == piece and rest.end is None), None)

    def occupied(self) -> set[str]:
        return {rest.cell for rest in self.rests if rest.end is None}

    def put(self, piece: Piece, cell: str, at: int, approach: int = APPROACH_MS) -> int:
        """Lower a piece onto a cell; it rests at the time that is returned."""
        for index, strength in enumerate(STAGES):
            self.changes.append((at + approach * index // 3, piece, {cell: strength}, False))
        return self._rest(piece, cell, at + approach)

    def lift(self, piece: Piece, at: int, departure: int = APPROACH_MS) -> int:
        """Take a piece off; it is out of reach at the time that is returned."""
        cell = self._leave(piece, at)
        for index, strength in enumerate(reversed(STAGES)):
            self.changes.append((at + departure * index // 3, piece, {cell: strength}, False))
        self.changes.append((at + departure, piece, {}, False))
        return at + departure

    def slide(self, piece: Piece, cell: str, at: int, duration: int = SLIDE_MS) -> int:
        """Push a piece to another cell; it rests there at the time that is returned."""
        origin = self._leave(piece, at)
        path: tuple[dict[str, float], ...] = (
            {origin: 0.7},
            {origin: 0.4, cell: 0.3},
            {},
            {origin: 0.2, cell: 0.4},
            {cell: 0.7},
        )
        for index, heard in enumerate(path):
            self.changes.append((at + duration * index // len(path), piece, heard, False))
        return self._rest(piece, cell, at + duration)

    def hover(self, piece: Piece, cell: str, at: int, duration: int, strength: float = 0.5) -> int:
        """Hold a piece that is off the board over a cell, and take it away again."""
        self.changes.append((at, piece, {cell: strength}, False))
        self.changes.append((at + duration, piece, {}, False))
        return at + duration

    def fail(self, cells: tuple[str, ...], start: int, end: int, outcome: Outcome = Outcome.DEAD) -> None:
        """Let readers do nothing but fail for a while."""
        self.failing += [(cell, start, end, outcome) for cell in cells]

    def _rest(self, piece: Piece, cell: str, at: int) -> int:
        self.changes.append((at, piece, {cell: 1.0}, True))
        self.rests.append(Rest(piece, cell, at))
        return at

    def _leave(self, piece: Piece, at: int) -> str:
        rest = next(rest for rest in self.rests if rest.piece == piece and rest.end is None)
        rest.end = at
        return rest.cell


@dataclass
class Table:
    """Readers over what the hands do: sweeps at an interval, with seeded noise."""

    hands: Hands
    noise: Noise
    seed: int
    interval: int
    _same_since: dict[str, tuple[Reading, int]] = field(default_factory=dict)

    def sweeps(self, until: int, start: int = 0) -> Iterator[Sweep]:
        rng = random.Random(self.seed)
        changes = sorted(self.hands.changes, key=lambda change: change[0])
        air: dict[Piece, tuple[dict[str, float], bool]] = {}
        following = 0
        self._same_since = {}
        for at in range(start, until, self.interval):
            while following < len(changes) and changes[following][0] <= at:
                _, piece, heard, rests = changes[following]
                air[piece] = (heard, rests)
                following += 1
            yield Sweep(at, tuple(self._readings(air, at, rng)))

    def _readings(
        self, air: dict[Piece, tuple[dict[str, float], bool]], at: int, rng: random.Random
    ) -> Iterator[Reading]:
        heard: dict[str, list[str]] = {}
        for piece, (strengths, rests) in air.items():
            for cell, strength in strengths.items():
                own = strength * (self.noise.answers if piece in self.noise.weak else 1.0) * (1 - self.noise.miss)
                if rng.random() < own:
                    heard.setdefault(cell, []).insert(0, UIDS[piece])
                if rests and self.noise.echoing:
                    self._overhear(UIDS[piece], cell, heard, rng)
        failing = {cell: outcome for cell, start, end, outcome in self.hands.failing if start <= at < end}
        for cell in CELLS:
            if cell in failing:
                yield self._remembered(Reading(cell, failing[cell], (), at))
            elif self._is_left_out(cell, at, rng):
                continue
            elif self.noise.error and rng.random() < self.noise.error:
                yield self._remembered(Reading(cell, Outcome.ERROR, (), at))
            else:
                yield self._remembered(_reading(cell, heard.get(cell, []), at))

    def _is_left_out(self, cell: str, at: int, rng: random.Random) -> bool:
        if cell not in self._same_since or at - self._same_since[cell][1] < SETTLED_MS:
            return False
        return self._same_since[cell][0].outcome is Outcome.TAG and rng.random() < self.noise.partial

    def _remembered(self, reading: Reading) -> Reading:
        before = self._same_since.get(reading.cell)
        if before is None or (before[0].outcome, before[0].uids) != (reading.outcome, reading.uids):
            self._same_since[reading.cell] = (reading, reading.at)
        return reading

    def _overhear(self, uid: str, cell: str, heard: dict[str, list[str]], rng: random.Random) -> None:
        for other in touching(cell):
            if (cell, other) in self.noise.echoing and rng.random() < self.noise.echo:
                wrong = rng.random() < self.noise.garble
                heard.setdefault(other, []).append(garbled(uid, rng) if wrong else uid)


def _reading(cell: str, uids: list[str], at: int) -> Reading:
    if not uids:
        return Reading(cell, Outcome.EMPTY, (), at)
    outcome = Outcome.TAG if len(uids) == 1 else Outcome.SEVERAL
    return Reading(cell, outcome, tuple(sorted(uids[:2])), at)


def garbled(uid: str, rng: random.Random) -> str:
    """A UID as a neighbour's antenna gets it wrong: a bit or two flipped, a byte replaced, or all bits shifted."""
    bits = 4 * len(uid)
    value = int(uid, 16)
    match rng.randrange(3):
        case 0:
            value ^= (1 << rng.randrange(bits)) | (1 << rng.randrange(bits))
        case 1:
            value ^= rng.randrange(1, 256) << 8 * rng.randrange(bits // 8)
        case _:
            octets = int.from_bytes(value.to_bytes(bits // 8), "little") << rng.randrange(1, 4)
            value = int.from_bytes((octets & ((1 << bits) - 1)).to_bytes(bits // 8, "little"))
    return f"{value:0{len(uid)}X}"

"""The whole simulated device: clock, air, seventeen chips, bus, table."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import ModuleType
from typing import Final

from quarto_pi.sensing.readings import CELLS, LINES, SQUARE_NAMES
from quarto_pi.simulation.bus import (
    NOTHING_ANSWERS_HIGH,
    NOTHING_ANSWERS_LOW,
    FaultyLines,
    LineFault,
    Pins,
    SpiBus,
    Wiring,
)
from quarto_pi.simulation.chip import SimulatedChip
from quarto_pi.simulation.clock import Durations, SimulatedClock, Spans
from quarto_pi.simulation.field import Field, Noise, shifted_by_one_bit
from quarto_pi.simulation.modules import spidev_over
from quarto_pi.simulation.oled_chip import OledChip
from quarto_pi.simulation.oled_models import Ssd1306
from quarto_pi.simulation.outputs import Apa102Strip, I2cBus
from quarto_pi.simulation.tag import Tag

# --- The table: which piece rests, hovers or slides where, and how far antennas reach beyond their squares ------------


@dataclass(frozen=True, slots=True)
class Reach:
    """How a neighbour's antenna hears a piece: how often, and with which bits."""

    strength: float
    shifted: bool = False
    garbled_as: str | None = None


class SimulatedTable:
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

    def __init__(self, clock: SimulatedClock, table: SimulatedTable) -> None:
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


# --- The whole simulated device: clock, air, seventeen chips, bus, table ----------------------------------------------

UIDS = tuple(f"04{number:02X}A1B2C3D480" for number in range(16))
"""The tags in the simulated pieces, in the order of the pieces' numbers."""

_ROWS = [SQUARE_NAMES[start : start + 4] for start in range(0, 16, 4)]
STRIP = (*_ROWS[0], *_ROWS[1][::-1], *_ROWS[2], *_ROWS[3][::-1])
"""The squares in the order in which the strip of lights passes below them: to and fro."""


class SimulatedBoard:
    """A board on a table, to be driven through pins and a spidev module; equal seeds give equal evenings."""

    def __init__(  # noqa: PLR0913 - all that boards differ in
        self,
        pins: Pins,
        *,
        seed: int = 0,
        wiring: Wiring | None = None,
        versions: Mapping[str, int] | None = None,
        oled: OledChip | None = None,
        strip: Sequence[str] = STRIP,
        paced: bool = False,
        speed: int = 1,
        spans: Spans | None = None,
        forgetful: Collection[str] = (),
    ) -> None:
        durations = Durations(spans, seed)
        self.clock = SimulatedClock(paced=paced, speed=speed, durations=durations)
        self.rng = random.Random(seed)  # noqa: S311 - repeatable faults, not secrets
        self.field = Field(self.rng, durations)
        versions = versions or {}
        self.chips = {
            cell: SimulatedChip(
                cell, self.field, versions.get(cell, 0x92), durations=durations, forgetful=cell in forgetful
            )
            for cell in CELLS
        }
        self.faults = FaultyLines(self.rng)
        lines = {line: self.chips[cell] for cell, line in LINES.items()}
        self.bus = SpiBus(self.clock, pins, wiring or Wiring(), lines, self.faults, durations)
        self.table = SimulatedTable(self.clock, self.field)
        self.oled = oled or Ssd1306()
        self.i2c = I2cBus()
        self.strip = Apa102Strip(strip)

    @property
    def spidev(self) -> ModuleType:
        """Return a module like spidev over this board's bus."""
        return spidev_over(self.bus)

    def set_up(self) -> None:
        """Put a piece with a tag of its own on every square."""
        for uid, square in zip(UIDS, SQUARE_NAMES, strict=True):
            self.table.rest(uid, square)

    def brown_out(self, *cells: str) -> None:
        """Let the supply dip: the chips of these cells (of all, if none is named) come back in reset state."""
        for cell in cells or CELLS:
            self.chips[cell].power_on_reset(self.clock.ns)


# --- Faults and hands at random: the same seed does the same things at the same moments -------------------------------

NOISE_SHARE: Final = 0.3
LOADING_SHARE: Final = 0.05
LOSING_SHARE: Final = 0.05


class RandomFaults:
    """Strikes a board with one fault at a time, and now and then repairs all."""

    def __init__(self, board: SimulatedBoard, rng: random.Random, *, repair_share: float = 0.3) -> None:
        self._board = board
        self._rng = rng
        self._repair_share = repair_share

    def strike(self) -> None:
        """Let something break: the supply, a chip, a line, the air."""
        cell = self._rng.choice(CELLS)
        match self._rng.randrange(6):
            case 0:
                self._board.brown_out(cell)
            case 1:
                self._board.brown_out()
            case 2:
                level = self._rng.choice((NOTHING_ANSWERS_LOW, NOTHING_ANSWERS_HIGH))
                self._board.faults.set(cell, LineFault(stuck_at=level))
            case 3:
                self._board.faults.set(cell, LineFault(drops_ones=LOADING_SHARE))
            case 4:
                self._board.faults.set(cell, LineFault(loses=LOSING_SHARE))
            case _:
                self._board.field.add_noise(cell, NOISE_SHARE, tuple(Noise))
        if self._rng.random() < self._repair_share:
            self.repair()

    def repair(self) -> None:
        """End all faults that last."""
        self._board.faults.clear()
        for cell in CELLS:
            self._board.field.add_noise(cell, 0.0)


class RandomHands:
    """Puts down, takes up, holds and pushes pieces without any sense."""

    def __init__(self, board: SimulatedBoard, rng: random.Random, uids: list[str]) -> None:
        self._table = board.table
        self._rng = rng
        self._uids = uids

    def act(self) -> tuple[str, tuple[str, ...]]:
        """Do something with a piece, and return its UID and the cells that may hear it now."""
        uid = self._rng.choice(self._uids)
        taken = self._table.resting.values()
        cell = self._rng.choice([cell for cell in CELLS if cell not in taken])
        match self._rng.randrange(4):
            case 0:
                self._table.rest(uid, cell)
                return uid, (cell,)
            case 1:
                self._table.lift(uid)
                return uid, ()
            case 2:
                self._table.hover(uid, cell, self._rng.random())
                return uid, (cell,)
            case _:
                other = self._rng.choice(SQUARE_NAMES)
                self._table.between(uid, {cell: self._rng.random(), other: self._rng.random()})
                return uid, (cell, other)

    def take_up_what_does_not_rest(self) -> None:
        """End all hovering and sliding."""
        for uid in self._uids:
            if uid not in self._table.resting:
                self._table.lift(uid)

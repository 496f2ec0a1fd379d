"""The whole simulated device: clock, air, seventeen chips, bus, table."""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Sequence
from types import ModuleType

from quarto_pi.sensing.readings import CELLS, OFFER, SQUARES
from quarto_pi.simulation.apa102 import Apa102Strip
from quarto_pi.simulation.bus import OFFER_LINE, SpiBus, Wiring
from quarto_pi.simulation.chip import SimulatedChip
from quarto_pi.simulation.clock import SimulatedClock
from quarto_pi.simulation.durations import Durations, Spans
from quarto_pi.simulation.faults import FaultyLines
from quarto_pi.simulation.field import Field
from quarto_pi.simulation.i2c import I2cBus
from quarto_pi.simulation.modules import spidev_over
from quarto_pi.simulation.oled_chip import OledChip
from quarto_pi.simulation.pins import Pins
from quarto_pi.simulation.ssd1306 import Ssd1306
from quarto_pi.simulation.table import Table

UIDS = tuple(f"04{number:02X}A1B2C3D480" for number in range(16))
"""The tags in the simulated pieces, in the order of the pieces' numbers."""

_ROWS = [SQUARES[start : start + 4] for start in range(0, 16, 4)]
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
        spans: Spans | None = None,
        forgetful: Collection[str] = (),
    ) -> None:
        durations = Durations(spans, seed)
        self.clock = SimulatedClock(paced=paced, durations=durations)
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
        lines = {number: self.chips[cell] for number, cell in enumerate(SQUARES)} | {OFFER_LINE: self.chips[OFFER]}
        self.bus = SpiBus(self.clock, pins, wiring or Wiring(), lines, self.faults, durations)
        self.table = Table(self.clock, self.field)
        self.oled = oled or Ssd1306()
        self.i2c = I2cBus()
        self.strip = Apa102Strip(strip)

    @property
    def spidev(self) -> ModuleType:
        """Return a module like spidev over this board's bus."""
        return spidev_over(self.bus)

    def set_up(self) -> None:
        """Put a piece with a tag of its own on every square."""
        for uid, square in zip(UIDS, SQUARES, strict=True):
            self.table.rest(uid, square)

    def brown_out(self, *cells: str) -> None:
        """Let the supply dip: the chips of these cells (of all, if none is named) come back in reset state."""
        for cell in cells or CELLS:
            self.chips[cell].power_on_reset(self.clock.ns)

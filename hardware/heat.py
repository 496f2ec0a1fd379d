"""How warm it gets in the closed case: what is turned into heat, and how it gets out through wood and vents."""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot, pi, sqrt
from typing import Final

from hardware.currents import budget_of, total
from hardware.dimensions import Dimensions
from hardware.plates import side_height
from hardware.wiring import Wiring

_WOOD: Final = 0.13
"""Plywood conducts so many W per m and K."""
_FILM: Final = 8.0
"""Still air and radiation take so many W per m2 and K at each side of a wall: usual for rooms."""
_AIR: Final = 1.16 * 1005
"""J per m3 and K, at 30 degrees."""
_KELVIN: Final = 300.0
_GRAVITY: Final = 9.81
_HOLE: Final = 0.6
"""Of a hole's area so much counts: the air contracts behind its edge."""


@dataclass(frozen=True, slots=True)
class Warmth:
    """What the case gives off for each kelvin that it is warmer than the room, and what air moves through."""

    watt: float
    walls: float
    """W per K through lid and sides. The floor stands over a table and is not counted."""
    opening: float
    """m2: inlets in the floor and outlets in the back, one after the other."""
    height: float
    """m from the inlets to the outlets."""

    def through_vents(self, rise: float) -> float:
        """What the air takes along, in W: it moves because it is lighter than that of the room."""
        speed = sqrt(2 * _GRAVITY * self.height * max(rise, 0.0) / _KELVIN)
        return _AIR * _HOLE * self.opening * speed * rise

    def rise(self, *, vents: bool = True) -> float:
        """How many kelvin warmer than the room it gets inside: there as much goes out as comes in."""
        low, high = 0.0, self.watt / self.walls
        if not vents:
            return high
        for _ in range(60):
            middle = (low + high) / 2
            given = self.walls * middle + self.through_vents(middle)
            low, high = (middle, high) if given < self.watt else (low, middle)
        return low


def warmth_of(wiring: Wiring, d: Dimensions) -> Warmth:
    """The case with that wiring, everything on at once for hours: all of the supply's power becomes heat in it."""
    power = wiring.description.power
    watt = total(budget_of(wiring).whole) / 1000 * power.supply_volts
    lid = d.board.width * d.board.depth / _resistance(d.board.surface + d.case.grid)
    around = 2 * (d.board.width + d.board.depth) * side_height(d) / _resistance(d.case.side)
    inlets = d.case.vents * d.case.vent[0] * d.case.vent[1]
    diameter, count, up = d.case.outer_vents
    outlets = count * pi * diameter**2 / 4
    together = inlets * outlets / hypot(inlets, outlets)
    return Warmth(watt, (lid + around) / 1e6, together / 1e6, (d.case.floor + up) / 1000)


def _resistance(thickness: float) -> float:
    """Of a wall of wood with the air on both of its sides, in m2 K per W."""
    return 2 / _FILM + thickness / 1000 / _WOOD

"""The coil's lines, and its inductance and resistance by formulas for the whole of it: the first of two ways."""

from __future__ import annotations

from itertools import pairwise
from math import dist, exp, log, pi, sqrt
from typing import Final

from hardware.antenna.design import Coil
from hardware.carrier.copper import Line
from hardware.dimensions import Point

MU_0: Final = 4e-7 * pi
COPPER_OHM_M: Final = 1.72e-8
"""The resistivity of copper at 20 degrees."""
_C1, _C2, _C3, _C4 = 1.27, 2.07, 0.18, 0.13
"""Of a square, in table II of Mohan, Hershenson, Boyd and Lee, Simple Accurate Expressions for Planar Spiral
Inductances, IEEE Journal of Solid-State Circuits 34 (1999), 1419: current sheets, 2 to 3 % off where the gap is no
wider than the track."""


def corners(coil: Coil) -> tuple[Point, ...]:
    """The spiral from its outer end to its inner one, in millimetres from its middle."""
    pitch = coil.width + coil.gap
    upper, lower = coil.feed[1] - coil.apart / 2, coil.feed[1] + coil.apart / 2
    found: list[Point] = [(-coil.half, lower)]
    for turn in range(coil.turns):
        half = coil.half - turn * pitch
        found += [(-half, half), (half, half), (half, -half), (pitch - half, -half)]
    return (*found, (found[-1][0], upper))


def lines(coil: Coil) -> tuple[Line, ...]:
    """The straight tracks of the spiral, one behind the other."""
    return tuple(pairwise(corners(coil)))


def closed_lines(coil: Coil) -> tuple[Line, ...]:
    """The same, closed through where its ends come out: a current flows in a ring."""
    (x1, y1), (x2, y2) = corners(coil)[0], corners(coil)[-1]
    out = coil.feed[0]
    return *lines(coil), ((x2, y2), (out, y2)), ((out, y2), (out, y1)), ((out, y1), (x1, y1))


def length_mm(coil: Coil) -> float:
    """How long the spiral is."""
    return sum(dist(*line) for line in lines(coil))


def sheet_inductance(coil: Coil) -> float:
    """The inductance in henry, from current sheets (Mohan and others, equation 2)."""
    inner = coil.outer - 2 * (coil.turns * coil.width + (coil.turns - 1) * coil.gap)
    mean, fill = (coil.outer + inner) / 2000, (coil.outer - inner) / (coil.outer + inner)
    return MU_0 * coil.turns**2 * mean * _C1 / 2 * (log(_C2 / fill) + _C3 * fill + _C4 * fill**2)


def wheeler_inductance(coil: Coil) -> float:
    """The inductance in henry, from Wheeler's formula as Mohan and others changed it for squares (equation 1)."""
    inner = coil.outer - 2 * (coil.turns * coil.width + (coil.turns - 1) * coil.gap)
    mean, fill = (coil.outer + inner) / 2000, (coil.outer - inner) / (coil.outer + inner)
    return 2.34 * MU_0 * coil.turns**2 * mean / (1 + 2.75 * fill)


def skin_depth_mm(hz: float) -> float:
    """How deep a current goes into copper."""
    return sqrt(COPPER_OHM_M / (pi * hz * MU_0)) * 1000


def direct_ohm(coil: Coil) -> float:
    """The resistance to a direct current."""
    return COPPER_OHM_M * 1000 * length_mm(coil) / (coil.width * coil.thickness)


def surface_ohm(coil: Coil, hz: float) -> float:
    """The resistance were the current spread evenly along the outline of a track's section: a lower bound.

    In truth it crowds at the edges, those towards the next turn most of all, which `filaments.py` shows.
    """
    skin = skin_depth_mm(hz)
    depth = skin * (1 - exp(-coil.thickness / 2 / skin))
    return COPPER_OHM_M * 1000 * length_mm(coil) / (2 * (coil.width + coil.thickness) * depth)

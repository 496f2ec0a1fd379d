"""What metal near an antenna does to it: how much of its inductance the currents in the metal take away."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from math import log, pi, sqrt
from typing import Any, Final

import numpy as np

from hardware.dimensions import Dimensions, Point
from hardware.plates import rank_board_middle

Array = Any  # numpy's own types say no more here than the comments do
_MU0: Final = 4e-7 * pi
_TURN: Final = 0.9
"""The middle turn of a printed coil, as a share of its outer edge."""
_BUNDLE_MM: Final = 0.8
"""Radius of one wire in place of the coil's turns: that of 4 turns of 0.5 mm, 0.5 mm apart."""
_INSIDE: Final = ((-0.25, -0.25), (-0.25, 0.25), (0.25, -0.25), (0.25, 0.25))
"""Where in a cell the field is looked at, in sides of the cell."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A level piece of metal: its middle and its size, and how far it is below the antennas."""

    name: str
    middle: Point
    size: Point
    below: float


def sheets(d: Dimensions) -> Iterator[Sheet]:
    """What has ground planes in this design: hub board, rank boards, Pi."""
    parts = d.electronics
    width, depth = parts.hub_size
    up = d.case.floor + parts.hub_feet
    yield Sheet("hub board", (parts.hub[0] + width / 2, parts.hub[1] + depth / 2), parts.hub_size, d.surface_z - up)
    up = d.case.floor + parts.pi_feet
    width, depth = parts.pi_size
    yield Sheet("Pi", (parts.pi[0] + width / 2, parts.pi[1] + depth / 2), parts.pi_size, d.surface_z - up)
    for rank in (1, 2, 3, 4):
        hangs = d.surface_z - d.grid_z + 1
        yield Sheet(f"rank board {rank}", rank_board_middle(d, rank), parts.rank_board, hangs)


def lost_inductances(d: Dimensions, coils: Sequence[Point], sheet: Sheet) -> tuple[float, ...]:
    """The share of each coil's inductance that a sheet takes, were it of perfect metal: the most that it can be.

    The sheet is a grid of square loops, each with the current that keeps the field out of it. At 13.56 MHz a current
    needs 18 um of copper, which is less than a board has, so real metal comes near to that.
    """
    # Cells of a fourth of the distance are fine enough.
    cell = max(2.0, sheet.below / 8)
    columns, rows = (max(1, round(side / cell)) for side in sheet.size)
    x0, y0 = sheet.middle[0] - columns * cell / 2, sheet.middle[1] - rows * cell / 2
    middles = np.array([(x0 + (i + 0.5) * cell, y0 + (j + 0.5) * cell) for j in range(rows) for i in range(columns)])
    side = _TURN * d.reader.antenna
    flux = np.array([_flux(middles - np.array(coil), side, sheet.below, cell) for coil in coils]).T
    currents = np.linalg.solve(_mutual(columns, rows, cell), flux)
    return tuple(float(share) for share in (flux * currents).sum(axis=0) / _own(side, _BUNDLE_MM))


def facing_loss(d: Dimensions, below: float) -> float:
    """The same for a sheet without an end below a coil, by the coil's image in it: what the grid is compared with."""
    side, steps = _TURN * d.reader.antenna, 40
    places = (np.arange(steps) + 0.5) * side / steps - side / 2
    points = np.array([(x, y) for x in places for y in places])
    return float(_field(points, side, 2 * below).sum()) * (side / steps) ** 2 / _own(side, _BUNDLE_MM)


def _flux(middles: Array, side: float, height: float, cell: float) -> Array:
    """Of one ampere in a square loop around the origin: the flux through cells that lie so far from its plane."""
    fields = [_field(middles + np.array(place) * cell, side, height) for place in _INSIDE]
    return sum(fields) / len(_INSIDE) * cell**2


def _field(points: Array, side: float, height: float) -> Array:
    """The vertical field of one ampere in a square loop (Biot and Savart), in T per mm times mm: T mm/mm."""
    half = side / 2
    corners = [(-half, -half), (half, -half), (half, half), (-half, half), (-half, -half)]
    total = np.zeros(len(points))
    for (x1, y1), (x2, y2) in pairwise(corners):
        along = np.array([x2 - x1, y2 - y1]) / side
        first = (points - np.array([x1, y1])) @ along
        aside = along[0] * (points[:, 1] - y1) - along[1] * (points[:, 0] - x1)
        square = aside**2 + height**2
        ends = first / np.sqrt(first**2 + square) + (side - first) / np.sqrt((side - first) ** 2 + square)
        total += aside / square * ends
    return total * _MU0 / (4 * pi) / 1000


def _mutual(columns: int, rows: int, cell: float) -> Array:
    """The flux of each loop of a grid through each other one: it depends on how far apart they are alone."""
    steps = np.array([(i, j) for j in range(rows) for i in range(columns)])
    table = _flux(steps * cell, cell, 0.0, cell)
    table[0] = _of_itself() * cell
    apart = np.abs(steps[:, None, :] - steps[None, :, :])
    return table[apart[:, :, 1] * columns + apart[:, :, 0]]


@cache
def _of_itself() -> float:
    """The flux of a loop of one millimetre through itself: all that comes back through the rest of its plane."""
    reach = 40
    places = np.array([(i, j) for i in range(-reach, reach + 1) for j in range(-reach, reach + 1) if i or j])
    # Beyond, it is the field of a dipole: what a disc leaves over, as large as the square that was summed.
    beyond = _MU0 / 2 / ((2 * reach + 1) / sqrt(pi)) / 1000
    return beyond - float(_flux(places.astype(float), 1.0, 0.0, 1.0).sum())


def _own(side: float, radius: float) -> float:
    """The inductance of a square loop of round wire, in the same unit: henry, with sides in millimetres."""
    return 2 * _MU0 * side / pi * (log(side / radius) - 0.774) / 1000


@cache
def losses(d: Dimensions) -> Mapping[str, Mapping[str, float]]:
    """What each piece of metal takes of the inductance of each antenna."""
    cells = d.cells
    return {
        sheet.name: dict(zip(cells, lost_inductances(d, tuple(cells.values()), sheet), strict=True))
        for sheet in sheets(d)
    }

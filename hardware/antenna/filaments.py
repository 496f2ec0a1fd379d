"""The coil as a bundle of thin parallel filaments, each coupled with every other one: the second way.

Partial elements (PEEC) after Ruehli, Inductance Calculations in a Complex Integrated Circuit Environment, IBM Journal
of Research and Development 16 (1972), 470: every straight track is cut into filaments over its width and its thickness,
which share its current as their coupling demands. That gives inductance and resistance at a frequency, with skin effect
and crowding at the edges.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any, Final

import numpy as np

from hardware.antenna.coil import COPPER_OHM_M, MU_0, closed_lines, lines
from hardware.antenna.design import Coil
from hardware.carrier.copper import Line
from hardware.dimensions import Point

Array = Any
"""Numbers, or arrays of them: numpy works with either."""
_SUB: Final = 6
"""Points across a filament, where the mean of logarithms is taken over its section."""


@dataclass(frozen=True, slots=True)
class Mesh:
    """Into how many filaments a track is cut: across its width, thinner ones at the edges, and over its thickness."""

    across: int = 12
    over: int = 3


FINE: Final = Mesh()
"""Twice as many change the resistance by 2 %, the inductance by less than 0.1."""


@dataclass(frozen=True, slots=True)
class Impedance:
    """What the ends of a coil show at one frequency."""

    ohm: float
    henry: float
    omega: float

    @property
    def quality(self) -> float:
        """Its quality, without anything soldered to it."""
        return self.omega * self.henry / self.ohm


@cache
def impedance(coil: Coil, omega: float, mesh: Mesh = FINE) -> Impedance:
    """The coil's impedance at an angular frequency."""
    tracks = [np.array(line) / 1000 for line in lines(coil)]
    offsets, heights, areas, logs = _section(coil, mesh)
    per_track = len(areas)
    total = per_track * len(tracks)
    inductance = np.zeros((total, total))
    for i, one in enumerate(tracks):
        for j, other in enumerate(tracks[: i + 1]):
            block = _coupled(one, other, offsets, heights, logs if i == j else None)
            rows, columns = slice(i * per_track, (i + 1) * per_track), slice(j * per_track, (j + 1) * per_track)
            inductance[rows, columns] = block
            inductance[columns, rows] = block.T
    lengths = np.repeat([np.linalg.norm(track[1] - track[0]) for track in tracks], per_track)
    resistance = COPPER_OHM_M * lengths / np.tile(areas, len(tracks))
    # Each track carries 1 ampere, shared among its filaments so that all of them have the same voltage.
    belongs = np.kron(np.eye(len(tracks)), np.ones((per_track, 1)))
    filaments = np.diag(resistance) + 1j * omega * inductance
    shared = np.linalg.solve(filaments, belongs)
    volts = np.linalg.solve(belongs.T @ shared, np.ones(len(tracks)))
    whole = complex(volts.sum())
    return Impedance(whole.real, whole.imag / omega, omega)


def coupling(coil: Coil, pitch: float) -> float:
    """The share of its field that a coil has in common with the one beside it, so many millimetres away."""
    here = [np.array(line) / 1000 for line in closed_lines(coil)]
    there = [line + np.array([pitch / 1000, 0]) for line in here]
    return abs(_between(here, there)) / impedance(coil, 1.0, Mesh(3, 1)).henry


def outline_loss(coil: Coil, outline: Sequence[Point], wire: float = 1.0) -> float:
    """The share of its inductance that a closed ring beside the coil takes: about what a plane of that outline does.

    A plane's eddy currents run along its edge, and a ring without resistance lets no field through either.
    """
    ring: list[Line] = list(zip(outline, [*outline[1:], outline[0]], strict=True))
    here = [np.array(line) / 1000 for line in closed_lines(coil)]
    around = [np.array(line) / 1000 for line in ring]
    mutual = _between(here, around)
    own = sum(
        float(_neumann(one, other, 0.2235 * wire / 1000 if one is other else 0.0)) for one in around for other in around
    )
    return float(mutual**2 / own / impedance(coil, 1.0, Mesh(3, 1)).henry)


def _between(some: Sequence[Array], others: Sequence[Array]) -> float:
    return sum(float(_neumann(one, other, 0.0)) for one in some for other in others)


def _section(coil: Coil, mesh: Mesh) -> tuple[Array, Array, Array, Array]:
    """The filaments of a track: how far aside and how high, their areas, and mean logarithms of distances."""
    angles = np.linspace(0, np.pi, mesh.across + 1)
    edges = -np.cos(angles) * coil.width / 2000
    floors = np.linspace(0, coil.thickness / 1000, mesh.over + 1)
    cells = [(a, b, c, d) for a, b in pairwise(edges) for c, d in pairwise(floors)]
    offsets = np.array([(a + b) / 2 for a, b, _, _ in cells])
    heights = np.array([(c + d) / 2 for _, _, c, d in cells])
    areas = np.array([(b - a) * (d - c) for a, b, c, d in cells])
    share = (np.arange(_SUB) + 0.5) / _SUB
    points = [
        np.add.outer(a + (b - a) * share, 1j * (c + (d - c) * share)).ravel()  # a section as complex numbers
        for a, b, c, d in cells
    ]
    logs = np.empty((len(cells), len(cells)))
    for i, (a, b, c, d) in enumerate(cells):
        for j in range(i):
            logs[i, j] = logs[j, i] = np.log(np.abs(np.subtract.outer(points[i], points[j]))).mean()
        # A rectangle's own mean distance: Grover, Inductance Calculations (1946).
        logs[i, i] = np.log(0.2235 * (b - a + d - c))
    return offsets, heights, areas, logs


def _coupled(one: Array, other: Array, offsets: Array, heights: Array, logs: Array) -> Array:
    """The partial inductances between the filaments of two tracks, in henry."""
    along, there = ((track[1] - track[0]) / np.linalg.norm(track[1] - track[0]) for track in (one, other))
    cosine = round(float(along @ there), 9)
    if not cosine:  # at right angles to each other
        return np.zeros((len(offsets), len(offsets)))
    first = np.array([0.0, np.linalg.norm(one[1] - one[0])])
    second = np.array([(point - one[0]) @ along for point in other])
    aside = np.array([-along[1], along[0]])
    if logs is not None:
        distances = np.exp(logs)
    else:
        apart = (other[0] - one[0]) @ aside + cosine * offsets[None, :] - offsets[:, None]
        distances = np.hypot(apart, heights[None, :] - heights[:, None])
    return _parallel(first, second, distances)


def _neumann(one: Array, other: Array, own: float) -> Array:
    """The inductance between two thin lines, parallel or at right angles; `own` stands for a line's own distance."""
    along, there = ((track[1] - track[0]) / np.linalg.norm(track[1] - track[0]) for track in (one, other))
    if not round(float(along @ there), 9):
        return 0.0
    first = np.array([0.0, np.linalg.norm(one[1] - one[0])])
    second = np.array([(point - one[0]) @ along for point in other])
    apart = abs(float((other[0] - one[0]) @ np.array([-along[1], along[0]])))
    return _parallel(first, second, np.array(own or max(apart, 1e-9)))


def _parallel(first: Array, second: Array, distances: Array) -> Array:
    """Neumann's integral for two parallel lines, solved (Grover, chapter 6): from their ends along a common axis."""

    def part(along: float) -> Array:
        return along * np.arcsinh(along / distances) - np.hypot(along, distances)

    (a, b), (c, d) = first, second
    return MU_0 / (4 * np.pi) * (part(d - a) - part(c - a) - part(d - b) + part(c - b))

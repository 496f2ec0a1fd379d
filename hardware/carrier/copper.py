"""Tracks and vias, how wide a track has to be for its current, and how far one piece of copper is from another."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from math import dist, hypot, pi
from typing import Final

from hardware.carrier.footprints import PITCH, Pad
from hardware.dimensions import Point

CLEARANCE: Final = 0.25
"""The least distance between two nets: twice what cheap makers of boards ask for."""
EDGE: Final = 0.5
"""The least distance from copper to the edge and to a screw's hole."""
_WARMER: Final = 10.0
"""How much warmer a track may get than what is around it, in kelvin."""
COPPER_MM: Final = 0.035
"""How thick a track is."""
WALL_MM: Final = 0.02
"""How thick the copper in a hole is, at least."""
_SQUARE_MIL: Final = 1 / 0.0254**2
Line = tuple[Point, Point]


class Side(Enum):
    """The two sides of a board, by the names of their layers in KiCad."""

    TOP = "F.Cu"
    BOTTOM = "B.Cu"


@dataclass(frozen=True, slots=True)
class Gauge:
    """How wide a net's tracks are, and its vias where it may have some."""

    width: float
    via: float = 0.0
    drill: float = 0.0


SIGNAL: Final = Gauge(0.3, 0.8, 0.4)


@dataclass(frozen=True, slots=True)
class Rules:
    """What a board asks of whoever makes it."""

    clearance: float = CLEARANCE
    signal: Gauge = SIGNAL
    step: float = PITCH / 2
    """How far apart the places are that tracks may run on."""
    holes: float = 0.5
    """The least distance between two holes."""


USUAL: Final = Rules()
"""Of boards whose parts have legs."""


@dataclass(frozen=True, slots=True)
class Track:
    """A straight piece of copper with round ends."""

    net: str
    side: Side
    start: Point
    end: Point
    width: float


@dataclass(frozen=True, slots=True)
class Via:
    """A plated hole from side to side that no part sits in."""

    net: str
    at: Point
    size: float
    drill: float


@dataclass(frozen=True, slots=True)
class Copper:
    """What joins a board's pads."""

    tracks: tuple[Track, ...]
    vias: tuple[Via, ...]


def whole(millimetres: float) -> float:
    """A measure as it is written into a file: to a tenth of a micrometre."""
    return round(millimetres, 4)


def carries_ma(width: float) -> float:
    """The current that a track on an outer side may carry (IPC-2221).

    >>> round(carries_ma(1.0))
    2392
    """
    area = width * COPPER_MM * _SQUARE_MIL
    return float(0.048 * _WARMER**0.44 * area**0.725 * 1000)


def as_wide_as(drill: float) -> float:
    """The width of a track that has as much copper as the wall of a hole."""
    return pi * drill * WALL_MM / COPPER_MM


def from_pad(point: Point, pad: Pad) -> float:
    """How far a point is from a pad's copper; 0 inside."""
    half, high = pad.half
    across, along = point[0] - pad.at[0], point[1] - pad.at[1]
    if pad.square:
        return hypot(max(abs(across) - half, 0), max(abs(along) - high, 0))
    return max(hypot(across, along) - half, 0)


def from_line(point: Point, start: Point, end: Point) -> float:
    """How far a point is from a straight line."""
    (x, y), (x1, y1), (x2, y2) = point, start, end
    length = dist(start, end)
    if length == 0:
        return dist(point, start)
    share = ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / length**2
    share = min(max(share, 0), 1)
    return hypot(x - x1 - share * (x2 - x1), y - y1 - share * (y2 - y1))


def between_lines(one: Line, other: Line) -> float:
    """How far two straight lines are from each other; 0 where they cross."""
    (a, b), (c, d) = one, other
    if _turn(a, b, c) * _turn(a, b, d) < 0 and _turn(c, d, a) * _turn(c, d, b) < 0:
        return 0.0
    return min(from_line(a, c, d), from_line(b, c, d), from_line(c, a, b), from_line(d, a, b))


def _turn(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def track_to_track(one: Track, other: Track) -> float:
    """How far two tracks on one side are apart; below 0 where they overlap."""
    return between_lines((one.start, one.end), (other.start, other.end)) - (one.width + other.width) / 2


def track_to_pad(track: Track, pad: Pad) -> float:
    """How far a track is from a pad; below 0 where they overlap."""
    line = track.start, track.end
    if not pad.square:
        return from_line(pad.at, *line) - (track.width + pad.size) / 2
    half, high = pad.half
    x, y = pad.at
    corners = [(x - half, y - high), (x + half, y - high), (x + half, y + high), (x - half, y + high)]
    inside = min(from_pad(track.start, pad), from_pad(track.end, pad)) == 0
    edges = zip(corners, corners[1:] + corners[:1], strict=True)
    return (0.0 if inside else min(between_lines(line, edge) for edge in edges)) - track.width / 2

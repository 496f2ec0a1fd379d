"""Pieces of copper, how far they are apart, and which of them are near each other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import dist, floor, hypot, inf
from typing import Final

from hardware.carrier.copper import Copper, Side, Track, from_pad, track_to_pad, track_to_track
from hardware.carrier.footprints import Box, Pad

_CELL: Final = 5.0
_BOTH: Final = frozenset(Side)
_TOP: Final = frozenset((Side.TOP,))


@dataclass(frozen=True)
class Piece:
    """A track, or a pad or via, which are on both sides; and its net."""

    net: str
    shape: Track | Pad

    @cached_property
    def sides(self) -> frozenset[Side]:
        """Where its copper is."""
        if isinstance(self.shape, Track):
            return frozenset((self.shape.side,))
        return _BOTH if self.shape.drill else _TOP

    @cached_property
    def box(self) -> Box:
        """The box around it."""
        if isinstance(self.shape, Pad):
            (x, y), (half, high) = self.shape.at, self.shape.half
            return x - half, y - high, x + half, y + high
        (x1, y1), (x2, y2), half = self.shape.start, self.shape.end, self.shape.width / 2
        return min(x1, x2) - half, min(y1, y2) - half, max(x1, x2) + half, max(y1, y2) + half


def pieces(pads: Mapping[str, Iterable[Pad]], copper: Copper) -> Iterator[Piece]:
    """All copper of a board but the planes."""
    yield from (Piece(net, pad) for net, of_net in pads.items() for pad in of_net)
    yield from (Piece(track.net, track) for track in copper.tracks)
    yield from (Piece(via.net, Pad("", via.at, via.size, via.drill)) for via in copper.vias)


def apart(one: Piece, other: Piece) -> float:
    """How far two pieces are from each other: 0 or less where they touch, infinite on different sides."""
    if not one.sides & other.sides:
        return inf
    match one.shape, other.shape:
        case Track() as first, Track() as second:
            return track_to_track(first, second)
        case (Track() as track, Pad() as pad) | (Pad() as pad, Track() as track):
            return track_to_pad(track, pad)
        case Pad() as first, Pad() as second:
            return _pad_to_pad(first, second)
    raise TypeError(one, other)


def boxes_apart(one: Piece, other: Piece) -> float:
    """How far the boxes around two pieces are from each other along an axis: the pieces are no nearer."""
    left, upper, right, lower = one.box
    other_left, other_upper, other_right, other_lower = other.box
    return max(other_left - right, left - other_right, other_upper - lower, upper - other_lower)


def _pad_to_pad(one: Pad, other: Pad) -> float:
    for square, other_one in ((one, other), (other, one)):
        if square.square and not other_one.square:
            return from_pad(other_one.at, square) - other_one.size / 2
    if not one.square:
        return dist(one.at, other.at) - (one.size + other.size) / 2
    gaps = (abs(one.at[axis] - other.at[axis]) - one.half[axis] - other.half[axis] for axis in (0, 1))
    return hypot(*(max(gap, 0.0) for gap in gaps))


class Nearby:
    """Finds what is near a piece without looking at the whole board."""

    def __init__(self, of_board: Iterable[Piece]) -> None:
        self._cells: defaultdict[tuple[int, int], list[Piece]] = defaultdict(list)
        for piece in of_board:
            self.add(piece)

    def add(self, piece: Piece) -> None:
        """Put one more piece onto the board."""
        for cell in self._touched(piece, 0):
            self._cells[cell].append(piece)

    def around(self, piece: Piece, reach: float) -> Iterator[Piece]:
        """What may be within reach of a piece, each once."""
        seen: set[int] = set()
        for cell in self._touched(piece, reach):
            for other in self._cells.get(cell, ()):
                if other is not piece and id(other) not in seen:
                    seen.add(id(other))
                    yield other

    @staticmethod
    def _touched(piece: Piece, reach: float) -> Iterator[tuple[int, int]]:
        left, upper, right, lower = piece.box
        for i in range(floor((left - reach) / _CELL), floor((right + reach) / _CELL) + 1):
            for j in range(floor((upper - reach) / _CELL), floor((lower + reach) / _CELL) + 1):
                yield i, j

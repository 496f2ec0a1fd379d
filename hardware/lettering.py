"""Letters, figures and a sign as strokes, to be engraved: lines that a laser follows, not outlines that it fills."""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, radians, sin
from typing import Final

from hardware.dimensions import Dimensions, Point
from hardware.wiring import FILES, RANKS

Stroke = tuple[Point, ...]
"""A line through these points."""

_STEP: Final = 22.5
"""An arc turns by so many degrees from point to point."""


def _arc(x: float, y: float, radius: float, start: float, end: float) -> Stroke:
    steps = max(1, round(abs(end - start) / _STEP))
    angles = [radians(start + (end - start) * step / steps) for step in range(steps + 1)]
    return tuple((x + radius * cos(angle), y + radius * sin(angle)) for angle in angles)


_BOWL: Final = _arc(0.3, 0.3, 0.3, 0, 360)
GLYPHS: Final[dict[str, tuple[Stroke, ...]]] = {
    "a": (_BOWL, ((0.6, 0.6), (0.6, 0))),
    "b": (_BOWL, ((0, 1), (0, 0))),
    "c": (_arc(0.3, 0.3, 0.3, 45, 315),),
    "d": (_BOWL, ((0.6, 1), (0.6, 0))),
    "1": (((0.1, 0.8), (0.35, 1), (0.35, 0)), ((0.1, 0), (0.6, 0))),
    "2": ((*_arc(0.3, 0.7, 0.3, 170, -35), (0, 0), (0.6, 0)),),
    "3": ((*_arc(0.3, 0.75, 0.25, 160, -90), *_arc(0.3, 0.25, 0.25, 90, -160)[1:]),),
    "4": (((0.45, 0), (0.45, 1), (0, 0.3), (0.65, 0.3)),),
}
"""Each in a box of height 1 with its lower left corner at the origin."""
_GIVE: Final = (
    ((-1.2, 0.3), (1.2, 0.3), (0.8, 0.7)),
    ((1.2, 0.3), (0.8, -0.1)),
    ((1.2, -0.3), (-1.2, -0.3), (-0.8, -0.7)),
    ((-1.2, -0.3), (-0.8, 0.1)),
)
"""Two arrows, there and back: here a piece goes from one hand to the other."""


def written(sign: str, middle: Point, height: float, *, turned: bool = False) -> Iterator[Stroke]:
    """A letter or a figure around a place; turned, for who sits opposite."""
    points = [point for stroke in GLYPHS[sign] for point in stroke]
    wide = max(x for x, _ in points) + min(x for x, _ in points)
    way = -1 if turned else 1
    for stroke in GLYPHS[sign]:
        yield tuple(
            (middle[0] + way * (x - wide / 2) * height, middle[1] + way * (y - 0.5) * height) for x, y in stroke
        )


def square_names(d: Dimensions) -> Iterator[tuple[str, Point, bool]]:
    """Which letter and which figure is beside the squares, where, and whether it is turned: once for each player."""
    aside = d.board.letters_aside
    first, last = d.square(f"{FILES[0]}{RANKS[0]}"), d.square(f"{FILES[-1]}{RANKS[-1]}")
    for file in FILES:
        x, _ = d.square(f"{file}{RANKS[0]}")
        yield file, (x, first[1] - aside), False
        yield file, (x, last[1] + aside + d.board.letter), True
    for rank in RANKS:
        _, y = d.square(f"{FILES[0]}{rank}")
        yield str(rank), (first[0] - aside, y), False
        yield str(rank), (last[0] + aside, y), True


def lettering(d: Dimensions, *, offer: bool) -> Iterator[Stroke]:
    """Everything that is written on the playing surface."""
    for sign, middle, turned in square_names(d):
        yield from written(sign, middle, d.board.letter, turned=turned)
    if offer:
        x, y = d.board.offer
        for stroke in _GIVE:
            yield tuple((x + u * d.board.letter, y + d.board.sign_up + v * d.board.letter) for u, v in stroke)

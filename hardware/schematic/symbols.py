"""Symbols: how a part is drawn in a schematic, and where its pins end; in units of half a hole, y downwards."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import cos, pi, sin
from typing import Final

from hardware.description import PartKind, Pin, PinKind

UNIT_MM: Final = 1.27
STUB: Final = 2
"""The length of the line of a pin."""
_ROW: Final = 2
_LETTER: Final = 0.8
"""How wide a letter of a pin's name is."""
_LEFT_KINDS: Final = (PinKind.IN, PinKind.SUPPLY, PinKind.GROUND)
_RIGHT_KINDS: Final = (PinKind.OUT, PinKind.TRISTATE, PinKind.SOURCE)
_ONE_SIDE: Final = 8
"""A plug with no more pins than that has them all on one side."""

Stretch = tuple[float, float, float, float]
"""A straight line, from and to; or the two corners of a rectangle."""


@dataclass(frozen=True, slots=True)
class SymbolPin:
    """A pin: where a wire meets it, how long its line is, and whether its body is to the right of it."""

    pin: Pin
    x: float
    y: float
    length: float
    leftmost: bool


@dataclass(frozen=True, slots=True)
class Symbol:
    """A drawn part, around its middle."""

    name: str
    pins: tuple[SymbolPin, ...]
    rectangles: tuple[Stretch, ...]
    strokes: tuple[Stretch, ...]
    half_width: float
    half_height: float
    named: bool
    """Whether the names and numbers of its pins are written."""


@cache
def symbol_of(kind: PartKind) -> Symbol:
    """The symbol of a kind of part."""
    # A part for a machine to solder is drawn as one for hands.
    shape = kind.key.removeprefix("small_")
    if shape in _SHAPES:
        return _flat(kind, *_SHAPES[shape])
    if {pin.name for pin in kind.pins} == {"K", "A"} and kind.key != "light":
        return _flat(
            kind, (), ((-1.2, -1.2, -1.2, 1.2), (-1.2, 0, 1.2, -1.2), (1.2, -1.2, 1.2, 1.2), (1.2, 1.2, -1.2, 0)), 1.2
        )
    return _box(kind)


_BUMPS: Final = tuple(
    (
        x + 0.5 - 0.5 * cos(pi * k / 6),
        -0.5 * sin(pi * k / 6),
        x + 0.5 - 0.5 * cos(pi * (k + 1) / 6),
        -0.5 * sin(pi * (k + 1) / 6),
    )
    for x in (-2, -1, 0, 1)
    for k in range(6)
)
_PLATES: Final = ((-0.5, -1.4, -0.5, 1.4), (0.5, -1.4, 0.5, 1.4))
_SHAPES: Final[dict[str, tuple[tuple[Stretch, ...], tuple[Stretch, ...], float]]] = {
    "resistor": (((-2, -0.8, 2, 0.8),), (), 2),
    "fuse": (((-2, -0.8, 2, 0.8),), ((-2, 0, 2, 0),), 2),
    "inductor": ((), _BUMPS, 2),
    "capacitor": ((), _PLATES, 0.5),
    "electrolytic": ((), (*_PLATES, (-1.8, -1.2, -1.0, -1.2), (-1.4, -1.6, -1.4, -0.8)), 0.5),
}
"""Rectangles, strokes, and how far from the middle the body begins."""


def _flat(kind: PartKind, rectangles: tuple[Stretch, ...], strokes: tuple[Stretch, ...], body: float) -> Symbol:
    first, second = kind.pins
    pins = SymbolPin(first, -4, 0, 4 - body, leftmost=True), SymbolPin(second, 4, 0, 4 - body, leftmost=False)
    return Symbol(kind.key, pins, rectangles, strokes, 4, 2, named=False)


def _box(kind: PartKind) -> Symbol:
    left, right = _sides(kind.pins)
    rows = max(len(left), len(right))
    letters = max((len(pin.name) for pin in left), default=0) + max((len(pin.name) for pin in right), default=0)
    # On the grid: half of the width is a whole number of units.
    half = max(4, 2 * round((letters * _LETTER + 4) / 4 + 0.5))
    top = -(rows - 1) * _ROW // 2
    pins = [SymbolPin(pin, -half - STUB, top + row * _ROW, STUB, leftmost=True) for row, pin in enumerate(left)]
    pins += [SymbolPin(pin, half + STUB, top + row * _ROW, STUB, leftmost=False) for row, pin in enumerate(right)]
    upper, lower = top - _ROW, top + rows * _ROW
    height = max(-upper, lower)
    return Symbol(kind.key, tuple(pins), ((-half, upper, half, lower),), (), half + STUB, height, named=True)


def _sides(pins: tuple[Pin, ...]) -> tuple[list[Pin], list[Pin]]:
    if any(pin.kind in (*_LEFT_KINDS[:1], *_RIGHT_KINDS[:2]) for pin in pins):
        left = [pin for pin in pins if pin.kind is PinKind.IN]
        right = [pin for pin in pins if pin.kind in _RIGHT_KINDS]
        rest = [pin for pin in pins if pin not in left and pin not in right]
        for pin in rest:
            (left if len(left) <= len(right) else right).append(pin)
        return left, right
    if len(pins) <= _ONE_SIDE:
        return list(pins), []
    # A plug with two rows of pins, as they lie there.
    return list(pins[::2]), list(pins[1::2])

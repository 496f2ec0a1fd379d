"""Drawings of what cannot be undone: the header of a reader module, and pin 1 of the Pi's ribbon."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import atan2, degrees
from typing import Final

from hardware.carrier.footprints import PITCH
from hardware.carrier.layout import read_carriers
from hardware.dimensions import Dimensions, Point
from hardware.drawings import line, number, shape, sheet, text
from hardware.plates import Cut

_PLASTIC: Final = 2.5
"""The block of a pin header is so high, and so wide."""
_STANDING: Final = 1.5
"""A joint that is not clipped stands so high over the board."""
_PIN: Final = 0.64
_LARGE: Final = 3.0
_LARGER: Final = 9.0
_WOOD: Final = "#e8cfa0"
_BOARD: Final = "#7fa6dc"
_PLASTIC_PAINT: Final = "#333"
_METAL: Final = "#c9a227"
_COIL: Final = "#e80"
_RED: Final = "#c00"
_PINS: Final = 40


def pi_header_pin(d: Dimensions, pin: int) -> Point:
    """Where a pin of the Pi's header is in the case, as seen from above.

    By Raspberry Pi's drawings odd numbers are in the row away from the board's edge, pin 1 at the end away from USB.
    """
    parts = d.electronics
    x, y = parts.pi[0] + parts.pi_header[0], parts.pi[1] + parts.pi_header[1]
    # In this case the sockets look to the left, and the header lies along the edge that is nearest.
    column = (pin - 1) // 2
    along = (_PINS / 2 - 1) / 2 - column
    return x + along * PITCH, y + (PITCH / 2 if pin % 2 else -PITCH / 2)


def hub_header_pin(d: Dimensions, pin: int) -> Point:
    """Where a pin of the hub board's PI is in the case, as seen from above."""
    hub = next(board for board in read_carriers() if board.name == "hub")
    header = next(placed for placed in hub.parts if placed.part.ref == "PI")
    x, y = next(pad.at for pad, _ in header.pads if pad.number == str(pin))
    corner = d.electronics.hub
    return corner[0] + x, corner[1] + d.electronics.hub_size[1] - y


def pin_1_svg(d: Dimensions) -> str:
    """Where pin 1 is on the Pi and on the hub board, as both lie in the case."""
    parts = d.electronics
    left, near = parts.pi[0], parts.pi[1]
    lines = [*_outline(parts.pi, parts.pi_size), *_outline(parts.hub, parts.hub_size)]
    (pi_x, pi_y), (hub_x, hub_y) = parts.pi, parts.hub
    lines.append(text((pi_x + 40, pi_y + 24), "Raspberry Pi", 7))
    lines.append(text((hub_x + 75, hub_y + 60), "hub board", 7))
    for words, at, size in (
        ("USB", (left + 6, near + 28), (17, 48)),
        ("card", (left + parts.pi_size[0] - 7, near + 28), (14, 12)),
        ("USB-C", (left + parts.pi_power[0], near + parts.pi_power[1] - 3), (9, 7)),
    ):
        lines += [shape(Cut(words, *at, *size), "thin"), text((at[0], at[1] - 1.5), words, 4)]
    for place, words, aside in (
        (pi_header_pin, "pin 1: inner row, away from the USB sockets", (16.0, 9.0)),
        (hub_header_pin, "pin 1: the square pad, beside the printed 1", (-8.0, -24.0)),
    ):
        lines += _header([place(d, pin) for pin in range(1, _PINS + 1)])
        one = place(d, 1)
        there = one[0] + aside[0], one[1] + aside[1]
        lines += [
            line(*one, *there, "cut"),
            text((there[0] + 1, there[1] - (1.5 if aside[0] > 0 else 6)), words, 5.5, 0, "start"),
        ]
    width = parts.hub[0] + parts.hub_size[0]
    lines.append(
        text(
            (0, -14),
            "Seen from above, as both lie in the case. Red wire from pin 1 to pin 1, by half a twist of the ribbon.",
            7,
            0,
            "start",
        )
    )
    return sheet(width, parts.hub[1] + parts.hub_size[1], lines, scale=2)


def _outline(corner: Point, size: Point) -> Iterator[str]:
    yield shape(Cut("board", corner[0] + size[0] / 2, corner[1] + size[1] / 2, *size), "part")


def _header(pins: Sequence[Point]) -> Iterator[str]:
    for index, (x, y) in enumerate(pins):
        fill = _RED if index == 0 else "#fff"
        yield f'<circle cx="{number(x)}" cy="{number(-y)}" r="1" fill="{fill}" stroke="#333" stroke-width=".3"/>'
    for index in (0, 1, len(pins) - 2, len(pins) - 1):
        (x, y), (_, other) = pins[index], pins[index ^ 1]
        yield text((x, y + (2 if y > other else -4.6)), str(index + 1), 3.5)


def header_svg(d: Dimensions) -> str:
    """On which side of a reader module its header goes, and how its joints are clipped, seen from the side."""
    wide, aside = d.reader.length * _LARGE, d.reader.length * _LARGE + 50
    lines = [
        text((0, 190), "A module under the wood, seen from the side: which side its header goes on", 8, 0, "start")
    ]
    lines += _caption(0, 165, "right", "pins and parts look down; joints clipped flush")
    lines += [*_wood(0, 150, wide), *_module(d, 0, 150), *_header_below(d, 0, 150), *_names(d, 0, 150)]
    lines += _caption(aside, 165, "wrong", "joints not clipped: they hold the coil off the wood")
    lines += [*_wood(aside, 150, wide), *_tilted(d, aside, 150), *_cross(aside + wide / 2, 130)]
    lines += _caption(0, 70, "wrong", "header on the flat side: its pins keep the coil off the wood")
    lines += [*_wood(0, 55, wide), *_header_above(d, 0, 55), *_cross(wide / 2, 40)]
    lines += _caption(aside, 70, "the joint, larger", "solder, then clip, then feel")
    lines += [*_joint(d, aside + 35, 30, clipped=False), *_joint(d, aside + 120, 30, clipped=True)]
    return sheet(aside + wide, 195, lines, scale=1.7)


def _caption(x: float, y: float, title: str, words: str) -> Iterator[str]:
    yield text((x, y), f"{title}: {words}", 6.5, 0, "start")


def _wood(x: float, y: float, wide: float) -> Iterator[str]:
    yield _block(x - 8, y, wide + 16, 9, _WOOD)
    yield text((x + wide + 4, y + 2.5), "wood", 5, 0, "end")


def _module(d: Dimensions, x: float, y: float) -> Iterator[str]:
    """A module whose flat side is at that height: its board, its coil, and the tallest of its parts below."""
    reader = d.reader
    thick = reader.board * _LARGE
    yield _block(x, y - thick, reader.length * _LARGE, thick, _BOARD)
    start, end = reader.antenna_middle - reader.antenna / 2, reader.antenna_middle + reader.antenna / 2
    yield _block(x + start * _LARGE, y - 1, (end - start) * _LARGE, 1, _COIL)
    yield _block(x + (reader.length * 3 / 4 - 6) * _LARGE, y - thick - reader.parts * _LARGE, 12 * _LARGE, 12, "#bbb")


def _pins_at(d: Dimensions) -> float:
    return (d.reader.length / 2 + d.reader.pins[0]) * _LARGE


def _header_below(d: Dimensions, x: float, y: float, standing: float = 0.0) -> Iterator[str]:
    """A header on the side of the parts; its joints stand so many millimetres over the flat side."""
    reader, middle = d.reader, x + _pins_at(d)
    thick, half = reader.board * _LARGE, _PLASTIC * _LARGE / 2
    bottom = y - thick - reader.pins[2] * _LARGE
    yield _block(middle - _PIN * _LARGE / 2, bottom, _PIN * _LARGE, y + standing * _LARGE - bottom, _METAL)
    yield _block(middle - half, y - thick - 2 * half, 2 * half, 2 * half, _PLASTIC_PAINT)


def _header_above(d: Dimensions, x: float, y: float) -> Iterator[str]:
    """A module whose header is on the wrong side, so that its pins meet the wood first."""
    flat, middle, half = y - d.reader.pins[2] * _LARGE, x + _pins_at(d), _PLASTIC * _LARGE / 2
    yield from _module(d, x, flat)
    bottom = flat - d.reader.board * _LARGE - _STANDING * _LARGE
    yield _block(middle - _PIN * _LARGE / 2, bottom, _PIN * _LARGE, y - bottom, _METAL)
    yield _block(middle - half, flat, 2 * half, 2 * half, _PLASTIC_PAINT)


def _tilted(d: Dimensions, x: float, y: float) -> Iterator[str]:
    """A module that lies on its joints at one end."""
    angle = degrees(atan2(_STANDING * _LARGE, _pins_at(d)))
    yield f'<g transform="rotate({number(angle)} {number(x)} {number(-y)})">'
    yield from (*_module(d, x, y), *_header_below(d, x, y, _STANDING))
    yield "</g>"


def _names(d: Dimensions, x: float, y: float) -> Iterator[str]:
    thick = d.reader.board * _LARGE
    yield text((x + d.reader.antenna_middle * _LARGE, y - thick - 9), "coil, on the flat side, against the wood", 5)
    yield text((x + d.reader.length * _LARGE * 3 / 4, y - thick - 20), "parts", 5)
    yield text((x + _pins_at(d) - 5, y - thick - d.reader.pins[2] * _LARGE), "long pins", 5, 0, "end")


def _joint(d: Dimensions, x: float, y: float, *, clipped: bool) -> Iterator[str]:
    """One joint on the flat side, before and after it is clipped."""
    thick, pin = d.reader.board * _LARGER, _PIN * _LARGER
    over = 0.0 if clipped else _STANDING * _LARGER
    yield _block(x - 30, y - thick, 60, thick, _BOARD)
    yield _block(x - pin / 2, y - thick - 14, pin, thick + 14 + over, _METAL)
    yield _block(x - _PLASTIC * _LARGER / 2, y - thick - 10, _PLASTIC * _LARGER, 10, _PLASTIC_PAINT)
    if clipped:
        yield text((x, y + 4), "flat side: nothing left to feel", 5)
        return
    slope, top = 9 - pin / 2, number(pin)
    cone = f"M{number(x - 9)} {number(-y)}l{number(slope)} -8h{top}l{number(slope)} 8Z"
    yield f'<path d="{cone}" fill="#999"/>'
    yield line(x - 24, y + 0.6, x + 24, y + 0.6, "cut")
    yield text((x + 26, y + 2), "cut here", 5, 0, "start")


def _cross(x: float, y: float) -> Iterator[str]:
    for up in (-1, 1):
        yield (
            f'<path stroke="{_RED}" stroke-width="2.5" opacity=".7" '
            f'd="M{number(x - 14)} {number(-y + up * 14)}L{number(x + 14)} {number(-y - up * 14)}"/>'
        )


def _block(x: float, y: float, width: float, height: float, fill: str) -> str:
    """A filled rectangle by its lower left corner."""
    return (
        f'<rect x="{number(x)}" y="{number(-y - height)}" width="{number(width)}" height="{number(height)}" '
        f'fill="{fill}" stroke="#333" stroke-width=".4"/>'
    )

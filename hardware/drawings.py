"""Drawings of the flat parts for the saw or the laser: SVG to look at, DXF to cut from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Final
from xml.sax.saxutils import escape

from hardware.dimensions import Dimensions, Point
from hardware.leads import Lead
from hardware.lettering import Stroke
from hardware.plates import Cut, Plate, hole, rank_board_middle, reader_middle, surface

MARGIN: Final = 30.0
_MILLIMETRES: Final = 4
"""What $INSUNITS calls them."""
_STYLE: Final = (
    "<style>.cut{fill:none;stroke:#c00;stroke-width:.5}.engrave{fill:none;stroke:#06c;stroke-width:.5}"
    ".pocket{fill:none;stroke:#080;stroke-width:.5;stroke-dasharray:2 1}"
    ".part{fill:#eee;stroke:#333;stroke-width:.5}.thin{stroke:#666;stroke-width:.3;fill:none}"
    ".coil{fill:#fc8;stroke:#a50;stroke-width:.5}text{font-family:sans-serif;fill:#222}</style>"
)


def number(value: float) -> str:
    """A measure as short as it can be written.

    >>> number(400.0), number(23.456)
    ('400', '23.46')
    """
    return f"{value:.2f}".rstrip("0").rstrip(".")


def sheet(width: float, height: float, lines: list[str], scale: float = 1.6) -> str:
    """A drawing of that many millimetres, y upwards, with a margin around."""
    whole = number(width + 2 * MARGIN), number(height + 2 * MARGIN)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {whole[0]} {whole[1]}" '
            f'width="{number((width + 2 * MARGIN) * scale)}" height="{number((height + 2 * MARGIN) * scale)}">',
            _STYLE,
            '<rect width="100%" height="100%" fill="#fff"/>',
            f'<g transform="translate({number(MARGIN)} {number(height + MARGIN)})">',
            *lines,
            "</g>",
            "</svg>\n",
        ]
    )


def text(at: Point, words: str, size: float = 6, turn: float = 0, anchor: str = "middle") -> str:
    """Words at a place."""
    x, y = at
    turned = f' transform="rotate({number(turn)} {number(x)} {number(-y)})"' if turn else ""
    place = f'x="{number(x)}" y="{number(-y)}"'
    return f'<text {place} font-size="{number(size)}" text-anchor="{anchor}"{turned}>{escape(words)}</text>'


def line(x1: float, y1: float, x2: float, y2: float, style: str = "thin") -> str:
    """A straight line."""
    return f'<path class="{style}" d="M{number(x1)} {number(-y1)}L{number(x2)} {number(-y2)}"/>'


def across(x1: float, x2: float, y: float, words: str = "", size: float = 6) -> list[str]:
    """A measure from left to right, written above its line."""
    ends = [line(x, y - 2, x, y + 2) for x in (x1, x2)]
    return [line(x1, y, x2, y), *ends, text(((x1 + x2) / 2, y + 1.5), words or number(x2 - x1), size)]


def upwards(y1: float, y2: float, x: float, words: str = "", size: float = 6) -> list[str]:
    """A measure from below to above, written to the left of its line."""
    ends = [line(x - 2, y, x + 2, y) for y in (y1, y2)]
    return [line(x, y1, x, y2), *ends, text((x - 1.5, (y1 + y2) / 2), words or number(y2 - y1), size, -90)]


def shape(cut: Cut, style: str) -> str:
    """The outline of a cut-out or of anything else that is round or a rectangle."""
    if cut.circle:
        return f'<circle class="{style}" cx="{number(cut.x)}" cy="{number(-cut.y)}" r="{number(cut.width / 2)}"/>'
    corner = f'x="{number(cut.x - cut.width / 2)}" y="{number(-cut.y - cut.height / 2)}"'
    return f'<rect class="{style}" {corner} width="{number(cut.width)}" height="{number(cut.height)}"/>'


def plate_svg(plate: Plate) -> str:
    """A flat part with its outer measures: red is cut, blue is engraved, green and broken is a pocket."""
    outline = Cut("outline", plate.width / 2, plate.height / 2, plate.width, plate.height)
    title = f"{plate.name}: {number(plate.width)} x {number(plate.height)} x {number(plate.thickness)} mm"
    lines = [
        shape(outline, "cut"),
        *(shape(cut, "cut") for cut in plate.cuts),
        *(shape(cut, "engrave") for cut in plate.engraved),
        *(f'<path class="engrave" d="{_path(stroke)}"/>' for stroke in plate.strokes),
        *_pockets(plate),
        *across(0, plate.width, -12),
        *upwards(0, plate.height, -12),
        text((plate.width / 2, plate.height + 12), title, 8),
    ]
    return sheet(plate.width, plate.height, lines)


def _path(stroke: Stroke) -> str:
    return "M" + "L".join(f"{number(x)} {number(-y)}" for x, y in stroke)


def _pockets(plate: Plate) -> Iterator[str]:
    for cut in plate.pockets:
        yield shape(cut, "pocket")
        yield text((cut.x, cut.y + cut.height / 2 + 2), f"{number(cut.depth)} deep, from this side", 5)


def plate_dxf(plate: Plate) -> str:
    """A flat part as DXF, in millimetres and as every laser cutter's program reads it (R12), outlines closed.

    Layers: CUT, ENGRAVE, and POCKET for what is taken away to a depth.
    """
    outline = Cut("outline", plate.width / 2, plate.height / 2, plate.width, plate.height)
    codes: list[tuple[int, object]] = [(0, "SECTION"), (2, "HEADER"), (9, "$ACADVER"), (1, "AC1009")]
    codes += [(9, "$INSUNITS"), (70, _MILLIMETRES), (9, "$MEASUREMENT"), (70, 1), (0, "ENDSEC")]
    codes += [(0, "SECTION"), (2, "ENTITIES")]
    for cut in (outline, *plate.cuts):
        codes += _entity(cut, "CUT")
    for cut in plate.pockets:
        codes += _entity(cut, "POCKET")
    for cut in plate.engraved:
        codes += _entity(cut, "ENGRAVE")
    for stroke in plate.strokes:
        codes += _polyline(stroke, "ENGRAVE", closed=False)
    codes += [(0, "ENDSEC"), (0, "EOF")]
    return "".join(f"{code}\n{value}\n" for code, value in codes)


def _entity(cut: Cut, layer: str) -> Iterator[tuple[int, object]]:
    if cut.circle:
        yield from ((0, "CIRCLE"), (8, layer), (10, number(cut.x)), (20, number(cut.y)), (40, number(cut.width / 2)))
        return
    xs, ys = (cut.x - cut.width / 2, cut.x + cut.width / 2), (cut.y - cut.height / 2, cut.y + cut.height / 2)
    corners = ((xs[0], ys[0]), (xs[1], ys[0]), (xs[1], ys[1]), (xs[0], ys[1]))
    yield from _polyline(corners, layer, closed=True)


def _polyline(points: Stroke, layer: str, *, closed: bool) -> Iterator[tuple[int, object]]:
    yield from ((0, "POLYLINE"), (8, layer), (66, 1), (10, 0), (20, 0), (70, int(closed)))
    for x, y in points:
        yield from ((0, "VERTEX"), (8, layer), (10, number(x)), (20, number(y)))
    yield from ((0, "SEQEND"), (8, layer))


def layout_svg(d: Dimensions) -> str:
    """Where everything is, seen from above through the playing surface."""
    board, parts, reader = d.board, d.electronics, d.reader
    outline = Cut("outline", board.width / 2, board.depth / 2, board.width, board.depth)
    lines = [shape(outline, "part"), *(shape(cut, "engrave") for cut in surface(d).engraved)]
    # So far above the lower edge a name is in the way of nothing else.
    for name, corner, size, up in (
        ("Pi", parts.pi, parts.pi_size, 24),
        ("hub board", parts.hub, parts.hub_size, 3),
        *((f"rank board {rank}", _rank_corner(d, rank), parts.rank_board, 3) for rank in (1, 2, 3, 4)),
    ):
        box = Cut(name, corner[0] + size[0] / 2, corner[1] + size[1] / 2, *size)
        lines += [shape(box, "thin"), text((box.x, corner[1] + up), name, 7)]
    for cell, (x, y) in d.cells.items():
        lines.append(shape(Cut(cell, *reader_middle(d, cell), reader.length, reader.width), "thin"))
        lines.append(shape(Cut(cell, x, y, reader.antenna, reader.antenna), "coil"))
        lines.append(text((x, y - 3), cell, 8))
    lines += [shape(cut, "cut") for cut in surface(d).cuts]
    a1, b1, a2 = d.square("a1"), d.square("b1"), d.square("a2")
    lines += across(a1[0], b1[0], board.depth + 6) + upwards(a1[1], a2[1], -6)
    lines += across(0, board.width, -14) + upwards(0, board.depth, -18)
    lines.append(
        text(
            (board.width / 2, board.depth + 18), "Seen from above: antennas (orange), modules, boards below the grid", 8
        )
    )
    return sheet(board.width, board.depth, lines)


def leads_svg(d: Dimensions, leads: Iterable[Lead]) -> str:
    """Which way each lead goes, seen from above: between the coils, never under one."""
    board, parts = d.board, d.electronics
    lines = [shape(Cut("outline", board.width / 2, board.depth / 2, board.width, board.depth), "part")]
    for corner, size in ((parts.pi, parts.pi_size), (parts.hub, parts.hub_size)):
        lines.append(shape(Cut("board", corner[0] + size[0] / 2, corner[1] + size[1] / 2, *size), "thin"))
    for cell, middle in d.cells.items():
        lines.append(shape(Cut(cell, *middle, d.reader.antenna, d.reader.antenna), "coil"))
        lines.append(text((middle[0], middle[1] - 3), cell, 8))
    for number_of, lead in enumerate(leads):
        # Ways that lie on each other are drawn side by side.
        aside = (number_of % 9 - 4) * 1.6
        style = "cut" if lead.here.on_lid != lead.there.on_lid else "engrave"
        points = [(x + aside, y + aside) for x, y in lead.way]
        lines += [line(*one, *other, style) for one, other in pairwise(points)]
        lines.append(shape(hole(lead.name, points[-1], 3), style))
    words = "Ways of the leads, seen from above: red ones are lifted with the lid at one end"
    lines.append(text((board.width / 2, board.depth + 8), words, 8))
    return sheet(board.width, board.depth, lines)


def _rank_corner(d: Dimensions, rank: int) -> tuple[float, float]:
    x, y = rank_board_middle(d, rank)
    return x - d.electronics.rank_board[0] / 2, y - d.electronics.rank_board[1] / 2

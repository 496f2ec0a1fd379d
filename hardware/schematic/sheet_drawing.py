"""A schematic as a picture: the same sheet that KiCad opens, for who has no KiCad."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final
from xml.sax.saxutils import escape

from hardware.carrier.layout import Board
from hardware.schematic.arrangement import PAPERS, Standing, labels_of, open_pins, sheet_of, words_of
from hardware.schematic.sheet_file import number3
from hardware.schematic.symbols import UNIT_MM

_STYLE: Final = (
    "<style>text{font-family:sans-serif;font-size:1.5px;fill:#222}.pin{fill:#a00;font-size:1.2px}"
    ".word{fill:#066}.head{fill:#00a;font-size:2.6px;font-weight:bold}.part{fill:#ffd;stroke:#900}"
    ".line{fill:none;stroke:#900}.wire{stroke:#080}.frame{fill:none;stroke:#55c;stroke-dasharray:2 1}"
    ".open{stroke:#00a}path,rect{stroke-width:.2}</style>"
)


def schematic_svg(board: Board) -> str:
    """The schematic of a board, drawn in units of half a hole."""
    sheet = sheet_of(board)
    right = max(block.right for block in sheet.blocks) + 6
    lower = max(block.lower for block in sheet.blocks) + 6
    width, height = min(right, PAPERS[sheet.paper][0] / UNIT_MM), min(lower, PAPERS[sheet.paper][1] / UNIT_MM)
    lines = []
    for block in sheet.blocks:
        size = f'width="{number3(block.right - block.left)}" height="{number3(block.lower - block.upper)}"'
        lines.append(f'<rect class="frame" x="{number3(block.left)}" y="{number3(block.upper)}" {size}/>')
        lines.append(_text(block.left, block.upper - 1, block.title, "head", "start"))
        for standing in block.standing:
            lines += _part(standing)
    view = f'viewBox="14 16 {number3(width - 14)} {number3(height - 16)}"'
    size = f'width="{number3((width - 14) * 6)}" height="{number3((height - 16) * 6)}"'
    paper = '<rect x="0" y="0" width="100%" height="100%" transform="translate(14 16)" fill="#fff"/>'
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" {view} {size}>', _STYLE, paper, *lines, "</svg>\n"])


def _part(standing: Standing) -> Iterator[str]:
    part, symbol, x, y = standing.part, standing.symbol, standing.x, standing.y
    for x1, y1, x2, y2 in symbol.rectangles:
        size = f'width="{number3(x2 - x1)}" height="{number3(y2 - y1)}"'
        yield f'<rect class="part" x="{number3(x + x1)}" y="{number3(y + y1)}" {size}/>'
    for x1, y1, x2, y2 in symbol.strokes:
        yield _line(x + x1, y + y1, x + x2, y + y2, "line")
    for each in symbol.pins:
        inner = each.x + each.length if each.leftmost else each.x - each.length
        yield _line(x + each.x, y + each.y, x + inner, y + each.y, "line")
        if symbol.named:
            yield _text(x + (each.x + inner) / 2, y + each.y - 0.3, each.pin.number, "pin", "middle")
            aside, anchor = (0.4, "start") if each.leftmost else (-0.4, "end")
            yield _text(x + inner + aside, y + each.y + 0.5, each.pin.name, "word", anchor)
    for net, from_x, at_y, end, leftwards in labels_of(standing):
        yield _line(from_x, at_y, end, at_y, "wire")
        yield _text(end + (-0.3 if leftwards else 0.3), at_y + 0.5, net, "", "end" if leftwards else "start")
    for at_x, at_y in open_pins(standing):
        yield _line(at_x - 0.5, at_y - 0.5, at_x + 0.5, at_y + 0.5, "open")
        yield _line(at_x - 0.5, at_y + 0.5, at_x + 0.5, at_y - 0.5, "open")
    name, value = words_of(x, y, symbol.half_height, named=symbol.named)
    for (at_x, at_y), words in ((name, part.ref), (value, part.value or part.kind.name)):
        yield _text(at_x, at_y + 0.5, words, "word", "middle")


def _line(x1: float, y1: float, x2: float, y2: float, style: str) -> str:
    return f'<path class="{style}" d="M{number3(x1)} {number3(y1)}L{number3(x2)} {number3(y2)}"/>'


def _text(x: float, y: float, words: str, style: str, anchor: str) -> str:
    look = f' class="{style}"' if style else ""
    return f'<text{look} x="{number3(x)}" y="{number3(y)}" text-anchor="{anchor}">{escape(words)}</text>'

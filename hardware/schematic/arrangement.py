"""Where the parts of a board stand on its sheet: under headings, in columns."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final

from hardware.carrier.layout import Board
from hardware.description import PinKind
from hardware.dimensions import Point
from hardware.schematic.symbols import Symbol, symbol_of
from hardware.wiring import Part

PAPERS: Final[Mapping[str, tuple[float, float]]] = {
    "A4": (297, 210),
    "A3": (420, 297),
    "A2": (594, 420),
    "A1": (841, 594),
    "A0": (1189, 841),
}
"""Sheets as KiCad calls them, lying, in millimetres."""
WIRE: Final = 2
"""How long the wire between a pin and its label is."""
_MARGIN: Final = 20
_LETTER: Final = 0.95
_GAP: Final = 3
_HEADING: Final = 6
_TALLEST: Final = 160
"""Of a block: what is more stands beside it."""
_CROWD: Final = 6
"""A net with more pins than that says nothing about what belongs together."""
_BELOW: Final = 26
"""Units that are left free for the title block."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A part on the sheet: where its middle is, in units."""

    part: Part
    symbol: Symbol
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Block:
    """A heading, the frame below it, and what stands in it."""

    title: str
    left: float
    upper: float
    right: float
    lower: float
    standing: tuple[Standing, ...]


@dataclass(frozen=True, slots=True)
class SchematicSheet:
    """A board's sheet."""

    board: Board
    paper: str
    blocks: tuple[Block, ...]

    @property
    def standing(self) -> tuple[Standing, ...]:
        """Every part on it."""
        return tuple(standing for block in self.blocks for standing in block.standing)

    @property
    def unfed(self) -> tuple[str, ...]:
        """The nets that take power and have no pin on the board that gives it: it comes through a fuse or a cable."""
        takes, gives = set(), set()
        for standing in self.standing:
            for pin in standing.part.kind.pins:
                net = standing.part.net(pin)
                if net and pin.kind in (PinKind.SUPPLY, PinKind.GROUND):
                    takes.add(net)
                if net and pin.kind is PinKind.SOURCE:
                    gives.add(net)
        return tuple(sorted(takes - gives))


def sheet_of(board: Board) -> SchematicSheet:
    """The smallest sheet that a board's parts fit on."""
    groups = _groups(board)
    for paper, (width, height) in PAPERS.items():
        blocks = _arranged(groups, width / 1.27 - _MARGIN, height / 1.27 - _BELOW)
        if blocks is not None:
            return SchematicSheet(board, paper, blocks)
    raise ValueError(f"{board.name}: no paper is large enough for its schematic.")


def _groups(board: Board) -> list[tuple[str, list[Part]]]:
    whole = tomllib.loads((Path(__file__).parent / "blocks.toml").read_text(encoding="utf-8"))
    tables = whole.get(board.name, [])
    groups: dict[str, list[Part]] = {table["title"]: [] for table in tables}
    joined = (placed.part for placed in board.parts if placed.part.kind.pins)
    left = sorted(joined, key=lambda part: _natural(part.ref))
    for key in ("claims", "parts"):
        for table in tables:
            # In the order of the patterns, which is that of the current.
            for pattern in table.get(key, ()):
                found = [part for part in left if _fits(part, pattern)]
                groups[table["title"]] += found
                left = [part for part in left if part not in found]
    groups[whole["rest"]] = left
    crowded = {net for net, pads in board.pads.items() if len(pads) > _CROWD}
    return [(title, _beside_their_chips(parts, crowded)) for title, parts in groups.items() if parts]


def _fits(part: Part, pattern: str) -> bool:
    on = pattern.removeprefix("on ")
    if on == pattern:
        return fnmatchcase(part.ref, pattern)
    return any(fnmatchcase(net, on) for net in part.joins.values())


def _natural(ref: str) -> tuple[str, int]:
    number = re.search(r"\d+$", ref)
    return re.sub(r"\d+$", "", ref), int(number.group()) if number else 0


def _arranged(groups: Sequence[tuple[str, list[Part]]], right: float, lower: float) -> tuple[Block, ...] | None:
    """All blocks from the upper left corner down and then to the right, or nothing where they don't fit."""
    x, y, widest = float(_MARGIN), float(_MARGIN), 0.0
    blocks = []
    for title, parts in groups:
        columns = _columns(parts)
        width = max(sum(_across(column) for column in columns), len(title) * 1.5) + _GAP
        height = max(sum(map(_height, column)) for column in columns) + 2 * _GAP + _HEADING
        if y + height > lower and y > _MARGIN:
            x, y, widest = x + _even(widest + 2 * _GAP), float(_MARGIN), 0.0
        if y + height > lower or x + width > right:
            return None
        blocks.append(_block(title, columns, (x, y), (width, height)))
        y += _even(height + _GAP)
        widest = max(widest, width)
    return tuple(blocks)


def _beside_their_chips(parts: Sequence[Part], crowded: Collection[str]) -> list[Part]:
    """Below each chip what hangs on its signals, or has to sit beside it; then what is left."""
    boxes = [part for part in parts if symbol_of(part.kind).named]
    flat = [part for part in parts if part not in boxes]
    order: list[Part] = []
    for part in boxes:
        signals = set(part.joins.values()) - set(crowded)
        near = [each for each in flat if each.beside == part.ref or signals & set(each.joins.values())]
        order += [part, *near]
        flat = [each for each in flat if each not in near]
    return [*order, *flat]


def _columns(parts: Sequence[Part]) -> list[list[Part]]:
    columns: list[list[Part]] = [[]]
    for part in parts:
        if columns[-1] and sum(map(_height, columns[-1])) + _height(part) > _TALLEST:
            columns.append([])
        columns[-1].append(part)
    return columns


def _across(column: Sequence[Part]) -> float:
    """How wide a column has to be for its parts, which stand one above the other."""
    return max(_widths(part)[0] for part in column) + max(_widths(part)[1] for part in column) + _GAP


def _block(title: str, columns: Sequence[Sequence[Part]], corner: Point, size: Point) -> Block:
    (x, y), (width, height) = corner, size
    standing = []
    left = x + _GAP
    for column in columns:
        middle = _even(left + max(_widths(part)[0] for part in column))
        upper = y + _HEADING + _GAP
        for part in column:
            symbol = symbol_of(part.kind)
            standing.append(Standing(part, symbol, middle, _even(upper + _height(part) - symbol.half_height - 2)))
            upper += _height(part)
        left += _across(column)
    return Block(title, x, y + _HEADING - _GAP, x + width + _GAP, y + height, tuple(standing))


def _widths(part: Part) -> tuple[float, float]:
    """How far a part reaches to the left and to the right of its middle, labels included."""
    symbol = symbol_of(part.kind)
    sides = []
    for leftmost in (True, False):
        labels = [len(part.net(each.pin) or "") for each in symbol.pins if each.leftmost is leftmost]
        sides.append(symbol.half_width + (WIRE + max(labels) * _LETTER if labels else 0) + 1)
    return sides[0], sides[1]


def _height(part: Part) -> float:
    # Its name stands above it.
    symbol = symbol_of(part.kind)
    return 2 * symbol.half_height + (8 if symbol.named else 4)


def _even(value: float) -> float:
    """The next point of the grid that pins lie on."""
    return float(2 * -(-value // 2))


def words_of(x: float, y: float, half_height: float, *, named: bool) -> tuple[Point, Point]:
    """Where the name and the value of a part stand: over a box, or over and below what is flat."""
    if named:
        return (x, y - half_height - 2.8), (x, y - half_height - 1)
    return (x, y - half_height - 0.4), (x, y + half_height + 0.6)


def labels_of(standing: Standing) -> Iterator[tuple[str, float, float, float, bool]]:
    """Each label: its net, the pin's end, the label's place along it, and whether it reads towards the left."""
    for each in standing.symbol.pins:
        net = standing.part.net(each.pin)
        if net:
            x, y = standing.x + each.x, standing.y + each.y
            yield net, x, y, x - WIRE if each.leftmost else x + WIRE, each.leftmost


def open_pins(standing: Standing) -> Iterator[tuple[float, float]]:
    """The ends of the pins that nothing is joined to."""
    for each in standing.symbol.pins:
        if not standing.part.net(each.pin):
            yield standing.x + each.x, standing.y + each.y

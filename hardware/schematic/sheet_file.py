"""Schematics as KiCad opens them, in the format of KiCad 8, which every later one reads as well."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final
from uuid import NAMESPACE_URL, uuid5

from hardware.carrier.layout import Board
from hardware.description import PinKind
from hardware.dimensions import Point
from hardware.schematic.arrangement import Block, SchematicSheet, Standing, labels_of, open_pins, sheet_of, words_of
from hardware.schematic.symbols import UNIT_MM, Symbol, SymbolPin

_FUNCTIONS: Final = {
    PinKind.IN: "input",
    PinKind.OUT: "output",
    PinKind.TRISTATE: "tri_state",
    PinKind.IO: "bidirectional",
    PinKind.OPEN: "passive",
    PinKind.PASSIVE: "passive",
    PinKind.SUPPLY: "power_in",
    PinKind.SOURCE: "power_out",
    PinKind.GROUND: "power_in",
}
_LIBRARY: Final = "quarto"
_FLAG: Final = "PWR_FLAG"
_LETTERS: Final = 1.27
_FLAGS_APART: Final = 26


def schematic_text(board: Board) -> str:
    """The schematic of a board."""
    return "\n".join(_Writing(sheet_of(board)).lines()) + "\n"


class _Writing:
    """Writes one sheet."""

    def __init__(self, sheet: SchematicSheet) -> None:
        self.sheet = sheet
        self.root = self._id("sheet")

    def _id(self, what: str) -> str:
        """A name that nobody else has, and that is the same each time."""
        return str(uuid5(NAMESPACE_URL, f"{self.sheet.board.name} schematic {what}"))

    def lines(self) -> Iterator[str]:
        """The file's lines."""
        board = self.sheet.board
        yield '(kicad_sch (version 20231120) (generator "quarto_hardware") (generator_version "1")'
        yield f'  (uuid "{self.root}")'
        yield f'  (paper "{self.sheet.paper}")'
        yield f'  (title_block (title "{board.title}") (rev "{board.revision}")'
        yield '    (comment 1 "Made from hardware/board.toml by make hardware; change it there."))'
        yield "  (lib_symbols"
        for symbol in {standing.symbol.name: standing.symbol for standing in self.sheet.standing}.values():
            yield from _definition(symbol)
        yield from _FLAG_DEFINITION
        yield "  )"
        for block in self.sheet.blocks:
            yield from self._heading(block)
        for standing in self.sheet.standing:
            yield from self._joined(standing)
            yield from self._part(standing)
        for number, net in enumerate(self.sheet.unfed):
            yield from self._flag(number, net)
        yield '  (sheet_instances (path "/" (page "1")))'
        yield ")"

    def _heading(self, block: Block) -> Iterator[str]:
        corners = f"(start {_at(block.left, block.upper)}) (end {_at(block.right, block.lower)})"
        yield f"  (rectangle {corners} (stroke (width 0.15) (type dash)) (fill (type none)))"
        yield f'  (text "{block.title}" (exclude_from_sim no) (at {_at(block.left, block.upper - 1)} 0)'
        yield "    (effects (font (size 2 2) (bold yes)) (justify left bottom)))"

    def _joined(self, standing: Standing) -> Iterator[str]:
        for net, x, y, end, leftwards in labels_of(standing):
            yield _wire(x, y, end)
            yield _label(net, end, y, leftwards=leftwards)
        yield from (f"  (no_connect (at {_at(x, y)}))" for x, y in open_pins(standing))

    def _part(self, standing: Standing) -> Iterator[str]:
        part, symbol = standing.part, standing.symbol
        words = _Words(part.ref, part.value or part.kind.name, part.kind.footprint)
        places = words_of(standing.x, standing.y, symbol.half_height, named=symbol.named)
        yield from self._instance(words, symbol.name, (standing.x, standing.y), places)

    def _flag(self, number: int, net: str) -> Iterator[str]:
        x, y = 24 + number * _FLAGS_APART, 14.0
        yield _wire(x, y, x + 2)
        yield _label(net, x + 2, y, leftwards=False)
        yield from self._instance(
            _Words(f"#FLG{number + 1:02}", _FLAG, ""), _FLAG, (x, y), words_of(x, y, 3, named=True)
        )

    def _instance(self, words: _Words, symbol: str, at: Point, places: tuple[Point, Point]) -> Iterator[str]:
        yield f'  (symbol (lib_id "{_LIBRARY}:{symbol}") (at {_at(*at)} 0) (unit 1)'
        yield f'    (exclude_from_sim no) (in_bom yes) (on_board yes) (dnp no) (uuid "{self._id(words.ref)}")'
        hidden = words.ref.startswith("#")
        yield _property("Reference", words.ref, places[0], hidden=hidden)
        yield _property("Value", words.value, places[1], hidden=hidden)
        yield _property("Footprint", words.footprint, at, hidden=True)
        yield _property("Datasheet", "", at, hidden=True)
        path = f'(path "/{self.root}" (reference "{words.ref}") (unit 1))'
        yield f'    (instances (project "{self.sheet.board.name}" {path})))'


@dataclass(frozen=True, slots=True)
class _Words:
    """What is written beside a symbol."""

    ref: str
    value: str
    footprint: str


def _wire(x: float, y: float, end: float) -> str:
    return f"  (wire (pts (xy {_at(x, y)}) (xy {_at(end, y)})) (stroke (width 0) (type default)))"


def _label(net: str, x: float, y: float, *, leftwards: bool) -> str:
    angle, side = (180, "right") if leftwards else (0, "left")
    look = f"(effects (font (size {_LETTERS} {_LETTERS})) (justify {side} bottom))"
    return f'  (label "{net}" (at {_at(x, y)} {angle}) {look})'


def _definition(symbol: Symbol) -> Iterator[str]:
    yield f'    (symbol "{_LIBRARY}:{symbol.name}"'
    if not symbol.named:
        yield "      (pin_numbers hide) (pin_names hide)"
    yield "      (exclude_from_sim no) (in_bom yes) (on_board yes)"
    yield from _own_properties("U", symbol.name)
    yield f'      (symbol "{symbol.name}_0_1"'
    for x1, y1, x2, y2 in symbol.rectangles:
        corners = f"(start {_up(x1, y1)}) (end {_up(x2, y2)})"
        yield f"        (rectangle {corners} (stroke (width 0.2) (type default)) (fill (type background)))"
    for x1, y1, x2, y2 in symbol.strokes:
        points = f"(pts (xy {_up(x1, y1)}) (xy {_up(x2, y2)}))"
        yield f"        (polyline {points} (stroke (width 0.2) (type default)) (fill (type none)))"
    yield "      )"
    yield f'      (symbol "{symbol.name}_1_1"'
    yield from (_pin(each) for each in symbol.pins)
    yield "      )"
    yield "    )"


def _pin(each: SymbolPin) -> str:
    angle = 0 if each.leftmost else 180
    function = _FUNCTIONS[each.pin.kind]
    font = "(effects (font (size 1.27 1.27)))"
    length = f"(length {number3(each.length * UNIT_MM)})"
    words = f'(name "{each.pin.name}" {font}) (number "{each.pin.number}" {font})'
    return f"        (pin {function} line (at {_up(each.x, each.y)} {angle}) {length} {words})"


def _own_properties(ref: str, value: str) -> Iterator[str]:
    for name, words in (("Reference", ref), ("Value", value), ("Footprint", ""), ("Datasheet", "")):
        yield f'      (property "{name}" "{words}" (at 0 0 0) (effects (font (size 1.27 1.27)) (hide yes)))'


_FLAG_DEFINITION: Final = (
    f'    (symbol "{_LIBRARY}:{_FLAG}" (power) (pin_numbers hide) (pin_names hide)',
    "      (exclude_from_sim no) (in_bom yes) (on_board yes)",
    *_own_properties("#FLG", _FLAG),
    f'      (symbol "{_FLAG}_0_1"',
    "        (polyline (pts (xy 0 0) (xy 0 1.27) (xy -1.27 2) (xy 0 2.8) (xy 1.27 2) (xy 0 1.27))"
    " (stroke (width 0.2) (type default)) (fill (type none)))",
    "      )",
    f'      (symbol "{_FLAG}_1_1"',
    '        (pin power_out line (at 0 0 90) (length 0) (name "" (effects (font (size 1.27 1.27))))'
    ' (number "1" (effects (font (size 1.27 1.27)))))',
    "      )",
    "    )",
)


def _property(name: str, words: str, place: tuple[float, float], *, hidden: bool = False) -> str:
    look = "(effects (font (size 1.27 1.27)) (hide yes))" if hidden else "(effects (font (size 1.27 1.27)))"
    return f'    (property "{name}" "{words}" (at {_at(*place)} 0) {look})'


def _at(x: float, y: float) -> str:
    return f"{number3(x * UNIT_MM)} {number3(y * UNIT_MM)}"


def _up(x: float, y: float) -> str:
    """A place in a symbol, where y goes upwards."""
    return f"{number3(x * UNIT_MM)} {number3(-y * UNIT_MM)}"


def number3(value: float) -> str:
    """A measure to a micrometre.

    >>> number3(2.54), number3(-0.0001)
    ('2.54', '0')
    """
    return f"{round(value, 3) + 0:.3f}".rstrip("0").rstrip(".")

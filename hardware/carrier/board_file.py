"""Boards as KiCad files, in the format of KiCad 6, which every later one reads as well."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final
from uuid import NAMESPACE_URL, uuid5

from hardware.carrier.copper import Copper, Side
from hardware.carrier.footprints import Box, Pad
from hardware.carrier.layout import Board, Placed, Words
from hardware.dimensions import Point
from hardware.wiring import GROUND

CORNER: Final = 50.8
"""Where the grid of a board begins on KiCad's sheet."""
_LAYERS: Final = (
    (0, "F.Cu", "signal"),
    (31, "B.Cu", "signal"),
    (36, "B.SilkS", "user"),
    (37, "F.SilkS", "user"),
    (38, "B.Mask", "user"),
    (39, "F.Mask", "user"),
    (44, "Edge.Cuts", "user"),
    (46, "B.CrtYd", "user"),
    (47, "F.CrtYd", "user"),
    (49, "F.Fab", "user"),
)
_PASTE: Final = (35, "F.Paste", "user")
_STAMPED: Final = ("(footprint", "(fp_", "(pad", "(gr_", "(segment", "(via", "(zone")
SILK: Final = 0.15
"""How thick a printed line is at least: what every maker of boards prints in its standard class."""
LETTER: Final = 1.0
"""How high a printed letter is at least, for the same."""
BAR: Final = 0.4
"""How thick the lines are that mark a side."""
_NARROW: Final = 0.7
"""How wide a letter of a part's name is, as a share of its height."""
_SOLID: Final = ("jack", "usb_plug", "buck", "clamp")
"""Kinds of parts whose ground carries ampere: their pads are joined to the plane all around."""


def board_text(board: Board, copper: Copper) -> str:
    """The board as KiCad's board editor opens it; the ground planes are not yet filled."""
    lines = (_stamped(line, f"{board.name} {index}") for index, line in enumerate(_Writer(board).lines(copper)))
    return "\n".join(lines) + "\n"


def _stamped(line: str, name: str) -> str:
    """A line with a stamp in its list: KiCad would else invent one, and plot the same board otherwise each time."""
    if not line.lstrip().startswith(_STAMPED):
        return line
    stamp = f" (tstamp {uuid5(NAMESPACE_URL, name)})"
    return f"{line[:-1]}{stamp})" if line.count("(") == line.count(")") else line + stamp


class _Writer:
    """Writes one board."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.nets: Mapping[str, int] = {"": 0, **{net: index for index, net in enumerate(self._named(), 1)}}

    def _named(self) -> Iterable[str]:
        return [net for net in self.board.pads if net]

    def _at(self, point: Point) -> str:
        x, y = (value - origin + CORNER for value, origin in zip(point, self.board.origin, strict=True))
        return f"{number4(x)} {number4(y)}"

    def lines(self, copper: Copper) -> Iterator[str]:
        """The file's lines."""
        board = self.board
        yield "(kicad_pcb (version 20211014) (generator quarto_hardware)"
        yield "  (general (thickness 1.6))"
        yield '  (paper "A4")'
        yield f'  (title_block (title "{board.title}") (rev "{board.revision}"))'
        yield "  (layers"
        layers = sorted((*_LAYERS, _PASTE)) if board.on_surface else _LAYERS
        yield from (f'    ({layer} "{name}" {kind})' for layer, name, kind in layers)
        yield "  )"
        yield "  (setup (pad_to_mask_clearance 0.05))"
        yield from (f'  (net {index} "{net}")' for net, index in self.nets.items())
        for placed in board.parts:
            yield from self._footprint(placed)
        for index, screw in enumerate(board.screws, 1):
            yield from self._screw(index, screw)
        yield from self._edges()
        for words in board.words:
            yield self._words(words)
        for area in board.areas:
            yield self._box(area, "gr_rect", "F.SilkS", SILK)
        for track in copper.tracks:
            yield (
                f"  (segment (start {self._at(track.start)}) (end {self._at(track.end)}) (width {number4(track.width)})"
                f' (layer "{track.side.value}") (net {self.nets[track.net]}))'
            )
        for via in copper.vias:
            yield (
                f"  (via (at {self._at(via.at)}) (size {number4(via.size)}) (drill {number4(via.drill)})"
                f' (layers "F.Cu" "B.Cu") (net {self.nets[via.net]}))'
            )
        for side in Side:
            yield from self._plane(side)
        yield ")"

    def _footprint(self, placed: Placed) -> Iterator[str]:
        part, footprint = placed.part, placed.footprint
        turn = 90 * placed.quarters
        yield f'  (footprint "{footprint.name}" (layer "F.Cu")'
        yield f"    (at {self._at(placed.at)} {turn})"
        yield f"    (attr {'smd' if footprint.on_surface else 'through_hole'})"
        yield self._own_words("reference", Words(part.ref, (0, 0), 1), "F.Fab", hidden=True)
        yield self._own_words("value", Words(part.value or part.kind.name, (0, 0), 1), "F.Fab", hidden=True)
        if footprint.name_at:
            upright = (placed.quarters + footprint.upright) % 2 == 1
            yield self._own_words("user", Words(placed.name, footprint.name_at, LETTER, upright))
        for mark, at in footprint.marks:
            yield self._own_words("user", Words(mark, at, LETTER))
        # What a machine places needs no outline, and one would lie on its pads.
        yield self._inner_box(footprint.body, "F.Fab" if footprint.on_surface else "F.SilkS", SILK)
        yield self._inner_box(footprint.court, "F.CrtYd", 0.05)
        for bar in footprint.bars:
            left, upper, right, lower = (number4(value) for value in bar)
            yield f'    (fp_line (start {left} {upper}) (end {right} {lower}) (layer "F.SilkS") (width {BAR}))'
        for pad in footprint.pads:
            yield self._pad(placed, pad, turn)
        for x1, y1, x2, y2 in footprint.windows:
            middle = f"{number4((x1 + x2) / 2)} {number4((y1 + y2) / 2)} {turn}"
            size = f"{number4(x2 - x1)} {number4(y2 - y1)}"
            yield f'    (pad "" smd rect (at {middle}) (size {size}) (layers F.Paste))'
        yield "  )"

    def _own_words(self, kind: str, words: Words, layer: str = "F.SilkS", *, hidden: bool = False) -> str:
        x, y = (number4(value) for value in words.at)
        shown = f'(layer "{layer}"){" hide" if hidden else ""} {_font(words.size, _NARROW)}'
        return f'    (fp_text {kind} "{words.text}" (at {x} {y} {90 if words.turned else 0}) {shown})'

    def _pad(self, placed: Placed, pad: Pad, turn: int) -> str:
        net = placed.net(pad.number)
        joined = f' (net {self.nets[net]} "{net}")' if net else ""
        solid = " (zone_connect 2)" if net == GROUND and placed.part.kind.key in _SOLID else ""
        shape = "rect" if pad.square else "circle"
        x, y = (number4(value) for value in pad.at)
        size, drill = number4(pad.size), number4(pad.drill)
        if not pad.drill:
            layers = "F.Cu F.Mask F.Paste" if pad.pasted else "F.Cu F.Mask"
            mask = f" (solder_mask_margin {number4(placed.footprint.mask)})" if placed.footprint.mask else ""
            high = number4(pad.along or pad.size)
            return (
                f'    (pad "{pad.number}" smd {shape} (at {x} {y} {turn}) (size {size} {high})'
                f" (layers {layers}){joined}{mask})"
            )
        return (
            f'    (pad "{pad.number}" thru_hole {shape} (at {x} {y} {turn}) (size {size} {size}) (drill {drill})'
            f" (layers *.Cu *.Mask){joined}{solid})"
        )

    def _screw(self, index: int, at: Point) -> Iterator[str]:
        size = number4(self.board.screw)
        head = number4(self.board.head / 2)
        yield f'  (footprint "MountingHole:MountingHole_{size}mm" (layer "F.Cu")'
        yield f"    (at {self._at(at)})"
        yield "    (attr exclude_from_pos_files exclude_from_bom)"
        yield f'    (fp_text reference "H{index}" (at 0 0) (layer "F.Fab") hide {_font(1.0)})'
        yield f'    (fp_text value "screw" (at 0 0) (layer "F.Fab") hide {_font(1.0)})'
        yield f'    (fp_circle (center 0 0) (end {head} 0) (layer "F.CrtYd") (width 0.05) (fill none))'
        yield f'    (pad "" np_thru_hole circle (at 0 0) (size {size} {size}) (drill {size}) (layers *.Cu *.Mask))'
        yield "  )"

    def _inner_box(self, box: Box, layer: str, width: float) -> str:
        left, upper, right, lower = (number4(value) for value in box)
        return (
            f'    (fp_rect (start {left} {upper}) (end {right} {lower}) (layer "{layer}") (width {width}) (fill none))'
        )

    def _box(self, box: Box, kind: str, layer: str, width: float) -> str:
        return (
            f"  ({kind} (start {self._at(box[:2])}) (end {self._at(box[2:])})"
            f' (layer "{layer}") (width {width}) (fill none))'
        )

    def _edges(self) -> Iterator[str]:
        yield self._box((0, 0, *self.board.size), "gr_rect", "Edge.Cuts", 0.1)

    def _words(self, words: Words) -> str:
        turn = " 90" if words.turned else ""
        return f'  (gr_text "{words.text}" (at {self._at(words.at)}{turn}) (layer "F.SilkS") {_font(words.size)})'

    def _plane(self, side: Side) -> Iterator[str]:
        yield (
            f'  (zone (net {self.nets[GROUND]}) (net_name "{GROUND}") (layer "{side.value}")'
            f" (hatch edge 0.508) (connect_pads (clearance 0.3)) (min_thickness 0.3)"
        )
        yield "    (fill yes (thermal_gap 0.35) (thermal_bridge_width 0.5))"
        yield f"    (polygon (pts {' '.join(f'(xy {self._at(corner)})' for corner in self.board.outline)}))"
        yield "  )"


def _font(size: float, width: float = 0.85) -> str:
    high, wide, thick = (number4(value) for value in (size, size * width, max(size * 0.15, SILK)))
    return f"(effects (font (size {high} {wide}) (thickness {thick})))"


def number4(value: float) -> str:
    """A measure to a tenth of a micrometre.

    >>> number4(2.54), number4(-0.00001)
    ('2.54', '0')
    """
    return f"{round(value, 4) + 0:.4f}".rstrip("0").rstrip(".")

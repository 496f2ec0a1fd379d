"""The board put together: every solid at its place, and which of them would be in one another's way."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import combinations, product
from typing import Final

from build123d import Pos, Rot

from hardware import plates
from hardware.dimensions import Dimensions
from hardware.solids import (
    Solid,
    board_solid,
    button_solid,
    display_solid,
    felt_solid,
    foot_solid,
    light_clip_solid,
    light_pipe_solid,
    piece_solid,
    plate_solid,
    reader_solid,
    tag_solid,
    upright,
)
from quarto_pi.rules import PIECES, Piece, TraitValue
from quarto_pi.sensing.readings import SQUARE_NAMES

WOOD: Final = "#d8b47c"
DARK_WOOD: Final = "#6b4226"
LIGHT_PIECE: Final = "#ead7b0"
DARK_PIECE: Final = "#4a2c1a"
CASE: Final = "#b98d56"
BOARD: Final = "#2458a6"
GREEN: Final = "#2f7d4f"
_TOUCHING_MM3: Final = 0.5
"""Parts that only touch have no volume in common but that of rounding."""
_NUDGE: Final = 0.01


@dataclass(frozen=True, slots=True)
class Placed:
    """A solid at its place."""

    name: str
    solid: Solid
    colour: str


def case(d: Dimensions) -> Iterator[Placed]:
    """Floor and sides."""
    yield Placed("floor", plate_solid(plates.floor(d)), CASE)
    for plate, along_y in (
        (plates.front(d), False),
        (plates.back(d), False),
        (plates.left(d), True),
        (plates.right(d), True),
    ):
        yield Placed(plate.name, Pos(*plate.corner, d.case.floor) * upright(plate, along_y=along_y), CASE)


def fitted(d: Dimensions) -> Iterator[Placed]:
    """What is glued or screwed onto the case: ledges, the hatch's cover, feet."""
    strip = plates.ledge(d)
    x, y = strip.corner
    for name, left in ("left", x), ("right", d.board.width - d.case.side - strip.thickness):
        solid = Pos(left, y, plates.ledge_z(d)) * upright(strip, along_y=True)
        yield Placed(f"{name} ledge", solid, WOOD)
    cover = plates.hatch_cover(d)
    yield Placed("hatch cover", Pos(*cover.corner, -cover.thickness) * plate_solid(cover), WOOD)
    for left, near in product((25.0, d.board.width - 25.0), (25.0, d.board.depth - 25.0)):
        yield Placed("foot", Pos(left, near, 0) * foot_solid(d), "#333333")


def surface(d: Dimensions, fittings: Collection[str] = plates.EVERYTHING, *, engraved: bool = True) -> Placed:
    """The playing surface; its engraving takes seconds."""
    depth = d.board.engraving if engraved else 0.0
    return Placed("surface", Pos(0, 0, d.surface_z) * plate_solid(plates.surface(d, fittings), depth), WOOD)


def grid(d: Dimensions, fittings: Collection[str] = plates.EVERYTHING) -> Placed:
    """The grid below it."""
    plate = plates.grid(d, fittings)
    return Placed("grid", Pos(*plate.corner, d.grid_z) * plate_solid(plate), DARK_WOOD)


def readers(d: Dimensions) -> Iterator[Placed]:
    """The reader modules in the windows of the grid, their antennas against the playing surface."""
    module = reader_solid(d)
    for cell in d.cells:
        x, y = plates.reader_middle(d, cell)
        yield Placed(f"reader {cell}", Pos(x, y, d.surface_z - _NUDGE) * module, BOARD)


def keepers(d: Dimensions) -> Iterator[Placed]:
    """The strips below the grid that press the modules up."""
    for number, (plate, corner) in enumerate(plates.keeper_corners(d), 1):
        solid = Pos(*corner, d.grid_z - plate.thickness) * plate_solid(plate)
        yield Placed(f"keeper {number}", solid, WOOD)


def electronics(d: Dimensions) -> Iterator[Placed]:
    """The Pi and the hub board on the floor, the boards of the ranks below the grid."""
    parts = d.electronics
    pi = board_solid(*parts.pi_size, parts.pi_height)
    yield Placed("Pi", Pos(*parts.pi, d.case.floor + parts.pi_feet) * pi, GREEN)
    hub = board_solid(*parts.hub_size, parts.hub_height)
    yield Placed("hub board", Pos(*parts.hub, d.case.floor + parts.hub_feet) * hub, GREEN)
    width, depth = parts.rank_board
    # They hang, parts downwards.
    board = Rot(180, 0, 0) * board_solid(width, depth, parts.rank_board_height)
    for rank in (1, 2, 3, 4):
        x, y = plates.rank_board_middle(d, rank)
        corner = Pos(x - width / 2, y + depth / 2, d.grid_z - 1)
        yield Placed(f"rank board {rank}", corner * board, GREEN)


def panel(d: Dimensions, fittings: Collection[str] = plates.EVERYTHING) -> Iterator[Placed]:
    """Buttons, display, lights, and the rods of the squares' lights."""
    for name, middle in plates.buttons_of(d, fittings):
        yield Placed(name.removeprefix("the "), Pos(*middle, d.top_z) * button_solid(d), "#c03a2b")
    for number, middle in enumerate(d.panel.lights, 1):
        yield Placed(f"light {number}", Pos(*middle, d.top_z) * light_clip_solid(d), "#d9d9d9")
    for square in SQUARE_NAMES:
        place = *plates.light_middle(d, square), d.top_z
        yield Placed(f"rod of {square}", Pos(*place) * light_pipe_solid(d), "#cfe8f0")
    yield Placed("display", Pos(*d.panel.oled, d.surface_z - _NUDGE) * display_solid(d), "#16324f")


def standing(d: Dimensions, piece: Piece, cell: str) -> Iterator[Placed]:
    """A piece over a reader, with its tag and its felt."""
    x, y = d.cells[cell]
    top = d.top_z + d.tag.felt
    yield Placed(f"felt of {piece}", Pos(x, y, top - d.tag.felt) * felt_solid(d), "#3f7f3f")
    tag = Pos(x, y, top + d.piece.pocket_depth - d.tag.thickness) * tag_solid(d)
    yield Placed(f"tag of {piece}", tag, "#88aacc")
    colour = LIGHT_PIECE if TraitValue.LIGHT in piece.values else DARK_PIECE
    yield Placed(f"piece {piece}", Pos(x, y, top) * piece_solid(d, piece), colour)


def whole(d: Dimensions) -> list[Placed]:
    """Everything, with all pieces on their squares, and nothing engraved."""
    pieces = (part for piece, cell in zip(PIECES, d.cells, strict=False) for part in standing(d, piece, cell))
    return [
        *case(d),
        *fitted(d),
        grid(d),
        surface(d, engraved=False),
        *readers(d),
        *keepers(d),
        *electronics(d),
        *panel(d),
        *pieces,
    ]


def collisions(parts: list[Placed]) -> list[str]:
    """Every two parts that want to be in the same place."""
    spans = [_span(part) for part in parts]
    found = []
    for (one, first), (other, second) in combinations(zip(parts, spans, strict=True), 2):
        # Comparing boxes costs nothing, and it spares nearly all of the three thousand comparisons of solids.
        if any(low >= high for low, high in _common(first, second)):
            continue
        common = one.solid & other.solid
        volume = 0.0 if common is None else sum(solid.volume for solid in common.solids())
        if volume > _TOUCHING_MM3:
            found.append(f"{one.name} and {other.name} overlap by {volume:.0f} mm3")
    return found


def _span(part: Placed) -> list[tuple[float, float]]:
    box = part.solid.bounding_box()
    return [(box.min.X, box.max.X), (box.min.Y, box.max.Y), (box.min.Z, box.max.Z)]


def _common(first: list[tuple[float, float]], second: list[tuple[float, float]]) -> Iterator[tuple[float, float]]:
    for (low, high), (other_low, other_high) in zip(first, second, strict=True):
        yield max(low, other_low) + _NUDGE / 2, min(high, other_high)

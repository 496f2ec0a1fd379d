"""Where parts sit on the perfboards: read, drawn, and whether any two share a hole."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any, Final

from hardware.description import FOLDER
from hardware.drawings import number, shape, sheet, text
from hardware.plates import Cut
from hardware.wiring import RANKS, Wiring

HOLE_MM: Final = 2.54
_SMALL: Final = 2
"""Names are written beside parts of so few holes, not on them."""


@dataclass(frozen=True, slots=True)
class Spot:
    """The holes that a part takes, from its lower left one."""

    ref: str
    column: int
    row: int
    width: int
    height: int

    def shares_a_hole(self, other: Spot) -> bool:
        """Whether two parts want the same hole."""
        across = self.column < other.column + other.width and other.column < self.column + self.width
        along = self.row < other.row + other.height and other.row < self.row + self.height
        return across and along


@dataclass(frozen=True, slots=True)
class PadBoard:
    """A board of so many holes, and what sits on it."""

    name: str
    columns: int
    rows: int
    spots: tuple[Spot, ...]

    def complaints(self) -> Iterator[str]:
        """A sentence for each part that hangs over the edge or sits on another one."""
        for spot in self.spots:
            if spot.column + spot.width > self.columns or spot.row + spot.height > self.rows:
                yield f"{self.name}: {spot.ref} hangs over the edge."
        for one, other in combinations(self.spots, 2):
            if one.shares_a_hole(other):
                yield f"{self.name}: {one.ref} and {other.ref} share a hole."


@cache
def read_boards(file: Path = FOLDER / "placement.toml") -> tuple[PadBoard, ...]:
    """The hub board and the four boards of the ranks."""
    whole = tomllib.loads(file.read_text(encoding="utf-8"))
    boards = [("hub-board", whole["hub"], ""), *((f"rank-board-{rank}", whole["rank"], str(rank)) for rank in RANKS)]
    return tuple(_board(name, table, rank) for name, table, rank in boards)


def _board(name: str, table: Mapping[str, Any], rank: str) -> PadBoard:
    columns, rows = table["size"]
    spots = tuple(Spot(ref.format(rank=rank), *place) for ref, place in table["parts"].items())
    return PadBoard(name, columns, rows, spots)


def unplaced(wiring: Wiring) -> list[str]:
    """The parts of a wiring that are on no board, by name."""
    placed = {spot.ref for board in read_boards() for spot in board.spots}
    # With a Pico its header takes the place of the Pi's, and the Pi's wires come to the terminals beside it.
    return [part.ref for part in wiring.parts if part.ref not in placed and part.ref != "PICO"]


def board_svg(board: PadBoard) -> str:
    """A board seen from the side of its parts; a chip's notch is on the left."""
    width, height = board.columns * HOLE_MM, board.rows * HOLE_MM
    lines = [_HOLES, shape(Cut(board.name, width / 2, height / 2, width, height), "part"), _pads(width, height)]
    for spot in board.spots:
        lines += _drawn(spot)
    measure = f"{board.name}: {board.columns} x {board.rows} holes, {number(width)} x {number(height)} mm"
    lines.append(text((width / 2, height + 4), measure, 4))
    return sheet(width, height, lines, scale=5 if board.columns < 40 else 4)


_HOLES: Final = (
    f'<defs><pattern id="holes" width="{HOLE_MM}" height="{HOLE_MM}" patternUnits="userSpaceOnUse">'
    f'<circle cx="{HOLE_MM / 2}" cy="{HOLE_MM / 2}" r=".45" fill="#ba8"/></pattern></defs>'
)


def _pads(width: float, height: float) -> str:
    return f'<rect y="{number(-height)}" width="{number(width)}" height="{number(height)}" fill="url(#holes)"/>'


def _drawn(spot: Spot) -> Iterator[str]:
    middle = (spot.column + spot.width / 2) * HOLE_MM, (spot.row + spot.height / 2) * HOLE_MM
    yield shape(Cut(spot.ref, *middle, spot.width * HOLE_MM - 0.6, spot.height * HOLE_MM - 0.6), "coil")
    name = spot.ref.replace("_", " ")
    if spot.width <= _SMALL:
        above = (spot.row + spot.height) * HOLE_MM + 0.5
        yield text((middle[0] + 0.5, above), name, 1.5, -90, "start")
    else:
        yield text((middle[0], middle[1] - 0.8), name, 2.2)

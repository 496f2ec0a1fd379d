"""`shapes.toml` as data: the measures of board, case, pieces and what is built in, in millimetres."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Final

from hardware.description import FOLDER
from quarto_pi.sensing.readings import OFFER, SQUARE_NAMES

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Board:
    """The playing surface."""

    width: float
    depth: float
    pitch: float
    first_square: Point
    offer: Point
    surface: float
    engraving: float
    ring: float
    light_offset: Point
    light_pipe: Point
    letter: float
    letters_aside: float
    sign_up: float


@dataclass(frozen=True, slots=True)
class Case:
    """What is around and below it."""

    side: float
    grid: float
    floor: float
    clear: float
    ledge: Point
    feet: Point
    screw: float
    vent: Point
    vents: int
    outer_vents: tuple[float, int, float]
    jack: float
    jack_pocket: Point
    hatch: Point
    hatch_under: float
    hatch_cover: tuple[float, float, float]
    ports: Point


@dataclass(frozen=True, slots=True)
class Reader:
    """A reader module."""

    length: float
    width: float
    board: float
    parts: float
    antenna_middle: float
    antenna: float
    play: float
    pad: float
    pins: tuple[float, float, float]
    keeper: Point
    keeper_aside: float


@dataclass(frozen=True, slots=True)
class Tag:
    """The sticker in a piece, and the felt below it."""

    diameter: float
    thickness: float
    felt: float


@dataclass(frozen=True, slots=True)
class Piece:
    """The pieces."""

    width: float
    short: float
    tall: float
    pocket: float
    pocket_depth: float
    hole: float
    hole_depth: float
    chamfer: float


@dataclass(frozen=True, slots=True)
class Panel:
    """What people press and look at."""

    call_button: Point
    second_button: Point
    menu_button: Point
    button_hole: float
    button_body: float
    button_flange: float
    button_depth: float
    button_nut: float
    oled: Point
    oled_module: Point
    oled_window: Point
    oled_window_up: float
    oled_height: float
    lights: tuple[Point, ...]
    light: float
    light_clip: Point


@dataclass(frozen=True, slots=True)
class Electronics:
    """The boards in the case."""

    pi: Point
    pi_size: Point
    pi_header: Point
    pi_usb: Point
    pi_power: Point
    pi_card: Point
    pi_holes: tuple[Point, ...]
    pi_screw: float
    pi_height: float
    pi_feet: float
    hub: Point
    hub_size: Point
    hub_height: float
    hub_feet: float
    hub_screw: float
    hub_screw_aside: float
    rank_board: Point
    rank_board_up: float
    rank_board_height: float


@dataclass(frozen=True, slots=True)
class Slack:
    """What a lead is longer than its way."""

    lift: float
    plug: float
    step: float


@dataclass(frozen=True, slots=True)
class Room:
    """What is left for one part inside another, in all."""

    frame: float
    ledge: float
    pipe: float
    screw: float
    behind: float


@dataclass(frozen=True, slots=True)
class Tolerance:
    """How much larger or smaller than drawn something may be."""

    cut: float
    sheet: float
    part: float
    place: float


@dataclass(frozen=True, slots=True)
class Limits:
    """What can be made."""

    wall: float
    bed: Point


@dataclass(frozen=True, slots=True)
class Dimensions:
    """All of it, and what follows from it."""

    board: Board
    case: Case
    reader: Reader
    tag: Tag
    piece: Piece
    panel: Panel
    electronics: Electronics
    leads: Slack
    fit: Room
    tolerance: Tolerance
    limits: Limits

    def square(self, name: str) -> Point:
        """The middle of a square."""
        rank, file = divmod(SQUARE_NAMES.index(name), 4)
        left, front = self.board.first_square
        return left + file * self.board.pitch, front + rank * self.board.pitch

    @property
    def cells(self) -> dict[str, Point]:
        """The middle of every place with a reader."""
        return {**{name: self.square(name) for name in SQUARE_NAMES}, OFFER: self.board.offer}

    @property
    def grid_z(self) -> float:
        """The lower side of the grid."""
        return self.case.floor + self.case.clear

    @property
    def surface_z(self) -> float:
        """The lower side of the playing surface, where the antennas are."""
        return self.grid_z + self.case.grid

    @property
    def top_z(self) -> float:
        """The playing surface."""
        return self.surface_z + self.board.surface

    @property
    def tag_distance(self) -> float:
        """From an antenna to the tag in a piece that stands over it, at most."""
        return self.board.surface + self.tag.felt + self.piece.pocket_depth


@cache
def read_dimensions(file: Path = FOLDER / "shapes.toml") -> Dimensions:
    """The measures in a file."""
    whole = tomllib.loads(file.read_text(encoding="utf-8"))
    kinds: Final = {
        "board": Board,
        "case": Case,
        "reader": Reader,
        "tag": Tag,
        "piece": Piece,
        "panel": Panel,
        "electronics": Electronics,
        "leads": Slack,
        "fit": Room,
        "tolerance": Tolerance,
        "limits": Limits,
    }
    made = {}
    for name, kind in kinds.items():
        keys = {each.name for each in fields(kind)}
        if keys != set(whole[name]):
            raise ValueError(f"[{name}] has to have exactly these keys: {', '.join(sorted(keys))}.")
        made[name] = kind(**{key: _frozen(value) for key, value in whole[name].items()})
    return Dimensions(**made)


def _frozen(value: object) -> object:
    return tuple(_frozen(each) for each in value) if isinstance(value, list) else value

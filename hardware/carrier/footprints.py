"""Footprints: where the pads of a part lie, what is printed around them, and how high it stands."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from hardware.dimensions import Point

FOLDER: Final = Path(__file__).parent
PITCH: Final = 2.54

Box = tuple[float, float, float, float]
"""Left, upper, right and lower edge; y goes down."""


@dataclass(frozen=True, slots=True)
class Pad:
    """A plated hole with copper around it, the same on both sides; that of pin 1 is square."""

    number: str
    at: Point
    size: float
    drill: float
    square: bool = False


@dataclass(frozen=True, slots=True)
class Footprint:
    """A part's pads and its outlines, from its pin 1."""

    name: str
    pads: tuple[Pad, ...]
    body: Box
    court: Box
    height: float
    soldered: str
    """What is soldered there, where the part itself is elsewhere."""
    name_at: Point | None
    valued: bool
    """Whether its value is printed as well."""
    upright: bool
    """Whether its name is printed along y."""
    marks: tuple[tuple[str, Point], ...]
    bar: float | None
    """How far from pin 1 the ring of a diode is printed."""


@cache
def read_footprints(file: Path = FOLDER / "footprints.toml") -> Mapping[str, Footprint]:
    """All footprints by their names in KiCad's library."""
    return {name: _footprint(name, table) for name, table in tomllib.loads(file.read_text(encoding="utf-8")).items()}


def _footprint(name: str, table: Mapping[str, Any]) -> Footprint:
    pins = list(_grid(**table["grid"])) if "grid" in table else [(number, (x, y)) for number, x, y in table["pins"]]
    pads = tuple(
        Pad(number, at, table["pad"], table["drill"], square=index == 0) for index, (number, at) in enumerate(pins)
    )
    return Footprint(
        name,
        pads,
        body=tuple(table["body"]),
        court=tuple(table["court"]),
        height=table["height"],
        soldered=table.get("soldered", ""),
        name_at=tuple(table["name"]) if "name" in table else None,
        valued=table.get("valued", False),
        upright=table.get("upright", False),
        marks=tuple((words, (x, y)) for words, x, y in table.get("marks", ())),
        bar=table.get("bar"),
    )


def _grid(count: str, rows: int, columns: int, across: float) -> Iterator[tuple[str, Point]]:
    for row in range(rows):
        for column in range(columns):
            match count:
                case "header":  # 1 and 2 side by side, 3 and 4 below them
                    number = row * columns + column + 1
                case "dip":  # down on the left, up again on the right
                    number = row + 1 if column == 0 else 2 * rows - row
                case _:
                    raise ValueError(f'count = "{count}" is not known: write "header" or "dip".')
            yield str(number), (column * across, row * PITCH)

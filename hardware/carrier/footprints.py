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
    """Copper around a plated hole, the same on both sides, square at pin 1; or without a hole, then on top only."""

    number: str
    at: Point
    size: float
    drill: float
    square: bool = False
    along: float = 0.0
    """Its measure along y, where that is another one than across."""
    pasted: bool = True
    """Whether a machine puts solder paste onto it."""

    @property
    def half(self) -> Point:
        """Half of its measures, across and along."""
        return self.size / 2, (self.along or self.size) / 2


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
    bars: tuple[Box, ...]
    """Thick lines: the ring of a diode, the flat or metal side of a transistor."""
    windows: tuple[Box, ...] = ()
    """Where paste goes onto a pad that is too large to get it all over."""
    mask: float = 0.0
    """How far the solder mask keeps away from its pads, where that is not the usual distance."""

    @property
    def on_surface(self) -> bool:
        """Whether it is soldered by a machine, without a hole."""
        return not any(pad.drill for pad in self.pads)


@cache
def read_footprints(file: Path = FOLDER / "footprints.toml") -> Mapping[str, Footprint]:
    """All footprints by their names in KiCad's library."""
    return {name: _footprint(name, table) for name, table in tomllib.loads(file.read_text(encoding="utf-8")).items()}


def _footprint(name: str, table: Mapping[str, Any]) -> Footprint:
    pads = tuple(_surface_pads(table) if "pads" in table else _holes(table))
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
        bars=tuple(tuple(line) for line in table.get("bars", ())),
        windows=tuple((x - w / 2, y - h / 2, x + w / 2, y + h / 2) for x, y, w, h in table.get("windows", ())),
        mask=table.get("mask", 0.0),
    )


def _surface_pads(table: Mapping[str, Any]) -> Iterator[Pad]:
    bare = table.get("unpasted", ())
    for number, x, y, width, height in table["pads"]:
        along = 0.0 if height == width else height
        yield Pad(number, (x, y), width, 0.0, not table.get("round", False), along, number not in bare)


def _holes(table: Mapping[str, Any]) -> Iterator[Pad]:
    pins = list(_grid(**table["grid"])) if "grid" in table else [(number, (x, y)) for number, x, y in table["pins"]]
    for index, (number, at) in enumerate(pins):
        yield Pad(number, at, table["pad"], table["drill"], square=index == 0)


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

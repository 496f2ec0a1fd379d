"""Boards with their parts in place: each pad where it lies, on the net that the wiring gives it."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import combinations
from pathlib import Path
from typing import Any, Final

from hardware.carrier.copper import EDGE, USUAL, Gauge, Rules
from hardware.carrier.footprints import FOLDER, PITCH, Box, Footprint, Pad, read_footprints
from hardware.description import Description, read_description
from hardware.dimensions import Point
from hardware.pico_pins import wires_from_the_pi
from hardware.wiring import RANKS, Part, Wiring, wire

FULLEST: Final = ("pi-two-buttons", "pico-two-buttons")
"""The wirings that a board has to serve at once; every other profile leaves some of their parts out."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A part on a board: where its pin 1 is, and by how many quarters it is turned against the clock."""

    part: Part
    footprint: Footprint
    at: Point
    quarters: int
    any_rank: bool = False
    """Whether its number is another one on the board of each rank."""

    def point(self, at: Point) -> Point:
        """Where a point of the footprint comes to lie."""
        x, y = at
        for _ in range(self.quarters):
            x, y = y, -x
        return self.at[0] + x, self.at[1] + y

    def box(self, box: Box) -> Box:
        """Where a box of the footprint comes to lie."""
        (x1, y1), (x2, y2) = self.point(box[:2]), self.point(box[2:])
        return min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2)

    def net(self, number: str) -> str:
        """The net of a pad; empty where nothing is joined."""
        return next((self.part.net(pin) or "" for pin in self.part.kind.pins if pin.number == number), "")

    @property
    def name(self) -> str:
        """What is printed on it."""
        value = (self.part.value or self.part.kind.name).split()[0] if self.footprint.valued else ""
        ref = f"{self.part.ref[:-1]}x" if self.any_rank else self.part.ref
        return f"{ref} {value}".strip()

    @property
    def pads(self) -> Iterator[tuple[Pad, str]]:
        """Every pad in its place, and its net."""
        for pad in self.footprint.pads:
            turned = pad.along and self.quarters % 2
            size, along = (pad.along, pad.size) if turned else (pad.size, pad.along)
            yield replace(pad, at=self.point(pad.at), size=size, along=along), self.net(pad.number)


@dataclass(frozen=True, slots=True)
class Words:
    """Something printed on the board."""

    text: str
    at: Point
    size: float
    turned: bool = False


@dataclass(frozen=True)
class Board:
    """A board to order, in millimetres from its upper left corner."""

    name: str
    title: str
    revision: str
    size: Point
    origin: Point
    """Where the grid on which parts and tracks lie begins."""
    screws: tuple[Point, ...]
    screw: float
    head: float
    areas: tuple[Box, ...]
    """Frames that are printed."""
    gauges: Mapping[str, Gauge]
    """How the nets are drawn that are no signals."""
    parts: tuple[Placed, ...]
    words: tuple[Words, ...]
    rules: Rules = USUAL
    plane: tuple[Point, ...] = ()
    """The outline of the ground planes, where they don't fill the board."""

    @property
    def outline(self) -> tuple[Point, ...]:
        """The corners of the ground planes."""
        width, height = (measure - EDGE for measure in self.size)
        return self.plane or ((EDGE, EDGE), (width, EDGE), (width, height), (EDGE, height))

    @property
    def on_surface(self) -> bool:
        """Whether parts are soldered onto it by a machine."""
        return any(part.footprint.on_surface for part in self.parts)

    @cached_property
    def pads(self) -> Mapping[str, tuple[Pad, ...]]:
        """The pads of each net; those of no net have the empty name."""
        pads: dict[str, list[Pad]] = {}
        for part in self.parts:
            for pad, net in part.pads:
                pads.setdefault(net, []).append(pad)
        return {net: tuple(pads[net]) for net in sorted(pads)}

    def gauge(self, net: str) -> Gauge:
        """How wide a net is drawn."""
        return self.gauges.get(net, self.rules.signal)

    @property
    def height(self) -> float:
        """How high its parts stand."""
        return max(part.footprint.height for part in self.parts)

    def complaints(self) -> Iterator[str]:
        """A sentence for each part that hangs over the edge, or in the way of another one or of a screw."""
        courts = [(placed.part.ref, placed.box(placed.footprint.court)) for placed in self.parts]
        for ref, (left, upper, right, lower) in courts:
            if min(left, upper) < 0 or right > self.size[0] or lower > self.size[1]:
                yield f"{self.name}: {ref} hangs over the edge."
        half = self.head / 2
        heads = [(f"the screw at {x:g}, {y:g}", (x - half, y - half, x + half, y + half)) for x, y in self.screws]
        for (one, first), (other, second) in combinations((*courts, *heads), 2):
            if first[0] < second[2] and second[0] < first[2] and first[1] < second[3] and second[1] < first[3]:
                yield f"{self.name}: {one} and {other} are in each other's way."


@cache
def read_carriers(file: Path = FOLDER / "carrier.toml") -> tuple[Board, ...]:
    """The boards in a file: the hub's, and one that serves as each rank's."""
    whole = tomllib.loads(file.read_text(encoding="utf-8"))
    description = read_description()
    parts, wires = fullest(description), " ".join(wires_from_the_pi(description))
    return tuple(_board(name, whole["revision"], wires, table, parts) for name, table in whole["boards"].items())


def fullest(description: Description) -> Mapping[str, Part]:
    """Every part of any profile; a header carries what any of them puts on it."""
    parts: dict[str, Part] = {}
    for name in FULLEST:
        for part in wire(description, description.profiles[name]).parts:
            before = parts.get(part.ref, part)
            parts[part.ref] = replace(part, joins={**before.joins, **part.joins})
    return parts


def unplaced(wiring: Wiring) -> list[str]:
    """The parts of a wiring that are on no board, by name; the board of rank 1 is that of every rank."""
    hub, rank = ({placed.part.ref for placed in board.parts} for board in read_carriers())
    of_ranks = {f"{ref[:-1]}{number}" for ref in rank for number in RANKS}
    return [part.ref for part in wiring.parts if part.ref not in hub | of_ranks]


def _board(name: str, revision: str, wires: str, table: Mapping[str, Any], parts: Mapping[str, Part]) -> Board:
    origin: Point = tuple(table["origin"])

    def at(column: float, row: float) -> Point:
        return origin[0] + column * PITCH, origin[1] + row * PITCH

    def placed(ref: str, column: float, row: float, turn: int) -> Placed:
        part = parts[ref]
        footprint = read_footprints()[part.kind.footprint]
        return Placed(part, footprint, at(column, row), turn // 90, table.get("for") == "ranks")

    def words(text: str, column: float, row: float, size: float, turned: bool = False) -> Words:
        return Words(text.format(revision=revision, wires=wires), at(column, row), size, turned)

    return Board(
        name,
        table["title"],
        revision,
        tuple(table["size"]),
        origin,
        tuple((x, y) for x, y in table["screws"]),
        table["screw"],
        table["head"],
        tuple((*at(*area[:2]), *at(*area[2:])) for area in table["areas"]),
        {net: Gauge(*gauge) for net, gauge in table["gauges"].items()},
        tuple(placed(ref, *place) for ref, place in table["parts"].items()),
        tuple(words(*each) for each in table["words"]),
    )

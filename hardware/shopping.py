"""The parts list: what to buy for each wiring profile, counted from its wiring, and whether it fits its footprint."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from itertools import pairwise
from math import dist
from pathlib import Path
from typing import Any, Final

from hardware.carrier.footprints import Footprint
from hardware.description import FOLDER
from hardware.leads import Lead
from hardware.pico_pins import wires_from_the_pi
from hardware.wiring import Part, Wiring

COPPER_ALONE: Final = ("test_point",)
"""Kinds of parts that are a pad of the board, and nothing to buy."""
_FILE: Final = FOLDER / "parts.toml"
_NEAR: Final = 0.1
"""Two measures in mm are the same within this."""


@dataclass(frozen=True, slots=True)
class Code:
    """What to write on an order: who makes or sells it, their code, and its package."""

    seller: str
    code: str
    package: str


@dataclass(frozen=True, slots=True)
class Package:
    """What a package measures, in mm: its legs, and the two longer sides of its body as seen from above."""

    pins: int
    pitch: float
    leg: float
    body: tuple[float, float]
    rows: float = 0.0
    bent: bool = False
    """Whether its legs are bent to where the holes are."""


@dataclass(frozen=True, slots=True)
class Prices:
    """Of which day the prices are, and where they are from."""

    date: str
    known: str


@dataclass(frozen=True, slots=True)
class Item:
    """Something to buy."""

    name: str
    euro: float
    sources: tuple[str, ...]
    substitute: str
    avoid: str
    use: tuple[int, str]
    """The step of the build guide that it is first used in, and the words there."""
    counts: str = ""
    on: str = ""
    quantity: int = 0
    spare: int = 0
    codes: tuple[Code, ...] = ()
    leads: tuple[str, ...] = ()
    lead_mm: int = 0
    single: bool = False
    """Whether each wire of a lead is cut from it, so that a lead takes its length as often as it has wires."""
    fitting: str = ""
    needs: str = ""
    """A kind of part without which it is not needed,"""
    unless: str = ""
    """and one in whose presence it is not."""

    def needed(self, wiring: Wiring) -> int:
        """How many of it a wiring needs, spares included."""
        if self.fitting and self.fitting not in wiring.profile.fittings:
            return 0
        if (self.needs and not wiring.of_kind(self.needs)) or (self.unless and wiring.of_kind(self.unless)):
            return 0
        built_in = self.quantity
        if self.counts or self.on:
            built_in = sum(1 for part in wiring.parts if self.is_for(part) or self.on == part.kind.footprint)
        return built_in + self.spare if built_in else 0

    def is_for(self, part: Part) -> bool:
        """Whether that part is bought as this."""
        of_kind = self.counts in (part.kind.key, f"{part.kind.key} {part.value}")
        return of_kind or fnmatchcase(part.ref, self.counts)


@cache
def read_items(file: Path = _FILE) -> tuple[Item, ...]:
    """The items in a file."""
    return tuple(_item(table) for table in _read(file)["items"])


@cache
def read_packages(file: Path = _FILE) -> Mapping[str, Package]:
    """What the packages measure, by name."""
    tables = _read(file)["packages"].items()
    return {name: Package(**{**table, "body": tuple(table["body"])}) for name, table in tables}


def read_prices(file: Path = _FILE) -> Prices:
    """Where the prices are from."""
    return Prices(**_read(file)["prices"])


def _read(file: Path) -> dict[str, Any]:
    return tomllib.loads(file.read_text(encoding="utf-8"))


def _item(table: Mapping[str, Any]) -> Item:
    codes = tuple(Code(*code) for code in table.get("codes", ()))
    made_of_it = tuple(table.get("leads", ()))
    lists = {"sources": tuple(table["sources"]), "use": tuple(table["use"]), "codes": codes, "leads": made_of_it}
    return Item(**{**table, **lists})


def misfits(name: str, package: Package, footprint: Footprint) -> Iterator[str]:
    """A sentence for each reason why a package does not go into a footprint."""
    first: dict[str, tuple[float, float]] = {}
    for pad in footprint.pads:
        first.setdefault(pad.number, pad.at)
    if len(first) != package.pins:
        yield f"{name} has {package.pins} legs, and {footprint.name} holes for {len(first)}."
        return
    if any(pad.drill < package.leg for pad in footprint.pads):
        yield f"{name} has legs of {package.leg:g} mm, and {footprint.name} holes of {footprint.pads[0].drill:g} mm."
    across = max(x for x, _ in first.values()) if package.rows else 0.0
    if package.rows and abs(across - package.rows) > _NEAR:
        yield f"{name} has rows {package.rows:g} mm apart, and {footprint.name} {across:g} mm."
    in_order = [first[number] for number in sorted(first, key=int)]
    pitch = min(dist(one, other) for one, other in pairwise(in_order))
    if pitch < package.pitch - _NEAR or (pitch > package.pitch + _NEAR and not package.bent):
        yield f"{name} has legs {package.pitch:g} mm apart, and {footprint.name} holes {pitch:g} mm apart."
    left, upper, right, lower = footprint.court
    room = sorted((right - left, lower - upper), reverse=True)
    if any(side > most + _NEAR for side, most in zip(sorted(package.body, reverse=True), room, strict=True)):
        long, wide = package.body
        yield f"{name} is {long:g} x {wide:g} mm, and {footprint.name} has room for {room[0]:.1f} x {room[1]:.1f} mm."


def cost(items: Iterable[Item], wiring: Wiring) -> float:
    """What a board with that wiring costs, roughly, in euro."""
    return sum(item.needed(wiring) * item.euro for item in items)


def too_short(items: Iterable[Item], leads: Iterable[Lead], wiring: Wiring) -> Iterator[str]:
    """A sentence for each item that the leads to be made of it are longer than."""
    every = tuple(leads)
    for item in items:
        made = [lead for lead in every if item.leads and lead.name.startswith(item.leads)]
        lengths = [lead.cut_mm * (_single_wires(lead, wiring) if item.single else 1) for lead in made]
        # What is counted is bought by the piece, one for each lead; anything else is cut into all of them.
        needed = max(lengths, default=0) if item.counts else sum(lengths)
        if needed > item.lead_mm * max(item.quantity, 1):
            yield f"{item.name}: {needed} mm are needed."


def _single_wires(lead: Lead, wiring: Wiring) -> int:
    """How many single wires a lead has; none if it is the Pi's ribbon, which a Pico takes the place of."""
    part = wiring.part(lead.name.split()[0])
    if part.kind.key == "pi":
        return len(wires_from_the_pi(wiring.description)) if wiring.of_kind("pico") else 0
    return len(part.joins)

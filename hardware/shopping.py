"""The parts list: what to buy for each wiring profile, counted from its wiring."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from hardware.description import FOLDER
from hardware.leads import Lead
from hardware.wiring import Part, Wiring


@dataclass(frozen=True, slots=True)
class Item:
    """Something to buy."""

    name: str
    euro: float
    sources: tuple[str, ...]
    substitute: str
    avoid: str
    counts: str = ""
    quantity: int = 0
    spare: int = 0
    leads: tuple[str, ...] = ()
    lead_mm: int = 0
    fitting: str = ""

    def needed(self, wiring: Wiring) -> int:
        """How many of it a wiring needs, spares included."""
        if self.fitting and self.fitting not in wiring.profile.fittings:
            return 0
        built_in = sum(1 for part in wiring.parts if self.is_for(part)) if self.counts else self.quantity
        return built_in + self.spare if built_in else 0

    def is_for(self, part: Part) -> bool:
        """Whether that part is bought as this."""
        return self.counts in (part.kind.key, f"{part.kind.key} {part.value}", part.ref)


@cache
def read_items(file: Path = FOLDER / "parts.toml") -> tuple[Item, ...]:
    """The items in a file."""
    tables = tomllib.loads(file.read_text(encoding="utf-8"))["items"]
    return tuple(
        Item(**{**table, "sources": tuple(table["sources"]), "leads": tuple(table.get("leads", ()))})
        for table in tables
    )


def cost(items: Iterable[Item], wiring: Wiring) -> float:
    """What a board with that wiring costs, roughly, in euro."""
    return sum(item.needed(wiring) * item.euro for item in items)


def too_short(items: Iterable[Item], leads: Iterable[Lead]) -> Iterator[str]:
    """A sentence for each item that the leads to be made of it are longer than."""
    every = tuple(leads)
    for item in items:
        lengths = [lead.cut_mm for lead in every if lead.name.startswith(item.leads)] if item.leads else []
        # What is counted is bought by the piece, one for each lead; anything else is cut into all of them.
        needed = max(lengths, default=0) if item.counts else sum(lengths)
        if needed > item.lead_mm * max(item.quantity, 1):
            yield f"{item.name}: {needed} mm are needed."

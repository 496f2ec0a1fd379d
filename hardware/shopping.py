"""The parts list: what to buy for each wiring profile, counted from its wiring."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from hardware.description import FOLDER
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

    def needed(self, wiring: Wiring) -> int:
        """How many of it a wiring needs, spares included."""
        built_in = sum(1 for part in wiring.parts if self.is_for(part)) if self.counts else self.quantity
        return built_in + self.spare if built_in else 0

    def is_for(self, part: Part) -> bool:
        """Whether that part is bought as this."""
        return self.counts in (part.kind.key, f"{part.kind.key} {part.value}")


@cache
def read_items(file: Path = FOLDER / "parts.toml") -> tuple[Item, ...]:
    """The items in a file."""
    tables = tomllib.loads(file.read_text(encoding="utf-8"))["items"]
    return tuple(Item(**{**table, "sources": tuple(table["sources"])}) for table in tables)


def cost(items: Iterable[Item], wiring: Wiring) -> float:
    """What a board with that wiring costs, roughly, in euro."""
    return sum(item.needed(wiring) * item.euro for item in items)

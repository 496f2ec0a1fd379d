"""What goes wrong between host and chip: dead chips, stuck and loaded lines, flipped bits."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from typing import Final

NOTHING_ANSWERS_LOW: Final = 0x00
NOTHING_ANSWERS_HIGH: Final = 0xFF


@dataclass(frozen=True, slots=True)
class LineFault:
    """A fault of one reader's wires; chances are per byte for flips, per one-bit for loading, per transfer for loss."""

    stuck_at: int | None = None
    flip_to_chip: float = 0.0
    flip_to_host: float = 0.0
    drops_ones: float = 0.0
    loses: float = 0.0


class FaultyLines:
    """The faults of all lines of a bus, drawn from one seeded source."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._by_cell: dict[str, LineFault] = {}
        self._loaders: dict[str, float] = {}
        self._met: dict[str, LineFault | None] = {}

    def set(self, cell: str, fault: LineFault) -> None:
        """Give one reader's lines a fault."""
        self._by_cell[cell] = fault
        self._met.clear()

    def clear(self, cell: str | None = None) -> None:
        """Repair one reader's lines, or all of them."""
        self._met.clear()
        if cell is None:
            self._by_cell.clear()
            self._loaders.clear()
        else:
            self._by_cell.pop(cell, None)
            self._loaders.pop(cell, None)

    def load_miso(self, cell: str, probability: float) -> None:
        """Let a chip pull MISO down while another one is selected, as clones without a tri-state output do."""
        self._loaders[cell] = probability
        self._met.clear()

    def of(self, cell: str) -> LineFault | None:
        """Return the fault that a transfer with this reader meets, loading by the others included."""
        if not self._loaders:
            return self._by_cell.get(cell)
        if cell not in self._met:
            self._met[cell] = self._fault_met(cell)
        return self._met[cell]

    def _fault_met(self, cell: str) -> LineFault | None:
        fault = self._by_cell.get(cell)
        loading = max((share for other, share in self._loaders.items() if other != cell), default=0.0)
        if not loading:
            return fault
        own = fault or LineFault()
        return replace(own, drops_ones=max(own.drops_ones, loading))

    def is_lost(self, fault: LineFault) -> bool:
        """Return whether a transfer never reaches the chip."""
        return bool(fault.loses) and self._rng.random() < fault.loses

    def towards_chip(self, fault: LineFault, data: list[int]) -> list[int]:
        """Return the bytes as the chip gets them."""
        return [self._flip(byte, fault.flip_to_chip) for byte in data]

    def towards_host(self, fault: LineFault, data: list[int]) -> list[int]:
        """Return the bytes as the host gets them."""
        return [self._flip(self._drop(byte, fault.drops_ones), fault.flip_to_host) for byte in data]

    def _flip(self, byte: int, probability: float) -> int:
        if probability and self._rng.random() < probability:
            return byte ^ 1 << self._rng.randrange(8)
        return byte

    def _drop(self, byte: int, probability: float) -> int:
        if not probability:
            return byte
        kept = sum(1 << position for position in range(8) if self._rng.random() >= probability)
        return byte & kept

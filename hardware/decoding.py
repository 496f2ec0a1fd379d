"""Which address selects which line: worked out from how the decoders are wired, pin by pin."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from hardware.wiring import GROUND, Part, Wiring

ADDRESSES: Final = 16
_BITS: Final = ("A0", "A1", "A2", "A3")
_LOW_ACTIVE: Final = ("G2A", "G2B")


def selected(wiring: Wiring, address: int, *, enabled: bool = True) -> list[str]:
    """The nets that the decoders pull low while the hub drives that address."""
    levels = {net: bool(address >> bit & 1) for bit, net in enumerate(_BITS)}
    levels |= {"3V3": True, GROUND: False, "ENABLE": not enabled}
    return [net for part in wiring.of_kind("decoder") for net in _pulled(part, levels)]


def _pulled(part: Part, levels: Mapping[str, bool]) -> Iterator[str]:
    """What a 74HC138 pulls low: one output, if G1 is high and G2A and G2B are low (its function table)."""
    high = {pin: levels[part.joins[pin]] for pin in ("A", "B", "C", "G1", *_LOW_ACTIVE)}
    if high["G1"] and not any(high[pin] for pin in _LOW_ACTIVE):
        yield part.joins[f"Y{high['A'] + 2 * high['B'] + 4 * high['C']}"]


def line_of(wiring: Wiring) -> Mapping[str, int]:
    """For each select net the address that selects it."""
    return {net: address for address in range(ADDRESSES) for net in selected(wiring, address)}

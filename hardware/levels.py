"""How high the voltage on each net gets: from what drives it, through resistors, fuses and cables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from hardware.description import PinKind
from hardware.wiring import GROUND, Part, Wiring

FROM_THE_PLUG: Final = (
    *("5V_IN", "5V_MID", "5V_ON", "5V_SENSE", "5V", "5V_PI", "5V_CONVERTER"),
    *("5V_GATE", "5V_GATE_CONVERTER"),
)
"""The nets that have what the plug gives, each behind some part of the cut-off or a fuse."""
_SUPPLIES: Final = {GROUND: 0.0, "3V3": 3.3, "PI_3V3": 3.3, "PICO_3V3": 3.3, **dict.fromkeys(FROM_THE_PLUG, 5.0)}
_DRIVES: Final = frozenset({PinKind.OUT, PinKind.TRISTATE, PinKind.IO})
_PASSES_ON: Final = ("resistor", "fuse")


def net_volts(wiring: Wiring) -> Mapping[str, float]:
    """The highest level on each net; 0 where nothing drives it."""
    volts = {net: _SUPPLIES.get(net, 0.0) for net in wiring.nets}
    for net, pins in wiring.nets.items():
        if net not in _SUPPLIES:
            volts[net] = max((part.kind.volts for part, pin in pins if pin.kind in _DRIVES), default=0.0)
    # A signal comes through a resistor as high as it is; twice, because two of them may follow each other.
    passing = [part for key in _PASSES_ON for part in wiring.of_kind(key)]
    for part in (*passing, *passing):
        _pass_on(part, volts)
    return volts


def _pass_on(part: Part, volts: dict[str, float]) -> None:
    first, second = (part.joins[pin.name] for pin in part.kind.pins)
    highest = max(volts[first], volts[second])
    for net in (first, second):
        if net not in _SUPPLIES:
            volts[net] = highest

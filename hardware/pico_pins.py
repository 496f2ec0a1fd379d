"""The Pico's pins where people read them: in its firmware, and on the page about it."""

from __future__ import annotations

import re
from typing import Final

from hardware.description import Description, Hub, PinKind
from hardware.markdown import markdown

_CONSTANTS: Final = {
    "MISO": ("MISO_HUB",),
    "SCK": ("SCK_HUB",),
    "MOSI": ("MOSI_HUB",),
    "ADDRESS": tuple(f"A{bit}_HUB" for bit in range(4)),
    "ENABLE": ("ENABLE_HUB",),
    "OFFER": ("OFFER_HUB",),
    "RESET": ("RESET_HUB",),
    "CALL": ("CALL_HUB",),
    "SECOND": ("SECOND_HUB",),
    "MENU": ("MENU_HUB",),
    "LIGHTS": ("LIGHT_1", "LIGHT_2", "LIGHT_ATTENTION"),
}
"""The nets behind each name in the firmware."""
_FREE: Final = re.compile(r"^# Left free: .*$", re.MULTILINE)


def firmware_pins(text: str, description: Description) -> str:
    """The firmware's file of pins with every number as the description has it, pads in the comments as well."""
    hub = description.hubs["pico"]
    numbers = {signal.net: signal.pins["pico"] for signal in description.signals if "pico" in signal.pins}
    for name, nets in _CONSTANTS.items():
        pins = [numbers[net] for net in nets]
        value = str(pins[0]) if len(pins) == 1 else f"({', '.join(map(str, pins))})"
        pads = ", ".join(hub.pin(pin).number for pin in pins)
        line = re.compile(rf"^{name} = .*?(  # .*pads? )[\d, ]+$", re.MULTILINE)
        text, found = line.subn(rf"{name} = {value}\g<1>{pads}", text)
        if found != 1:
            raise ValueError(f"pins.py has to have one line '{name} = ...  # ... pad ...', and has {found}.")
    return _FREE.sub(f"# Left free: {', '.join(_free(hub, set(numbers.values())))}.", text)


def _free(hub: Hub, used: set[int]) -> list[str]:
    numbers = sorted(int(pin.name.removeprefix(hub.prefix)) for pin in hub.kind.pins if pin.kind is PinKind.IO)
    return [f"{hub.prefix}{number}" for number in numbers if number not in used]


def pico_pins(description: Description) -> str:
    """Which pin of the Pico is for what."""
    hub = description.hubs["pico"]
    signals = [signal for signal in description.signals if "pico" in signal.pins]
    rows = [(signal.pins["pico"], hub.pin(signal.pins["pico"]).number, signal.what) for signal in signals]
    return markdown(["GP", "pad", "what"], sorted(rows), 3)


def wires_from_the_pi(description: Description) -> list[str]:
    """The pins of the Pi's header that are joined by single wires while a Pico is on the hub board, and a ground."""
    hub = description.hubs["pi"]
    staying = [signal for signal in description.signals if "pico" not in signal.pins]
    pins = {int(hub.pin(signal.pins["pi"]).number) for signal in staying}
    first = {kind: next(int(pin.number) for pin in hub.kind.pins if pin.kind is kind) for kind in _POWER}
    return [str(number) for number in sorted({*pins, *first.values()})]


_POWER: Final = (PinKind.SOURCE, PinKind.GROUND)

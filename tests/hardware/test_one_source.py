"""A fact is written once: a pin that moves in `board.toml` leaves its old number nowhere in what is made."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import pytest

from hardware.description import FOLDER, Description, read_description
from hardware.dimensions import Dimensions, read_dimensions
from hardware.making import FIRMWARE_PINS, PAGES
from hardware.pico_pins import firmware_pins, wires_from_the_pi
from hardware.pin_list import pin_list
from hardware.profiles import profile_text
from hardware.tables import fill_in
from hardware.wiring import wire

MOVED: Final = {
    ("CALL_HUB", "pi"): 19,
    ("LIGHT_1", "pi"): 16,
    ("CALL_HUB", "pico"): 28,
    ("LIGHT_ATTENTION", "pico"): 22,
}
"""Signals, and the pins that they move to, which nothing else is on."""


def moved(description: Description) -> Description:
    signals = tuple(
        replace(signal, pins={hub: MOVED.get((signal.net, hub), pin) for hub, pin in signal.pins.items()})
        for signal in description.signals
    )
    return replace(description, signals=signals)


def page(name: str, description: Description, dimensions: Dimensions) -> str:
    """A page as it is made."""
    (file,) = (file for file in PAGES if file.name == name)
    return fill_in(file.read_text(encoding="utf-8"), description, dimensions)


def pins_of_firmware(description: Description) -> str:
    """The firmware's pins as they are made."""
    return firmware_pins(FIRMWARE_PINS.read_text(encoding="utf-8"), description)


def everything(description: Description, dimensions: Dimensions) -> Mapping[str, str]:
    """Every text that is made, or written by hand beside it, and may name a pin; by its file."""
    wirings = [wire(description, profile) for profile in description.profiles.values()]
    texts = {file.name: page(file.name, description, dimensions) for file in PAGES}
    texts["trouble.md"] = (FOLDER / "trouble.md").read_text(encoding="utf-8")
    texts["pins.py"] = pins_of_firmware(description)
    texts["pins.csv"] = pin_list(wirings)
    texts |= {f"{wiring.profile.name}.toml": profile_text(wiring) for wiring in wirings}
    return texts


@pytest.fixture(scope="module")
def after() -> Mapping[str, str]:
    """Everything, made with all of those pins moved."""
    return everything(moved(read_description()), read_dimensions())


@pytest.mark.parametrize(("net", "hub"), MOVED)
def test_a_pin_that_moves_leaves_its_old_number_nowhere(
    description: Description, after: Mapping[str, str], net: str, hub: str
) -> None:
    pins = {signal.net: signal.pins for signal in description.signals}
    chip = description.hubs[hub]
    old, new = chip.pin(pins[net][hub]), chip.pin(MOVED[net, hub])
    number = old.name.removeprefix(chip.prefix)
    named = re.compile(rf"\b{chip.prefix} ?{number}\b")
    # The list of free pins and that of every pin of a header name it rightly.
    left = {
        name: line
        for name, text in after.items()
        for line in text.splitlines()
        if named.search(line) and not line.startswith("# Left free") and net not in line
    }
    assert left == {}
    assert f"{chip.ref},{new.number},{new.name},{net}" in after["pins.csv"]
    assert f"{chip.ref},{old.number},{old.name},{net}" not in after["pins.csv"]


def test_the_firmware_and_its_page_have_the_new_numbers_and_pads(
    description: Description, dimensions: Dimensions, after: Mapping[str, str]
) -> None:
    assert "CALL = 2  #" in pins_of_firmware(description)
    assert re.search(r"^CALL = 28  # .*: pad 34$", after["pins.py"], re.MULTILINE)
    assert re.search(r"^LIGHTS = \(6, 7, 22\)  # .*: pads 9, 10, 29$", after["pins.py"], re.MULTILINE)
    assert "GP2," in next(line for line in after["pins.py"].splitlines() if line.startswith("# Left free"))
    assert "| 2 | 4 |" in page("pico.md", description, dimensions)
    assert "| 2 | 4 |" not in after["pico.md"]
    assert "| 28 | 34 |" in after["pico.md"]


def test_the_pins_of_single_wires_follow_their_signals(description: Description, dimensions: Dimensions) -> None:
    signals = tuple(
        replace(signal, pins={"pi": 19}) if signal.net == "STRIP_DATA_HUB" else signal for signal in description.signals
    )
    changed = replace(description, signals=signals)
    assert wires_from_the_pi(description) == ["1", "3", "5", "6", "38", "40"]
    assert wires_from_the_pi(changed) == ["1", "3", "5", "6", "35", "40"]
    assert "1, 3, 5, 6, 35 and 40" in page("wiring.md", changed, dimensions)


def test_a_file_of_pins_without_a_line_for_each_is_refused(description: Description) -> None:
    with pytest.raises(ValueError, match="has to have one line 'MISO = "):
        firmware_pins("CALL = 2  # pad 4\n", description)

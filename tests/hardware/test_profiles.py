"""What the program is told of a wiring is what is wired."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hardware.description import Description
from hardware.profiles import profile_text
from hardware.wiring import Wiring, wire
from quarto_pi.config import Config, parse_config
from quarto_pi.config.wiring import RESERVED_PINS, ButtonsConfig, ReadersConfig
from quarto_pi.devices.light_patterns import PanelLightsSettings, SquareLightsSettings
from quarto_pi.devices.node.settings import NodeSettings
from quarto_pi.devices.settings import HEADER_PINS, OledSettings
from quarto_pi.firmware import pins as pico
from quarto_pi.sensing.readings import SQUARE_NAMES
from tests.hardware.conftest import Change

ON_THE_PI = ("pi", "pi-simple", "pi-two-buttons")


def configured(description: Description, name: str) -> Config:
    return parse_config(profile_text(wire(description, description.profiles[name])))


@pytest.mark.parametrize("name", ON_THE_PI)
def test_the_configured_pins_are_those_of_the_wires(description: Description, name: str) -> None:
    config = configured(description, name)
    wired = {signal.net: signal.pins["pi"] for _, signal in wire(description, description.profiles[name]).signals}
    assert config.readers.address_pins == tuple(wired[f"A{bit}_HUB"] for bit in range(4))
    assert config.readers.enable_pin == wired["ENABLE_HUB"]
    assert config.readers.reset_pin == wired["RESET_HUB"]
    assert config.buttons.call_pin == wired["CALL_HUB"]
    assert config.readers.offer is ("OFFER_HUB" in wired)
    assert (config.game.buttons == 2) is ("SECOND_HUB" in wired)
    assert (config.panel_lights is not None) is ("LIGHT_1" in wired)
    assert (config.square_lights is not None) is ("STRIP_DATA_HUB" in wired)


def test_every_square_s_select_line_is_the_decoder_s_output_that_is_wired_to_its_reader(
    description: Description, wiring: Wiring
) -> None:
    # U1 has the first eight of the sixteen lines, U5 the others.
    outputs = {
        net: first + int(pin[1:])
        for ref, first in (("U1", 0), ("U5", 8))
        for pin, net in wiring.part(ref).joins.items()
        if pin.startswith("Y")
    }
    wired = {square: outputs[wiring.part(f"READER_{square}").joins["SDA"]] for square in SQUARE_NAMES}
    assert configured(description, "pi").readers.lines == wired


def test_program_and_description_reserve_the_same_pins(description: Description) -> None:
    hub = description.hubs["pi"]
    named = {int(name.removeprefix("GPIO")) for name in hub.reserved}
    assert set(RESERVED_PINS) <= named
    assert {hub.pin(number).name for number in HEADER_PINS} == {f"GPIO{number}" for number in range(28)}


def test_the_pico_s_pins_are_those_of_its_firmware(description: Description) -> None:
    wired = {signal.net: signal.pins["pico"] for signal in description.signals if "pico" in signal.pins}
    assert (wired["MISO_HUB"], wired["SCK_HUB"], wired["MOSI_HUB"]) == (pico.MISO, pico.SCK, pico.MOSI)
    assert tuple(wired[f"A{bit}_HUB"] for bit in range(4)) == pico.ADDRESS
    assert (wired["ENABLE_HUB"], wired["OFFER_HUB"], wired["RESET_HUB"]) == (pico.ENABLE, pico.OFFER, pico.RESET)
    assert (wired["CALL_HUB"], wired["SECOND_HUB"]) == (pico.CALL, pico.SECOND)
    assert tuple(wired[f"LIGHT_{light}"] for light in ("1", "2", "ATTENTION")) == pico.LIGHTS


def test_the_supply_that_the_program_counts_on_is_the_one_that_is_bought(description: Description) -> None:
    budget = configured(description, "pi").fields.budget
    assert budget.supply_ma == description.power.readers_supply_ma < description.power.buck_ma
    assert (budget.field_ma, budget.reader_ma) == (description.power.field_ma, description.power.reader_ma)


def test_a_profile_names_the_select_lines_that_are_wired_otherwise_and_no_others(
    description: Description, rejoined: Change
) -> None:
    assert "readers.lines" not in profile_text(wire(description, description.profiles["pi"]))
    decoder = wire(description, description.profiles["pi"]).part("U1")
    pins = {pin: net for pin, net in decoder.joins.items() if pin in ("Y0", "Y1")}
    swapped = rejoined("U1", {"Y0": pins["Y1"], "Y1": pins["Y0"]})
    assert profile_text(swapped).endswith("[readers.lines]\na1 = 1\nb1 = 0\n")


def test_what_is_usual_to_the_program_is_what_is_wired(description: Description) -> None:
    config = configured(description, "pi")
    assert config.oled == OledSettings()
    assert config.panel_lights == PanelLightsSettings()
    assert config.square_lights == SquareLightsSettings()
    # A reset line is wired here, and on boards that are put together without this one mostly not.
    assert replace(config.readers, reset_pin=0) == ReadersConfig()
    assert config.buttons == ButtonsConfig()
    assert configured(description, "pico").node == NodeSettings()

"""The section [node]: where the Pico is, and what hangs on which of its pins."""

from __future__ import annotations

import pytest

from quarto_pi.config import ConfigError, parse_config
from quarto_pi.devices.node.board import wiring_of
from quarto_pi.firmware import pins
from quarto_pi.firmware.protocol import NOTHING
from quarto_pi.firmware.said_by_host import Configuration
from quarto_pi.wiring.board import surroundings_of


def wired(text: str) -> Configuration:
    config = parse_config(text)
    assert config.node is not None
    return wiring_of(config.node, surroundings_of(config))


def test_board_without_the_section_has_no_node() -> None:
    assert parse_config("").node is None
    assert parse_config("[node]\npresent = false\n").node is None


def test_usual_pins_are_those_of_the_firmware() -> None:
    wiring = wired("[node]\n")
    assert (tuple(wiring.address), wiring.enable, wiring.offer) == (pins.ADDRESS, pins.ENABLE, pins.OFFER)
    assert wiring.buttons == [pins.CALL, NOTHING, pins.MENU]
    assert wiring.lights == [NOTHING] * 3


def test_what_the_board_has_is_sent_to_the_node() -> None:
    wiring = wired("[node]\nlight_pins = [20, 21, 22]\n[game]\nbuttons = 2\n[panel_lights]\nactive_high = false\n")
    assert (wiring.buttons[1], wiring.lights, wiring.active_high) == (pins.SECOND, [20, 21, 22], 0)
    assert wired("[node]\n[readers]\noffer = false\n").lines[-1] == NOTHING


def test_same_board_has_the_same_number_and_another_one_another() -> None:
    assert wired("[node]\n").number == wired("[node]\n").number
    assert wired("[node]\n").number != wired("[node]\ncall_pin = 20\n").number


def test_pins_of_the_header_do_not_matter_where_there_is_a_node() -> None:
    assert parse_config('[node]\n[oled]\nconnection = "spi"\ndc_pin = 17\n').node is not None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("call_pin = 23", "[node] call_pin is 23: a Pico has GP0 to GP22 and GP26 to GP28 for you."),
        ("call_pin = 16", "[node] call_pin is 16: GP16 belongs to SPI (MISO); choose another pin."),
        ("menu_pin = 2", "[node] menu_pin is 2: call_pin has this pin already; choose another one."),
        ("light_pins = [6, 7, 22]", "[node] light_pins is 22: GP22 and GP6 can only shine alike; choose another pin"),
        ("spi_hz = 1", "[node] spi_hz is 1: the MFRC522 takes 100000 to 10000000"),
        ("prot = 'x'", "[node] prot is not a key of this section: did you mean 'port'?"),
    ],
)
def test_wiring_that_no_pico_can_have_is_told_with_what_to_do(text: str, said: str) -> None:
    with pytest.raises(ConfigError) as told:
        parse_config(f"[node]\n{text}\n")
    assert said.lower().rstrip("?.") in str(told.value).lower()


def test_interleaved_exchanges_are_not_for_a_node() -> None:
    with pytest.raises(ConfigError, match=r'a node takes its readers "one at a time" or "in turn"'):
        parse_config('[node]\n[fields]\nmode = "interleaved"\ncalibration = "x"\n')

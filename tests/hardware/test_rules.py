"""Every wiring keeps the rules, and every rule finds what it is for."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hardware.description import Description, Signal
from hardware.netlist import electrical_complaints
from hardware.rules import broken_rules
from hardware.wiring import Wiring, wire
from tests.hardware.conftest import PROFILES, Change


@pytest.mark.parametrize("name", PROFILES)
def test_every_wiring_keeps_every_rule(description: Description, name: str) -> None:
    assert broken_rules(wire(description, description.profiles[name])) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", ["pi-two-buttons", "pi-simple", "pico-two-buttons"])
def test_the_electrical_rule_check_of_skidl_finds_nothing(description: Description, name: str) -> None:
    assert electrical_complaints(wire(description, description.profiles[name])) == []


@pytest.mark.slow
def test_the_electrical_rule_check_of_skidl_finds_outputs_that_fight(rejoined: Change) -> None:
    assert any("SELECT_0" in sentence for sentence in electrical_complaints(rejoined("U1", {"Y1": "SELECT_0"})))


@pytest.mark.parametrize(
    ("ref", "joins", "sentence"),
    [
        ("READER_b2", {"SDA": ""}, "READER_b2 pin 1 (SDA) is not joined to anything."),
        ("READER_b2", {"3.3V": "5V"}, "READER_b2 needs 3.3 V and is on 5V with 5 V."),
        ("READER_b2", {"MISO": "MISO"}, "READER_b2: no gate leads from MISO to MISO while SELECT_5 is low."),
        ("U12", {"2OE": "SELECT_6"}, "READER_b2: no gate leads from MISO_b2 to MISO while SELECT_5 is low."),
        ("U1", {"Y1": "SELECT_0"}, "SELECT_0 is driven by U1 and by U1: only one may."),
        (
            "R20",
            {"A": "MISO_HUB", "B": "STRIP_DATA_DRIVEN"},
            "PI GPIO9 works on 3.3 V and would get 5 V from MISO_HUB.",
        ),
        ("STRIP", {"DI": "STRIP_DATA_HUB"}, "STRIP DI hears a high level from 3.5 V on, and STRIP_DATA_HUB has 3.3 V."),
        ("R15", {"B": "GND"}, "ENABLE has 0.00 V while the hub boots: it needs a stronger pull-up to 3V3."),
        (
            "RN2",
            {"R2": "MISO_a2"},
            "U12 2A: nothing holds MISO_b2 while nobody drives it; give it a pull-down.",
        ),
        ("C3", {"A": "5V"}, "U1 has no capacitor beside it."),
        ("J23", {"SCK": "SCK_1"}, "J13 and J23 are the ends of one cable and differ."),
        ("U4", {"VOUT": "PI_3V3"}, "PI_3V3 is driven by PI and by U4: only one may."),
        ("U5", {"G1": "3V3"}, "Address 0 selects SELECT_0 and SELECT_8: it has to select one line."),
        ("U1", {"G2B": "GND"}, "Address 8 selects SELECT_0 and SELECT_8: it has to select one line."),
        ("U1", {"G2A": "GND"}, "SELECT_3 is selected by address 3 even while ENABLE is high."),
        ("U1", {"B": "A0"}, "SELECT_0 is selected by address 0 and by 2."),
        ("READER_b2", {"SDA": "NOWHERE"}, "NOWHERE ends at READER_b2 pin 1: join it to something."),
        ("U1", {"Y0": "SCK_1_DRIVEN"}, "SCK_1_DRIVEN is driven by U1 and by U2: only one may."),
        ("READER_b2", {"MISO": "MISO"}, "MISO: a reader is joined to it directly, and clones do not let go of it."),
        ("R27", {"B": "SCK_HUB"}, "U2 1A1: nothing holds SCK_IN while nobody drives it; give it a pull-down."),
        ("R17", {"B": "GND"}, "OFFER has 0.00 V while the hub boots: it needs a stronger pull-up to 3V3."),
        ("J21", {"SA": "SCK_1"}, "J21 pin 11: SCK_1 has no ground beside it."),
        (
            "R93",
            {"B": "GND"},
            "RESET: each rank board needs a pull-up to 3V3, or a broken wire keeps its readers in reset.",
        ),
        ("R36", {"B": "3V3"}, "Q6: a Pico 2 that boots would switch it on: RESET_BASE needs a stronger pull-down."),
    ],
)
def test_a_wrong_wire_is_found(rejoined: Change, ref: str, joins: dict[str, str], sentence: str) -> None:
    assert sentence in broken_rules(rejoined(ref, joins))


def test_two_signals_on_one_pin_are_found(wiring: Wiring) -> None:
    moved = [
        (hub, replace(signal, pins={"pi": 24}) if signal.net == "CALL_HUB" else signal)
        for hub, signal in wiring.signals
    ]
    found = broken_rules(replace(wiring, signals=tuple(moved)))
    assert "GPIO24 of the pi is for ENABLE_HUB and for CALL_HUB: give one of them another pin." in found


@pytest.mark.parametrize(("pin", "owner"), [(2, "I2C SDA"), (8, "SPI0 CE0"), (14, "serial console"), (0, "EEPROM")])
def test_a_signal_on_a_reserved_pin_is_found(wiring: Wiring, pin: int, owner: str) -> None:
    hub, _ = wiring.signals[0]
    found = broken_rules(replace(wiring, signals=(*wiring.signals, (hub, Signal("STRAY", {"pi": pin})))))
    assert any(f"GPIO{pin} of the pi is reserved for" in sentence and owner in sentence for sentence in found)


def test_a_pin_that_the_header_does_not_have_is_refused(description: Description) -> None:
    with pytest.raises(ValueError, match="has no pin GPIO28"):
        description.hubs["pi"].pin(28)


def test_a_light_that_takes_too_much_from_a_pin_is_found(wiring: Wiring) -> None:
    bright = tuple(replace(part, value="100") if part.ref == "R50" else part for part in wiring.parts)
    assert any(sentence.startswith("R50: 15.0 mA") for sentence in broken_rules(replace(wiring, parts=bright)))


def test_a_pull_down_that_is_too_weak_for_a_pico_2_is_found(wiring: Wiring) -> None:
    weak = tuple(replace(part, value="10k") if part.ref == "R21" else part for part in wiring.parts)
    assert broken_rules(replace(wiring, parts=weak)) == ["MISO: a Pico 2 needs 8200 ohm or less to ground."]


@pytest.mark.parametrize(
    ("ref", "value", "sentence"),
    [
        ("R36", "10k", "Q6: a Pico 2 that boots would switch it on: RESET_BASE needs a stronger pull-down."),
        ("R30", "4k7", "Q6: 0.20 mA at its base do not pull 6.9 mA down."),
    ],
)
def test_a_transistor_that_resets_when_nobody_wants_it_or_cannot_is_found(
    wiring: Wiring, ref: str, value: str, sentence: str
) -> None:
    changed = tuple(replace(part, value=value) if part.ref == ref else part for part in wiring.parts)
    assert broken_rules(replace(wiring, parts=changed)) == [sentence]


def test_a_pull_up_that_does_not_win_against_a_booting_hub_is_found(wiring: Wiring) -> None:
    weak = tuple(replace(part, value="47k") if part.ref == "R15" else part for part in wiring.parts)
    found = broken_rules(replace(wiring, parts=weak))
    assert found == ["ENABLE has 1.70 V while the hub boots: it needs a stronger pull-up to 3V3."]

"""`quarto-pi check` on what people press, see and hear: the real drivers above the simulated board."""

from __future__ import annotations

from pathlib import Path

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from quarto_pi.checks import Finding
from quarto_pi.checks.devices import buttons, displays, speech
from quarto_pi.checks.installation import words
from quarto_pi.config import Config, parse_config
from quarto_pi.devices.speech import SpeechSettings
from quarto_pi.simulation.board import SimulatedBoard
from quarto_pi.wiring.platform import Platform, real_hardware, simulated_hardware
from quarto_pi.words.catalogue import LOCALE_FOLDER

EVERYTHING = "[oled]\n[panel_lights]\n[square_lights]\n[buttons]\nmenu_pin = 20\n[game]\nbuttons = 2\n"
CHIPS = (("ssd1306", 64), ("ssd1306", 32), ("sh1106", 64), ("ssd1309", 64))


def simulated(text: str) -> tuple[Config, Platform, SimulatedBoard]:
    config = parse_config(text)
    return config, *simulated_hardware(config=config)


class PinOnGround(MockPWMPin):  # type: ignore[misc] # gpiozero has no type information
    """A pin that no pull-up gets off the ground."""

    def drive_high(self) -> None:
        self.drive_low()


def only(findings: list[Finding]) -> Finding:
    (finding,) = findings
    return finding


def test_every_button_that_the_board_has_is_told_of() -> None:
    config, platform, _ = simulated(EVERYTHING)
    found = list(buttons(config, platform))
    assert [finding.device for finding in found] == ["button call0", "button call1", "button menu"]
    assert all(finding.ok for finding in found)


def test_button_that_is_down_while_nobody_presses_it_is_not_well() -> None:
    config, platform, _ = simulated(EVERYTHING)
    assert isinstance(platform.pin_factory, MockFactory)
    platform.pin_factory.pin("GPIO4", pin_class=PinOnGround)
    found = {finding.device: finding for finding in buttons(config, platform)}
    assert [device for device, finding in found.items() if not finding.ok] == ["button call1"]
    assert "GPIO 4" in (found["button call1"].fix or "")


def test_every_display_that_the_configuration_names_is_told_of_and_no_other() -> None:
    config, platform, _ = simulated(EVERYTHING)
    assert [(found.device, found.ok) for found in displays(config, platform)] == [
        ("oled", True),
        ("panel lights", True),
        ("square lights", True),
    ]
    assert list(displays(Config(), platform)) == []


@pytest.mark.parametrize(("chip", "height"), CHIPS)
def test_every_kind_of_oled_is_opened_through_its_driver(chip: str, height: int) -> None:
    config, platform, board = simulated(f'[oled]\ncontroller = "{chip}"\nheight = {height}\ni2c_port = 3\n')
    found = only(list(displays(config, platform)))
    assert found.ok
    assert f"{chip}, 128 x {height}: answers" in found.detail
    assert board.oled.on


def test_oled_that_is_not_on_its_bus_is_not_well_and_says_what_to_do() -> None:
    config, platform, board = simulated("[oled]\n")
    board.oled.unplug()
    found = only(list(displays(config, platform)))
    assert (found.ok, found.detail) == (False, "the display at 0x3c does not answer on /dev/i2c-1")
    assert found.fix is not None
    assert "i2cdetect -y 1" in found.fix


def test_oled_on_a_bus_that_is_switched_off_says_how_to_switch_it_on() -> None:
    config, platform, board = simulated("[oled]\n")
    board.i2c.exists = False
    found = only(list(displays(config, platform)))
    assert (found.ok, found.fix) == (False, "enable I2C with raspi-config, or name the right one")


def test_nobody_claims_that_a_display_on_spi_has_answered() -> None:
    config, platform, board = simulated('[oled]\nconnection = "spi"\n[square_lights]\n')
    board.oled.unplug()
    board.strip.unplug()
    found = list(displays(config, platform))
    assert [finding.device for finding in found] == ["oled", "square lights"]
    assert all(finding.ok for finding in found)
    assert all("gives no answer" in finding.detail or "gives an answer" in finding.detail for finding in found)


def test_strip_whose_bus_is_not_there_is_not_well() -> None:
    config = parse_config("[square_lights]\nspi_port = 5\n")
    platform = simulated_hardware()[0]
    found = only(list(displays(config, platform)))
    assert (found.ok, found.detail) == (False, "/dev/spidev5.0 is not there")
    assert found.fix


def test_pins_that_cannot_be_driven_are_told_for_buttons_and_lights(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "native")
    config, platform = parse_config("[panel_lights]\n"), real_hardware()
    found = [*buttons(config, platform), *displays(config, platform)]
    assert [(finding.device, finding.ok) for finding in found] == [("buttons", False), ("panel lights", False)]
    assert all("is this a Pi" in finding.detail for finding in found)


def program(folder: Path, *voices: str) -> str:
    file = folder / "voice"
    file.write_text(f"#!/bin/sh\nprintf 'Pty Language\\n{''.join(f' 5 {voice} x y{chr(92)}n' for voice in voices)}'\n")
    file.chmod(0o755)
    return str(file)


def test_voice_that_is_not_installed_is_not_well_where_the_configuration_wants_it(tmp_path: Path) -> None:
    missing = speech(SpeechSettings(program=str(tmp_path / "nothing")), "en")
    assert not missing.ok
    assert "is not installed" in missing.detail
    assert missing.fix


def test_missing_espeak_is_told_with_the_command_that_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert speech(SpeechSettings(), "en").fix == "sudo apt install espeak-ng"


def test_voice_is_looked_for_in_the_language_of_the_game(tmp_path: Path) -> None:
    settings = SpeechSettings(program=program(tmp_path, "en-gb", "lt"))
    assert speech(settings, "lt").detail.endswith("voice lt")
    french = speech(settings, "fr")
    assert (french.ok, french.fix) == (False, "sudo apt install espeak-ng-data")


def test_catalogues_that_are_missing_are_named(tmp_path: Path) -> None:
    assert words().ok
    for catalogue in LOCALE_FOLDER.glob("[!de]*/LC_MESSAGES/*.mo"):
        copy = tmp_path / catalogue.relative_to(LOCALE_FOLDER)
        copy.parent.mkdir(parents=True)
        copy.write_bytes(catalogue.read_bytes())
    found = words(tmp_path)
    assert not found.ok
    assert "no catalogue for de, es:" in found.detail
    assert found.fix == "install quarto-pi again"


def test_bus_that_does_not_come_back_is_told_of() -> None:
    config, platform, board = simulated("[oled]\n")
    board.i2c.stuck = True
    found = only(list(displays(config, platform)))
    assert (found.ok, found.detail) == (False, "/dev/i2c-1 is stuck")

"""What people press, see and hear of the board: does it work, and what is to be done where it does not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from quarto_pi.checks import Finding
from quarto_pi.config import Config
from quarto_pi.devices.light_patterns import PanelKind, PanelLightsSettings, SquareLightsSettings
from quarto_pi.devices.settings import DisplayBus, OledSettings
from quarto_pi.devices.speech import Speech, SpeechSettings
from quarto_pi.wiring.board import button_pins, open_buttons, open_oled, open_panel_lights, open_square_lights
from quarto_pi.wiring.platform import HardwareMissing, Platform

if TYPE_CHECKING:
    from quarto_pi.devices.oled import Oled
    from quarto_pi.devices.square_lights import SquareLights

INSTALL = "see docs/installing.md, 'Two kinds of Pi'"


def buttons(config: Config, platform: Platform) -> Iterator[Finding]:
    """Every button, and whether it is up as it should be while nobody presses it."""
    pins = button_pins(config)
    try:
        with open_buttons(config, platform) as opened:
            held = opened.held
    except HardwareMissing as error:
        yield Finding("buttons", ok=False, detail=str(error), fix=INSTALL)
        return
    for name, pin in pins.items():
        device = f"button {name}"
        if name in held:
            todo = f"let go of it; if nobody holds it, it is stuck, or GPIO {pin} is wired to ground"
            yield Finding(device, ok=False, detail=f"GPIO {pin}, held down", fix=todo)
        else:
            yield Finding(device, ok=True, detail=f"GPIO {pin}, up")


def displays(config: Config, platform: Platform, wanted: Callable[[str], bool] = lambda _: True) -> Iterator[Finding]:
    """Those of the displays and lights that the configuration says are there, as far as they are wanted."""
    if config.oled is not None and wanted("oled"):
        yield _oled(config.oled, platform)
    if config.panel_lights is not None and config.node is not None and wanted("panel lights"):
        yield Finding("panel lights", ok=True, detail="on the node; a light gives no answer")
    elif config.panel_lights is not None and wanted("panel lights"):
        yield _panel_lights(config.panel_lights, platform)
    if config.square_lights is not None and wanted("square lights"):
        yield _square_lights(config.square_lights, platform)


def speech(settings: SpeechSettings, language: str) -> Finding:
    """The voice: its program, and a voice for the language of the game."""
    program = settings.program
    with Speech(settings) as voice:
        if not voice.available:
            install = "sudo apt install espeak-ng" if program == "espeak-ng" else "install it, or name another program"
            return Finding("speech", ok=False, detail=f"{program} is not installed", fix=install)
        name = voice.voice_for(language)
    if name is None:
        detail = f"{program} has no voice for the language {language}"
        return Finding("speech", ok=False, detail=detail, fix="sudo apt install espeak-ng-data")
    return Finding("speech", ok=True, detail=f"{program}, voice {name}")


def _oled(settings: OledSettings, platform: Platform) -> Finding:
    kind = f"{settings.controller.value}, {settings.width} x {settings.height}"
    if settings.connection is DisplayBus.SPI:
        bus = f"/dev/spidev{settings.spi_port}.{settings.spi_device}"
        detail = f"{kind}: all sent on {bus}; on SPI no display gives an answer"
    else:
        detail = f"{kind}: answers at {settings.i2c_address:#04x} on I2C {settings.i2c_port}"
    return _after_a_step("oled", lambda: open_oled(settings, platform), detail)


def _panel_lights(settings: PanelLightsSettings, platform: Platform) -> Finding:
    pins = ", ".join(str(pin) for pin in settings.pins)
    what = "three lights" if settings.kind is PanelKind.THREE else "one RGB light"
    try:
        with open_panel_lights(settings, platform):
            return Finding("panel lights", ok=True, detail=f"{what}: GPIO {pins} driven; a light gives no answer")
    except HardwareMissing as error:
        return Finding("panel lights", ok=False, detail=str(error), fix=INSTALL)


def _square_lights(settings: SquareLightsSettings, platform: Platform) -> Finding:
    bus = f"/dev/spidev{settings.spi_port}.{settings.spi_device}"
    detail = f"all sent on {bus}; a strip on SPI gives no answer, so whether it is there only eyes can tell"
    return _after_a_step("square lights", lambda: open_square_lights(settings, platform), detail)


def _after_a_step(name: str, open_it: Callable[[], Oled | SquareLights], well: str) -> Finding:
    """What is to be said of a device that looks after itself, once it has been written to."""
    try:
        with open_it() as device:
            device.step()
            condition = device.condition
    except HardwareMissing as error:
        return Finding(name, ok=False, detail=str(error), fix=INSTALL)
    if not condition.ok:
        return Finding(name, ok=False, detail=condition.detail, fix=condition.todo)
    return Finding(name, ok=True, detail=well)

"""Displays to test with: real luma above simulated chips, behind stand-ins of `smbus2` and `spidev`."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from types import ModuleType

from gpiozero.pins.mock import MockFactory
from PIL import Image

from quarto_pi.devices.oled import Oled
from quarto_pi.devices.settings import Controller, DisplayBus, OledSettings
from quarto_pi.simulation.bus import ForgetfulPin, GpiozeroPins
from quarto_pi.simulation.clock import SimulatedClock
from quarto_pi.simulation.modules import display_with
from quarto_pi.simulation.oled_chip import OledChip
from quarto_pi.simulation.outputs import I2cBus, OledOnSpi, SpiLine, smbus2_over, spidev_with

KINDS = [
    replace(OledSettings(controller=controller, height=height), connection=connection, rotate=rotate)
    for controller, height in (
        (Controller.SSD1306, 64),
        (Controller.SSD1306, 32),
        (Controller.SH1106, 64),
        (Controller.SSD1309, 64),
    )
    for connection in DisplayBus
    for rotate in range(4)
]


def name_of(settings: OledSettings) -> str:
    return (
        f"{settings.controller.value} {settings.width}x{settings.height} "
        f"{settings.connection.value} turned {settings.rotate}"
    )


@contextmanager
def in_place(**modules: ModuleType) -> Iterator[None]:
    """Let imports find these modules, and put everything back afterwards."""
    before = {name: sys.modules.get(name) for name in modules}
    sys.modules.update(modules)
    try:
        yield
    finally:
        for name, module in before.items():
            if module is None:
                del sys.modules[name]
            else:
                sys.modules[name] = module


@dataclass
class Desk:
    """A display on both kinds of bus, with the drivers above it."""

    oled: Oled
    chip: OledChip
    i2c: I2cBus
    spi: SpiLine
    clock: SimulatedClock
    settings: OledSettings

    def settle(self) -> None:
        """Let the worker do what it has to do now."""
        self.oled.step()

    def wait_ms(self, milliseconds: int) -> None:
        """Let time pass with a worker that looks once a tick."""
        for _ in range(milliseconds // 50):
            self.clock.advance_ms(50)
            self.oled.step()

    def seen(self) -> Image.Image:
        """What the eye sees, turned as the display is."""
        picture = self.chip.picture()
        return picture.rotate(90 * self.settings.rotate, expand=True)

    @property
    def bytes(self) -> int:
        return self.i2c.bytes + self.spi.bytes

    def bytes_of(self, image: Image.Image) -> int:
        before = self.bytes
        self.oled.show(image)
        self.settle()
        return self.bytes - before


def chip_for(settings: OledSettings) -> OledChip:
    return display_with(settings.controller.value, settings.width, settings.height)


@contextmanager
def desk(settings: OledSettings | None = None) -> Iterator[Desk]:
    """A display with its drivers; the worker is driven by hand."""
    settings = settings or OledSettings()
    factory = MockFactory(pin_class=ForgetfulPin)
    chip = chip_for(settings)
    bus = I2cBus()
    bus.attach(chip, settings.i2c_address)
    line = SpiLine(OledOnSpi(chip, GpiozeroPins(factory), settings.dc_pin, settings.reset_pin))
    modules = {
        "smbus2": smbus2_over({settings.i2c_port: bus}),
        "spidev": spidev_with({(settings.spi_port, settings.spi_device): line}),
    }
    clock = SimulatedClock()
    with in_place(**modules), Oled(settings, clock, factory) as oled:
        yield Desk(oled, chip, bus, line, clock, settings)
    assert bus.openings == line.openings == 0, "the bus was left open"
    factory.close()


def noise(size: tuple[int, int], seed: int) -> Image.Image:
    """A random picture."""
    bytes_of_a_line = (size[0] + 7) // 8
    return Image.frombytes("1", size, random.Random(seed).randbytes(bytes_of_a_line * size[1]))


def same(one: Image.Image, other: Image.Image) -> bool:
    return one.size == other.size and one.tobytes() == other.tobytes()

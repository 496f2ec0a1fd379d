"""What the settings of output devices share, and how the OLED is connected; no package is needed to read them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from quarto_pi.rules import QuartoError

CLOCKS_HZ: Final = (500_000, 1_000_000, 2_000_000, 4_000_000, 8_000_000)
"""The bit rates that luma knows and these chips can follow."""


HEADER_PINS: Final = range(28)
NOT_ON_HEADER: Final = "the header has GPIO 0 to 27"


LEAST_READER_HZ: Final = 100_000
MOST_READER_HZ: Final = 10_000_000
NO_READER_HZ: Final = f"the MFRC522 takes {LEAST_READER_HZ} to {MOST_READER_HZ}, and cables 1000000 to 4000000"


class SettingsError(QuartoError, ValueError):
    """A setting that no device can work with: its key, its value, and what to write instead."""

    def __init__(self, key: str, value: object, todo: str) -> None:
        super().__init__(f"{key} is {value}: {todo}.")
        self.key = key
        self.value = value
        self.todo = todo


def check_pins(pins: Collection[tuple[str, int]]) -> None:
    """Make sure that these keys name pins of the header, each its own."""
    used: dict[int, str] = {}
    for key, pin in pins:
        if pin not in HEADER_PINS:
            raise SettingsError(key, pin, NOT_ON_HEADER)
        if pin in used:
            raise SettingsError(key, pin, f"{used[pin]} has this pin already; choose another one")
        used[pin] = key


@dataclass(frozen=True, slots=True)
class DevicePatience:
    """When an absent device is tried again, a working one is told everything again, and a slow one counts as stuck.

    Wires that give no answer cannot tell that a device has lost its power; being told everything again brings it back.
    """

    first_ms: int = 500
    most_ms: int = 10_000
    refresh_ms: int = 30_000
    stuck_after_ms: int = 2_000

    def __post_init__(self) -> None:
        if self.first_ms < 1:
            raise SettingsError("first_ms", self.first_ms, "wait at least 1 ms")
        if self.most_ms < self.first_ms:
            raise SettingsError("most_ms", self.most_ms, f"write at least first_ms, {self.first_ms}")
        if self.refresh_ms < 0:
            raise SettingsError("refresh_ms", self.refresh_ms, "write 0 for never, or a time")
        if self.stuck_after_ms < 1:
            raise SettingsError("stuck_after_ms", self.stuck_after_ms, "wait at least 1 ms")


class Controller(Enum):
    """The chip on the display."""

    SSD1306 = "ssd1306"
    SH1106 = "sh1106"
    SSD1309 = "ssd1309"


class DisplayBus(Enum):
    """The bus that the display is on."""

    I2C = "i2c"
    SPI = "spi"


SIZES: Final = {
    Controller.SSD1306: ((128, 64), (128, 32)),
    Controller.SH1106: ((128, 64),),
    Controller.SSD1309: ((128, 64),),
}
"""The sizes in which modules with these chips are sold, as width and height."""

_SH1106_HZ: Final = 4_000_000  # its datasheet's shortest clock cycle on SPI is 250 ns


@dataclass(frozen=True, slots=True)
class OledSettings:
    """The display, its bus, how often it is turned to the right by a quarter, and how long it is waited for."""

    controller: Controller = Controller.SSD1306
    connection: DisplayBus = DisplayBus.I2C
    width: int = 128
    height: int = 64
    rotate: int = 0
    contrast: int = 0xCF
    i2c_port: int = 1
    i2c_address: int = 0x3C
    spi_port: int = 0
    spi_device: int = 1
    spi_hz: int = 4_000_000
    dc_pin: int = 16
    reset_pin: int | None = 26
    patience: DevicePatience = field(default_factory=DevicePatience)

    def __post_init__(self) -> None:
        sizes = SIZES[self.controller]
        if (self.width, self.height) not in sizes:
            known = " or ".join(f"{width} by {height}" for width, height in sizes)
            todo = f"a display with the {self.controller.value} is {known}"
            raise SettingsError("width", f"{self.width} and height {self.height}", todo)
        if self.rotate not in range(4):
            raise SettingsError("rotate", self.rotate, "write 0 to 3, the quarter turns to the right")
        if not 0 <= self.contrast <= 0xFF:
            raise SettingsError("contrast", self.contrast, "write 0 to 255")
        if not 0x08 <= self.i2c_address <= 0x77:
            raise SettingsError("i2c_address", self.i2c_address, "displays are at 60 (0x3c) or 61 (0x3d)")
        for key in ("i2c_port", "spi_port", "spi_device"):
            if getattr(self, key) < 0:
                raise SettingsError(key, getattr(self, key), "buses and devices are numbered from 0")
        self._check_spi()

    def _check_spi(self) -> None:
        if self.spi_hz not in CLOCKS_HZ:
            raise SettingsError("spi_hz", self.spi_hz, f"choose from {', '.join(map(str, CLOCKS_HZ))}")
        if self.controller is Controller.SH1106 and self.spi_hz > _SH1106_HZ:
            raise SettingsError("spi_hz", self.spi_hz, f"the sh1106 takes at most {_SH1106_HZ}")
        check_pins(self.pins)
        if self.dc_pin == 0:
            raise SettingsError("dc_pin", self.dc_pin, "GPIO 0 belongs to the identification EEPROM")

    @property
    def pins(self) -> tuple[tuple[str, int], ...]:
        """Return the control pins by key, where the connection has any."""
        if self.connection is DisplayBus.I2C:
            return ()
        reset = () if self.reset_pin is None else (("reset_pin", self.reset_pin),)
        return (("dc_pin", self.dc_pin), *reset)

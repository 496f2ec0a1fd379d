"""How the OLED is connected."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from quarto_pi.devices.settings import CLOCKS_HZ, SettingsError, check_pins
from quarto_pi.devices.upkeep import DevicePatience


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

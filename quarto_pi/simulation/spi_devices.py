"""What hangs on the SPI buses besides the readers: displays and the strip of lights, below `spidev`."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Mapping
from types import ModuleType
from typing import ClassVar, Final, Protocol

from quarto_pi.simulation.bus import Pins, SpiBus
from quarto_pi.simulation.modules import SpiDev
from quarto_pi.simulation.oled_chip import OledChip

MOST_IN_A_TRANSFER: Final = 4096  # the kernel driver's buffer, unless it is told otherwise


class Listener(Protocol):
    """Something that takes what is sent to it and has no answer."""

    def take(self, values: bytes) -> None:
        """Take the bytes of one transfer."""


class SpiLine:
    """One device of an SPI bus as the kernel shows it; what can go wrong is an attribute that may be set."""

    def __init__(self, listener: Listener) -> None:
        self.listener = listener
        self.exists = True
        self.stuck = False
        self.bytes = 0
        self.transfers = 0
        self.openings = 0

    def send(self, values: bytes) -> None:
        """Send the bytes of one transfer."""
        if self.stuck:
            raise TimeoutError(errno.ETIMEDOUT, os.strerror(errno.ETIMEDOUT))
        self.bytes += len(values)
        self.transfers += 1
        self.listener.take(values)


class OledOnSpi:
    """A display on SPI: a pin tells commands from data, another one resets the chip; nothing is ever answered."""

    def __init__(self, display: OledChip, pins: Pins, dc_pin: int, reset_pin: int | None = None) -> None:
        self.display = display
        self._pins = pins
        self._dc_pin = dc_pin
        self._reset_pin = reset_pin

    def take(self, values: bytes) -> None:
        """Take the bytes of one transfer; unplugged, they go nowhere."""
        self._pins.has_toggled(self._dc_pin)  # asked so that the pin's record does not grow
        if self._reset_pin is not None:
            if self._pins.has_toggled(self._reset_pin):
                self.display.reset()
            if not self._pins.level(self._reset_pin):
                return
        if not self.display.plugged:
            return
        if self._pins.level(self._dc_pin):
            self.display.take_data(values)
        else:
            self.display.take_commands(values)


class _SpiDevWithDevices(SpiDev):
    """A `SpiDev` that opens these devices, and the readers' bus where there is one."""

    _devices: ClassVar[Mapping[tuple[int, int], SpiLine]] = {}
    _line: SpiLine | None = None

    def open(self, bus: int, device: int) -> None:
        """Open `/dev/spidev<bus>.<device>`."""
        line = self._devices.get((bus, device))
        if line is None and hasattr(self, "_bus"):
            super().open(bus, device)
            return
        if line is None or not line.exists:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
        line.openings += 1
        self._line = line
        self._open = True

    def close(self) -> None:
        """Close the device, open or not."""
        if self._line is not None:
            self._line.openings -= 1
            self._line = None
        super().close()

    def _transfer(self, values: Iterable[int], speed_hz: int) -> list[int]:
        if self._line is None:
            return super()._transfer(values, speed_hz)
        data = bytes(values)
        if not data:
            raise ValueError("Argument list can't be empty")
        if len(data) > MOST_IN_A_TRANSFER:
            raise OverflowError(f"Argument list size exceeds {MOST_IN_A_TRANSFER} bytes.")
        self._line.send(data)
        return [0] * len(data)


def spidev_with(devices: Mapping[tuple[int, int], SpiLine], readers: SpiBus | None = None) -> ModuleType:
    """Return a module like spidev over these devices, by bus and device, and over the readers' bus."""
    inside: dict[str, object] = {"_devices": devices}
    if readers is not None:
        inside["_bus"] = readers
    module = ModuleType("spidev")
    module.SpiDev = type("SpiDev", (_SpiDevWithDevices,), inside)  # type: ignore[attr-defined]
    return module

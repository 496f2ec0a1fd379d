"""The SPI bus that all readers share."""

from __future__ import annotations

from typing import Any, Protocol

import spidev

from quarto_pi.devices.in_use import BoardInUse, claim


class Spi(Protocol):
    """What the bank uses of `spidev.SpiDev`."""

    def xfer2(self, values: list[int], /) -> list[int]:
        """Exchange bytes."""

    def close(self) -> None:
        """Close the device."""


def open_spi(bus: int, device: int, speed_hz: int) -> Spi:
    """Open the SPI device in mode 0, and have the board for ourselves until it is closed.

    The device's own chip enable stays unconnected, the select lines take its place.
    """
    opened: Any = spidev.SpiDev()
    opened.open(bus, device)
    try:
        claim(opened.fileno())
    except BoardInUse:
        opened.close()
        raise
    opened.max_speed_hz = speed_hz
    opened.mode = 0
    spi: Spi = opened
    return spi

"""The SPI bus that all readers share, its select lines (a 4-to-16 decoder, and one for the offer), and the reset."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Protocol

import spidev
from gpiozero import Factory, OutputDevice, Pin

from quarto_pi.devices.readers.interface import BoardInUse, claim
from quarto_pi.devices.upkeep import ClosedWith
from quarto_pi.sensing.readings import OFFER_LINE


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


_ADDRESS_BITS: Final = 4


@dataclass(frozen=True, slots=True)
class SelectPins:
    """BCM numbers: the decoder's address pins (lowest bit first) and its enable, the offer reader's select.

    Enable and select are low active and pulled up, so that nothing is selected while the Pi boots. A high `reset` has a
    transistor pull the reset of all chips low, which lets go while nobody drives the pin; 0: there is no such line.
    """

    address: tuple[int, int, int, int] = (17, 27, 22, 23)
    enable: int = 24
    offer: int = 25
    reset: int = 0


class SelectLines(ClosedWith):
    """Seventeen select lines of which at most one is low at any time, and the reset of all chips."""

    def __init__(self, pins: SelectPins, pin_factory: Factory | None = None) -> None:
        self._enable = OutputDevice(pins.enable, active_high=False, pin_factory=pin_factory)
        self._offer = OutputDevice(pins.offer, active_high=False, pin_factory=pin_factory)
        self._address = [OutputDevice(pin, pin_factory=pin_factory) for pin in pins.address]
        self._reset = OutputDevice(pins.reset, pin_factory=pin_factory) if pins.reset else None
        self._shown = 0

    def strobe(self, line: int) -> Pin:
        """Set the address for a line, with nothing selected yet, and return the pin that selects it while it is low."""
        if line == OFFER_LINE:
            return self._offer.pin
        changed = line ^ self._shown
        if changed:
            for bit in range(_ADDRESS_BITS):
                if changed >> bit & 1:
                    self._address[bit].value = line >> bit & 1
            self._shown = line
        return self._enable.pin

    @property
    def has_reset(self) -> bool:
        """Whether there is a reset line."""
        return self._reset is not None

    def hold_in_reset(self, *, hold: bool) -> None:
        """Stop all chips, or let them start anew; without a reset line nothing happens."""
        if self._reset is not None:
            self._reset.value = hold

    def close(self) -> None:
        """Deselect everything, hold nothing in reset and give the pins back; a second call does nothing."""
        for device in (self._enable, self._offer, *self._address, *([self._reset] if self._reset else [])):
            device.close()


class ReaderPort:
    """The bus as one chip sees it: every transfer is a frame of its own on that chip's select line."""

    def __init__(self, spi: Spi, lines: SelectLines, line: int) -> None:
        if not 0 <= line <= OFFER_LINE:
            raise ValueError(f"there is no line {line}: select lines are numbered 0 to {OFFER_LINE}")
        self._spi = spi
        self._lines = lines
        self._line = line
        self.transfers = 0

    def xfer2(self, values: list[int]) -> list[int]:
        """Select the chip, exchange the bytes, deselect it."""
        self.transfers += 1
        strobe = self._lines.strobe(self._line)
        strobe.state = False
        try:
            return self._spi.xfer2(values)
        finally:
            strobe.state = True

"""An I2C bus with displays on it, and a stand-in for `smbus2` above it."""

from __future__ import annotations

import errno
import os
from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import ClassVar, Final

from smbus2 import i2c_msg

from quarto_pi.simulation.oled_chip import OledChip

MOST_IN_A_BLOCK: Final = 32  # what SMBus allows
_READ: Final = 0x0001
_CONTINUES: Final = 0x80  # control byte (SSD1306 8.1.5.2): another control byte follows after one byte
_DATA: Final = 0x40


class I2cBus:
    """One bus; what can go wrong with it is an attribute that may be set."""

    def __init__(self, *, no_acknowledge: int = errno.EREMOTEIO) -> None:
        self.displays: dict[int, OledChip] = {}
        self.exists = True
        self.allowed = True
        self.stuck = False
        self.bytes = 0
        self.writes = 0
        self.openings = 0
        self._no_acknowledge = no_acknowledge
        self._cut_after: int | None = None

    def attach(self, display: OledChip, address: int = 0x3C) -> None:
        """Put a display on the bus."""
        self.displays[address] = display

    def cut_after(self, count: int) -> None:
        """Let the display at hand be unplugged when so many more bytes have gone over the bus."""
        self._cut_after = count

    def write(self, address: int, values: bytes) -> None:
        """Send one message; raises as the kernel does."""
        if self.stuck:
            raise TimeoutError(errno.ETIMEDOUT, os.strerror(errno.ETIMEDOUT))
        display = self.displays.get(address)
        self.writes += 1
        if display is None or not display.plugged:
            self.bytes += 1
            raise self._unanswered()
        arriving = values if self._cut_after is None else values[: self._cut_after]
        self.bytes += 1 + len(arriving)
        _deliver(display, arriving)
        if self._cut_after is not None:
            self._cut_after -= len(arriving)
            if len(arriving) < len(values):
                self._cut_after = None
                display.unplug()
                raise self._unanswered()

    def _unanswered(self) -> OSError:
        return OSError(self._no_acknowledge, os.strerror(self._no_acknowledge))


def _deliver(display: OledChip, values: bytes) -> None:
    """Take a message apart by its control bytes."""
    at = 0
    while at < len(values):
        control = values[at]
        end = at + 2 if control & _CONTINUES else len(values)
        if control & 0x3F:
            display.faults.append(f"{control:02X} is no control byte")
            return
        take = display.take_data if control & _DATA else display.take_commands
        take(values[at + 1 : end])
        at = end


class SMBus:
    """What `smbus2.SMBus` offers for writing, over simulated buses."""

    _buses: ClassVar[Mapping[int, I2cBus]] = {}

    def __init__(self, bus: int) -> None:
        opened = self._buses.get(bus)
        name = f"/dev/i2c-{bus}"
        if opened is None or not opened.exists:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), name)
        if not opened.allowed:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), name)
        opened.openings += 1
        self._bus: I2cBus | None = opened

    def _opened(self) -> I2cBus:
        if self._bus is None:
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        return self._bus

    def write_i2c_block_data(self, i2c_addr: int, register: int, data: Sequence[int]) -> None:
        """Send a control byte and up to 32 more."""
        if len(data) > MOST_IN_A_BLOCK:
            raise ValueError(f"Data length cannot exceed {MOST_IN_A_BLOCK} bytes")
        self._opened().write(i2c_addr, bytes([register, *data]))

    def i2c_rdwr(self, *messages: i2c_msg) -> None:
        """Send messages of any length."""
        for message in messages:
            if message.flags & _READ:
                raise OSError(errno.EOPNOTSUPP, os.strerror(errno.EOPNOTSUPP))
            self._opened().write(message.addr, bytes(message))

    def close(self) -> None:
        """Close the device, open or not."""
        if self._bus is not None:
            self._bus.openings -= 1
        self._bus = None


def smbus2_over(buses: Mapping[int, I2cBus]) -> ModuleType:
    """Return a module that offers what luma uses of smbus2, over buses by number."""
    module = ModuleType("smbus2")
    module.SMBus = type("SMBus", (SMBus,), {"_buses": buses})  # type: ignore[attr-defined]
    module.i2c_msg = i2c_msg  # type: ignore[attr-defined]
    return module

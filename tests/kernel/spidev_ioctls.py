"""/dev/spidevB.D from the inside: its callers' ioctls and writes, to transfers (include/uapi/linux/spi/spidev.h)."""

from __future__ import annotations

import errno
import os
import struct
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from tests.kernel.cuse import CallerMemory, Opened

Exchange = Callable[[bytes, int, int], bytes]
"""What a bus does with the bytes of a transfer, at so many hertz, in a mode: the bytes that come back."""

MOST_IN_A_MESSAGE: Final = 4096
"""spidev's buffer, unless its module is told otherwise."""
_MAGIC: Final = ord("k")
_TRANSFER: Final = struct.Struct("<QQIIHBBBBBx")
_READ, _WRITE = 2, 1


@dataclass(frozen=True, slots=True)
class Transfer:
    """One transfer of a message: where its bytes stand in the caller's memory, and how it is to be made."""

    tx: int
    rx: int
    length: int
    hertz: int = 0

    @classmethod
    def unpack(cls, data: bytes) -> Transfer:
        """One `struct spi_ioc_transfer`."""
        tx, rx, length, hertz, *_ = _TRANSFER.unpack(data)
        return cls(tx, rx, length, hertz)


@dataclass(frozen=True, slots=True)
class SpiDevice:
    """One device of a bus; its settings stay when it is closed, as the kernel's do."""

    exchange: Exchange
    settings: dict[int, int]

    @classmethod
    def on(cls, exchange: Exchange) -> SpiDevice:
        """A device as it is after the boot: mode 0, 8 bits, 500 kHz."""
        return cls(exchange, {1: 0, 2: 0, 3: 8, 4: 500_000, 5: 0})

    def open(self) -> Opened:
        """Open it once more."""
        return _OpenSpi(self)


class _OpenSpi:
    def __init__(self, device: SpiDevice) -> None:
        self._device = device

    def read(self, size: int) -> bytes:
        return self._made(bytes(size), 0)

    def write(self, data: bytes) -> int:
        self._made(data, 0)
        return len(data)

    def release(self) -> None:
        """Nothing is kept for a caller."""

    def ioctl(self, command: int, argument: int, memory: CallerMemory) -> int:
        direction, size, magic, number = command >> 30, command >> 16 & 0x3FFF, command >> 8 & 0xFF, command & 0xFF
        if magic != _MAGIC:
            raise OSError(errno.ENOTTY, os.strerror(errno.ENOTTY))
        if number == 0 and direction == _WRITE:
            return self._message(argument, size, memory)
        if number not in self._device.settings:
            raise OSError(errno.ENOTTY, os.strerror(errno.ENOTTY))
        if direction == _WRITE:
            self._set(number, int.from_bytes(memory.read(argument, size), "little"))
        else:
            memory.reserve(argument, size)
            memory.ready()
            memory.write(argument, self._device.settings[number].to_bytes(size, "little"))
        return 0

    def _set(self, number: int, value: int) -> None:
        # The mode has two ways in: one byte, and four.
        for each in (1, 5) if number in (1, 5) else (number,):
            self._device.settings[each] = value & 0xFF if each == 1 else value

    def _message(self, argument: int, size: int, memory: CallerMemory) -> int:
        if size % _TRANSFER.size:
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
        described = memory.read(argument, size)
        parts = [described[at : at + _TRANSFER.size] for at in range(0, size, _TRANSFER.size)]
        transfers = [Transfer.unpack(part) for part in parts]
        total = sum(transfer.length for transfer in transfers)
        if total > MOST_IN_A_MESSAGE:
            raise OSError(errno.EMSGSIZE, os.strerror(errno.EMSGSIZE))
        # Room first: what is reserved is asked for together with what is read, which saves an attempt.
        for each in transfers:
            if each.rx:
                memory.reserve(each.rx, each.length)
        sent = [memory.read(each.tx, each.length) if each.tx else bytes(each.length) for each in transfers]
        memory.ready()
        for each, data in zip(transfers, sent, strict=True):
            came = self._made(data, each.hertz)
            if each.rx:
                memory.write(each.rx, came)
        return total

    def _made(self, data: bytes, hertz: int) -> bytes:
        settings = self._device.settings
        return self._device.exchange(data, hertz or settings[4], settings[1] & 0x03)

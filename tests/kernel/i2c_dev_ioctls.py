"""/dev/i2c-N from the inside: its callers' ioctls, to messages on the bus (include/uapi/linux/i2c.h, i2c-dev.h)."""

from __future__ import annotations

import errno
import os
import struct
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from tests.kernel.cuse import CallerMemory, Opened

Send = Callable[[int, bytes], None]
"""What a bus does with a message that is written to an address; an OSError where nobody acknowledges."""

FUNCTIONS: Final = 0x00000001 | 0x0EFF0000
"""What an adapter says that it can do: plain I2C, and SMBus in the words of I2C (I2C_FUNC_SMBUS_EMUL, I2C blocks)."""
_MESSAGES: Final = struct.Struct("<QI4x")
_MESSAGE: Final = struct.Struct("<HHHxxQ")
_SMBUS: Final = struct.Struct("<BBxxIQ")
_M_RD: Final = 0x0001
_BLOCK_BYTES: Final = 34
_MOST_IN_A_BLOCK: Final = 32
_MOST_MESSAGES: Final = 42


class Command(IntEnum):
    """The ioctls."""

    RETRIES = 0x0701
    TIMEOUT = 0x0702
    SLAVE = 0x0703
    FUNCS = 0x0705
    SLAVE_FORCE = 0x0706
    RDWR = 0x0707
    PEC = 0x0708
    SMBUS = 0x0720


class Size(IntEnum):
    """The kinds of SMBus transactions that write."""

    QUICK = 0
    BYTE = 1
    BYTE_DATA = 2
    WORD_DATA = 3
    BLOCK_DATA = 5
    I2C_BLOCK_DATA = 8


@dataclass(frozen=True, slots=True)
class I2cAdapter:
    """A bus on which nobody has anything to say: what is read ends with an error."""

    send: Send

    def open(self) -> Opened:
        """Open it once more."""
        return _OpenI2c(self.send)


class _OpenI2c:
    def __init__(self, send: Send) -> None:
        self._send = send
        self._address = 0

    def read(self, size: int) -> bytes:
        del size
        raise _unsupported()

    def write(self, data: bytes) -> int:
        self._send(self._address, data)
        return len(data)

    def release(self) -> None:
        """Nothing is kept for a caller."""

    def ioctl(self, command: int, argument: int, memory: CallerMemory) -> int:
        match command:
            case Command.SLAVE | Command.SLAVE_FORCE:
                self._address = argument
            case Command.RETRIES | Command.TIMEOUT | Command.PEC:
                pass
            case Command.FUNCS:
                memory.reserve(argument, 8)
                memory.ready()
                memory.write(argument, FUNCTIONS.to_bytes(8, "little"))
            case Command.RDWR:
                return self._messages(argument, memory)
            case Command.SMBUS:
                self._smbus(argument, memory)
            case _:
                raise OSError(errno.ENOTTY, os.strerror(errno.ENOTTY))
        return 0

    def _messages(self, argument: int, memory: CallerMemory) -> int:
        where, count = _MESSAGES.unpack(memory.read(argument, _MESSAGES.size))
        if not 0 < count <= _MOST_MESSAGES:
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
        described = memory.read(where, count * _MESSAGE.size)
        messages = [_MESSAGE.unpack_from(described, at * _MESSAGE.size) for at in range(count)]
        if any(flags & _M_RD for _, flags, _, _ in messages):
            raise _unsupported()
        contents = [memory.read(buffer, length) for _, _, length, buffer in messages]
        for (address, _, _, _), content in zip(messages, contents, strict=True):
            self._send(address, content)
        return len(messages)

    def _smbus(self, argument: int, memory: CallerMemory) -> None:
        reads, code, size, where = _SMBUS.unpack(memory.read(argument, _SMBUS.size))
        if reads:
            raise _unsupported()
        match size:
            case Size.QUICK:
                content = b""
            case Size.BYTE:
                content = bytes([code])
            case Size.BYTE_DATA:
                content = bytes([code]) + memory.read(where, 1)
            case Size.WORD_DATA:
                content = bytes([code]) + memory.read(where, 2)
            case Size.BLOCK_DATA | Size.I2C_BLOCK_DATA:
                block = memory.read(where, _BLOCK_BYTES)
                if block[0] > _MOST_IN_A_BLOCK:
                    raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
                # A block of SMBus tells its length on the wire, one of I2C does not.
                content = bytes([code]) + block[int(size == Size.I2C_BLOCK_DATA) : block[0] + 1]
            case _:
                raise _unsupported()
        self._send(self._address, content)


def _unsupported() -> OSError:
    return OSError(errno.EOPNOTSUPP, os.strerror(errno.EOPNOTSUPP))

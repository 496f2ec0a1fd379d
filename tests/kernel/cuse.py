"""CUSE, the kernel's protocol for character devices that a program makes: bytes of requests to bytes of answers.

include/uapi/linux/fuse.h. A device asks for memory of its caller, and tells what it will write there, before it does
anything: an ioctl may have to be asked again with the memory that it turned out to need.
"""

from __future__ import annotations

import errno
import os
import struct
from enum import IntEnum
from typing import Final, Protocol

READ_SIZE: Final = 1 << 17
"""What is read at once: more than any request."""
MOST_WRITTEN: Final = 1 << 16
_VERSION: Final = (7, 31)
_UNRESTRICTED_IOCTL: Final = 1 << 0
_RETRY: Final = 1 << 2
_IN_HEADER: Final = struct.Struct("<IIQQIIIHH")
_OUT_HEADER: Final = struct.Struct("<IiQ")
_INIT_OUT: Final = struct.Struct("<8I40x")
_IOCTL_IN: Final = struct.Struct("<QIIQII")
_IOCTL_OUT: Final = struct.Struct("<iIII")
_IOVEC: Final = struct.Struct("<QQ")
_READ_OR_WRITE_IN: Final = struct.Struct("<QQIIQII")
_HANDLE: Final = struct.Struct("<QII")
_PAIR: Final = struct.Struct("<II")


class Operation(IntEnum):
    """What the kernel asks for."""

    OPEN = 14
    READ = 15
    WRITE = 16
    RELEASE = 18
    INTERRUPT = 36
    DESTROY = 38
    IOCTL = 39
    POLL = 40
    INIT = 4096


class _Wanted(Exception):
    """Memory is needed that did not come with the request."""


class CallerMemory:
    """The caller's memory as far as it came with an ioctl, and what is to be written there.

    Whoever needs more than came gets it with the next attempt, in the order in which it was asked for.
    """

    def __init__(self, came: bytes, room: int) -> None:
        self._came = came
        self._taken = 0
        self._room = room
        self.wanted_in: list[tuple[int, int]] = []
        self.wanted_out: list[tuple[int, int]] = []
        self._written: dict[int, bytes] = {}

    def read(self, address: int, length: int) -> bytes:
        """What stands there; an ioctl that asks for more than came is begun again with it."""
        self.wanted_in.append((address, length))
        data = self._came[self._taken : self._taken + length]
        self._taken += length
        if len(data) < length:
            raise _Wanted
        return data

    def reserve(self, address: int, length: int) -> None:
        """Say that so much will be written there."""
        self.wanted_out.append((address, length))

    def ready(self) -> None:
        """To be called when all is read and reserved, and before anything is done."""
        if sum(length for _, length in self.wanted_out) != self._room:
            raise _Wanted

    def write(self, address: int, data: bytes) -> None:
        """Write what was reserved, as a whole."""
        if (address, len(data)) not in self.wanted_out:
            raise AssertionError(f"nobody has reserved {len(data)} bytes at {address:#x}")
        self._written[address] = data

    def output(self) -> bytes:
        """All that was written, in the order in which it was reserved."""
        return b"".join(self._written[address] for address, _ in self.wanted_out)


class Opened(Protocol):
    """A device as one caller has it open; what goes wrong is an OSError with its number."""

    def read(self, size: int) -> bytes:
        """What read(2) gets."""

    def write(self, data: bytes) -> int:
        """Take what write(2) sends; how much of it was taken."""

    def ioctl(self, command: int, argument: int, memory: CallerMemory) -> int:
        """Do what an ioctl asks for, and return what it returns."""

    def release(self) -> None:
        """The caller has closed it."""


class Device(Protocol):
    """Something that can be opened."""

    def open(self) -> Opened:
        """Open it once more."""


class Conversation:
    """What the kernel and the program behind a device say to each other."""

    def __init__(self, name: str, device: Device) -> None:
        self._name = name
        self._device = device
        self._opened: dict[int, Opened] = {}
        self._last_handle = 0

    def answer(self, request: bytes) -> bytes | None:
        """The answer to one request; None where the kernel waits for none."""
        _, number, unique, *_ = _IN_HEADER.unpack_from(request)
        body = request[_IN_HEADER.size :]
        if number in (Operation.INTERRUPT, Operation.DESTROY):
            return None
        try:
            answer = self._do(number, body)
        except OSError as error:
            return _OUT_HEADER.pack(_OUT_HEADER.size, -(error.errno or errno.EIO), unique)
        return _OUT_HEADER.pack(_OUT_HEADER.size + len(answer), 0, unique) + answer

    def _do(self, number: int, body: bytes) -> bytes:
        match number:
            case Operation.INIT:
                info = _INIT_OUT.pack(*_VERSION, 0, _UNRESTRICTED_IOCTL, MOST_WRITTEN, MOST_WRITTEN, 0, 0)
                return info + f"DEVNAME={self._name}\0".encode()
            case Operation.OPEN:
                self._last_handle += 1
                self._opened[self._last_handle] = self._device.open()
                return _HANDLE.pack(self._last_handle, 0, 0)
            case Operation.RELEASE:
                self._opened.pop(_handle(body)).release()
                return b""
            case Operation.READ:
                size = _READ_OR_WRITE_IN.unpack_from(body)[2]
                return self._opened[_handle(body)].read(size)
            case Operation.WRITE:
                data = body[_READ_OR_WRITE_IN.size :]
                return _PAIR.pack(self._opened[_handle(body)].write(data), 0)
            case Operation.IOCTL:
                return self._ioctl(body)
            case Operation.POLL:
                return _PAIR.pack(0, 0)
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))

    def _ioctl(self, body: bytes) -> bytes:
        handle, _, command, argument, _, room = _IOCTL_IN.unpack_from(body)
        memory = CallerMemory(body[_IOCTL_IN.size :], room)
        try:
            result = self._opened[handle].ioctl(command, argument, memory)
        except _Wanted:
            vectors = b"".join(_IOVEC.pack(*region) for region in (*memory.wanted_in, *memory.wanted_out))
            return _IOCTL_OUT.pack(0, _RETRY, len(memory.wanted_in), len(memory.wanted_out)) + vectors
        return _IOCTL_OUT.pack(result, 0, 0, 0) + memory.output()


def _handle(body: bytes) -> int:
    return int.from_bytes(body[:8], "little")

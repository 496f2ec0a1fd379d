"""A disk with a volatile cache: what was not flushed when power fails is lost, or written in any order, or torn.

Served over NBD, so that the virtual machine's flushes arrive here. Killing qemu alone would be kind: what a guest has
written into an image file stays in the host's page cache, flushed or not.
"""

from __future__ import annotations

import random
import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import suppress
from enum import IntEnum
from pathlib import Path
from typing import Final

SECTOR: Final = 512
BLOCK: Final = 8
"""Sectors that arrive together or not at all, as flash and today's drives write them; ext4 relies on it as well."""

_OPTIONS_MAGIC: Final = 0x49484156454F5054
_REPLY_MAGIC: Final = 0x3E889045565A9
_REQUEST_MAGIC: Final = 0x25609513
_ANSWER_MAGIC: Final = 0x67446698
_HANDSHAKE_FLAGS: Final = 0b11  # fixed newstyle, no zeroes
_ABORT, _GO = 2, 7
_ACK, _INFO, _UNSUPPORTED = 1, 3, 2**31 + 1
_EXPORT_FLAGS: Final = 0b1101  # has flags, flush, FUA
_FUA: Final = 1
_OK, _INVALID = 0, 22


class Request(IntEnum):
    """What a machine may ask of its disk."""

    READ = 0
    WRITE = 1
    HANG_UP = 2
    FLUSH = 3


class VolatileDisk:
    """Sectors on the platter, and newer ones in a cache that needs power."""

    def __init__(self, file: Path, draw: random.Random) -> None:
        self._file = file.open("r+b", buffering=0)
        self._draw = draw
        self._cache: dict[int, bytes] = {}
        self.size = file.stat().st_size
        self.written = 0
        self.flushes = 0

    def read(self, offset: int, length: int) -> bytes:
        """What was written last, wherever it is."""
        self._file.seek(offset)
        data = bytearray(self._file.read(length))
        for sector in range(offset // SECTOR, (offset + length) // SECTOR):
            if sector in self._cache:
                start = sector * SECTOR - offset
                data[start : start + SECTOR] = self._cache[sector]
        return bytes(data)

    def write(self, offset: int, data: bytes) -> None:
        """Take whole sectors into the cache."""
        self.written += len(data)
        for start in range(0, len(data), SECTOR):
            self._cache[(offset + start) // SECTOR] = data[start : start + SECTOR]

    def flush(self) -> None:
        """Put everything on the platter."""
        self.flushes += 1
        self._put(self._cache)
        self._cache = {}

    def lose_power(self) -> int:
        """Forget the cache, but for some blocks that happened to be on their way; how many were lost."""
        kept = {block: self._draw.random() < 0.5 for block in sorted({sector // BLOCK for sector in self._cache})}
        arrived = {sector: data for sector, data in self._cache.items() if kept[sector // BLOCK]}
        lost = len(self._cache) - len(arrived)
        self._put(arrived)
        self._cache = {}
        return lost

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    def _put(self, sectors: dict[int, bytes]) -> None:
        for sector, data in sectors.items():
            self._file.seek(sector * SECTOR)
            self._file.write(data)


class DiskServer:
    """Serves one disk to one machine after the other, on a socket in a file."""

    def __init__(self, disk: VolatileDisk, path: Path) -> None:
        self._disk = disk
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(str(path))
        self._listening.listen()
        self._idle = threading.Event()
        self._idle.set()
        self._thread = threading.Thread(target=self._serve, name="disk", daemon=True)
        self._thread.start()

    def wait_until_idle(self) -> None:
        """Wait until everything has been done that a machine asked for before it was cut off."""
        self._idle.wait()

    def close(self) -> None:
        """Serve nobody any more."""
        # A thread that waits for a connection is not woken by closing the socket alone.
        with suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        self._thread.join()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._listening.accept()
            except OSError:
                return
            self._idle.clear()
            # The machine is cut off in mid-sentence.
            with connection, suppress(ConnectionError):
                _Conversation(connection, self._disk).hold()
            self._idle.set()


class _Conversation:
    """NBD as qemu speaks it: fixed newstyle negotiation, simple answers.

    https://github.com/NetworkBlockDevice/nbd/blob/master/doc/proto.md
    """

    def __init__(self, connection: socket.socket, disk: VolatileDisk) -> None:
        self._connection = connection
        self._disk = disk

    def hold(self) -> None:
        """Agree, then answer requests until the other side is gone."""
        self._send(b"NBDMAGIC", struct.pack(">QH", _OPTIONS_MAGIC, _HANDSHAKE_FLAGS))
        self._take(4)
        if self._agree():
            for handle, error, data in self._answers():
                self._send(struct.pack(">IIQ", _ANSWER_MAGIC, error, handle), data)

    def _agree(self) -> bool:
        while True:
            _, option, length = struct.unpack(">QII", self._take(16))
            self._take(length)
            if option == _ABORT:
                return False
            if option == _GO:
                self._reply(option, _INFO, struct.pack(">HQH", 0, self._disk.size, _EXPORT_FLAGS))
                self._reply(option, _ACK)
                return True
            self._reply(option, _UNSUPPORTED)

    def _reply(self, option: int, kind: int, data: bytes = b"") -> None:
        self._send(struct.pack(">QIII", _REPLY_MAGIC, option, kind, len(data)), data)

    def _answers(self) -> Iterator[tuple[int, int, bytes]]:
        while True:
            _, flags, kind, handle, offset, length = struct.unpack(">IHHQQI", self._take(28))
            match kind:
                case Request.READ:
                    yield handle, _OK, self._disk.read(offset, length)
                case Request.WRITE:
                    self._disk.write(offset, self._take(length))
                    if flags & _FUA:
                        self._disk.flush()
                    yield handle, _OK, b""
                case Request.HANG_UP:
                    return
                case Request.FLUSH:
                    self._disk.flush()
                    yield handle, _OK, b""
                case _:
                    yield handle, _INVALID, b""

    def _take(self, length: int) -> bytes:
        taken = b""
        while len(taken) < length:
            some = self._connection.recv(length - len(taken))
            if not some:
                raise ConnectionResetError
            taken += some
        return taken

    def _send(self, *parts: bytes) -> None:
        self._connection.sendall(b"".join(parts))

"""A caller of a device, as the kernel speaks for it: requests of CUSE, with memory that is asked for piece by piece."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field

from tests.kernel.cuse import Conversation, Operation

_HEAD = struct.Struct("<IIQQIIIHH")
_ANSWER = struct.Struct("<IiQ")
_RETRY = 1 << 2


@dataclass
class Caller:
    """A process with memory at addresses; `attempts` counts the requests that its last ioctl took."""

    talk: Conversation
    memory: dict[int, bytearray] = field(default_factory=dict)
    attempts: int = 0
    _unique: int = 0
    _handle: int = 0

    def ask(self, operation: int, body: bytes = b"") -> tuple[int, bytes]:
        """The error number and the body of the answer."""
        self._unique += 2
        length = _HEAD.size + len(body)
        answer = self.talk.answer(_HEAD.pack(length, operation, self._unique, 0, 0, 0, 1, 0, 0) + body)
        assert answer is not None
        length, error, unique = _ANSWER.unpack_from(answer)
        assert (length, unique) == (len(answer), self._unique)
        return -error, answer[_ANSWER.size :]

    def open(self) -> None:
        """open(2)."""
        _, body = self.ask(Operation.OPEN, bytes(8))
        self._handle = int.from_bytes(body[:8], "little")

    def close(self) -> None:
        """close(2)."""
        self.ask(Operation.RELEASE, struct.pack("<QIIQ", self._handle, 0, 0, 0))

    def write(self, data: bytes) -> int:
        """write(2): how much was taken, or a negative error number."""
        error, body = self.ask(Operation.WRITE, struct.pack("<QQIIQII", self._handle, 0, len(data), 0, 0, 0, 0) + data)
        return -error or int.from_bytes(body[:4], "little")

    def read(self, size: int) -> bytes:
        """read(2)."""
        return self.ask(Operation.READ, struct.pack("<QQIIQII", self._handle, 0, size, 0, 0, 0, 0))[1]

    def put(self, address: int, data: bytes) -> int:
        """Have something in memory."""
        self.memory[address] = bytearray(data)
        return address

    def ioctl(self, command: int, argument: int) -> int:
        """ioctl(2) as fs/fuse/ioctl.c carries it out: what it returns, or a negative error number."""
        regions_in: list[tuple[int, int]] = []
        regions_out: list[tuple[int, int]] = []
        for self.attempts in range(1, 10):
            given = b"".join(self._at(*region) for region in regions_in)
            room = sum(length for _, length in regions_out)
            head = struct.pack("<QIIQII", self._handle, 1 << 1, command, argument, len(given), room)
            error, body = self.ask(Operation.IOCTL, head + given)
            if error:
                return -error
            result, flags, count_in, count_out = struct.unpack_from("<iIII", body)
            rest = body[16:]
            if not flags & _RETRY:
                self._store(regions_out, rest)
                return int(result)
            regions = [struct.unpack_from("<QQ", rest, 16 * index) for index in range(count_in + count_out)]
            regions_in, regions_out = regions[:count_in], regions[count_in:]
        raise AssertionError("it asks for ever")

    def _at(self, address: int, length: int) -> bytes:
        return bytes(self.memory[address][:length])

    def _store(self, regions: list[tuple[int, int]], data: bytes) -> None:
        assert len(data) == sum(length for _, length in regions)
        for address, length in regions:
            self.memory[address][:length], data = data[:length], data[length:]

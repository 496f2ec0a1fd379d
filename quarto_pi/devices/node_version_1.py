"""The frames of version 1 of the protocol, which no later one shares: how such a node is found, and replaced."""

from __future__ import annotations

from binascii import crc32
from typing import Final

from quarto_pi.firmware.protocol import FIRST_OF_HOST, HELLO, RESTART, Frame

VERSION: Final = 1
MARK: Final = b"\xa5\x5a"
HEADER: Final = 9
CRC: Final = 4
MOST_BYTES: Final = 1024


def _frame(kind: int, payload: bytes) -> bytes:
    head = MARK + bytes((VERSION, kind, 0, 0)) + len(payload).to_bytes(2, "little")
    whole = head + bytes((sum(head) & 0xFF,)) + payload
    return whole + crc32(whole).to_bytes(CRC, "little")


ASK: Final = _frame(HELLO, bytes(3))
"""Asks a node who it is."""


def restart(how: int) -> bytes:
    """Have a node start again: the firmware, into a state to be replaced, or the bootloader."""
    return _frame(RESTART, bytes((how, 0, 0)))


class FirstReader:
    """Finds what a node of version 1 says in whatever comes in."""

    def __init__(self) -> None:
        self._held = b""

    def feed(self, data: bytes) -> None:
        """Take what has come in."""
        self._held = (self._held + data)[-4 * MOST_BYTES :]

    def next(self) -> Frame | None:
        """The next frame of a node, None until there is a whole one."""
        start = self._held.find(MARK)
        while start >= 0:
            held = self._held[start:]
            end = HEADER + int.from_bytes(held[6:8], "little") + CRC
            is_whole = len(held) >= end and crc32(held[: end - CRC]) == int.from_bytes(held[end - CRC : end], "little")
            if is_whole and held[3] < FIRST_OF_HOST:
                self._held = held[end:]
                return Frame(held[2], held[3], int.from_bytes(held[4:6], "little"), held[HEADER : end - CRC])
            start = self._held.find(MARK, start + 1)
        return None

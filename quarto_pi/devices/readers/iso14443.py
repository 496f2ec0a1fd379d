"""What a reader needs of ISO 14443-A: frames, CRC_A, and how long an exchange takes at 106 kbit/s."""

from __future__ import annotations

from typing import Final

from quarto_pi.firmware.iso14443 import CASCADE_TAG, LEVEL_BYTES

ETU_US: Final = 128 / 13.56
ANSWER_DELAY_US: Final = 1236 / 13.56  # ISO 14443-3, 6.2.1.1, the longer of the two


def _table() -> tuple[int, ...]:
    rows = list(range(256))
    for _ in range(8):
        rows = [row >> 1 ^ (0x8408 if row & 1 else 0) for row in rows]
    return tuple(rows)


_CRC_TABLE: Final = _table()


def crc_a(data: bytes) -> bytes:
    """Return the data's CRC_A, low byte first (annex B)."""
    crc = 0x6363
    for byte in data:
        crc = crc >> 8 ^ _CRC_TABLE[(crc ^ byte) & 0xFF]
    return bytes((crc & 0xFF, crc >> 8))


def with_crc(data: bytes) -> bytes:
    """Return the data followed by its CRC_A."""
    return data + crc_a(data)


def has_crc(data: bytes) -> bool:
    """Return whether the data ends in its own CRC_A."""
    return len(data) > 2 and crc_a(data[:-2]) == data[-2:]


def has_check_byte(level: bytes) -> bool:
    """Return whether four bytes of a UID are followed by their BCC."""
    return len(level) == LEVEL_BYTES and level[0] ^ level[1] ^ level[2] ^ level[3] == level[4]


def sending_us(byte_count: int, last_bits: int = 0) -> int:
    """Return how long a frame is on the air: a start bit, and nine bits a byte."""
    bits = (byte_count - 1) * 9 + last_bits if last_bits else byte_count * 9
    return round((1 + bits) * ETU_US)


def exchange_us(sent_bytes: int, last_bits: int, answer_bytes: int) -> int:
    """Return how long a frame and its full answer take."""
    return round(sending_us(sent_bytes, last_bits) + ANSWER_DELAY_US + (1 + answer_bytes * 9) * ETU_US)


HALT: Final = with_crc(b"\x50\x00")


def levels_of(uid: bytes) -> tuple[bytes, ...]:
    """Return a UID as its cascade levels, each with its check byte (6.5.4)."""
    parts = []
    while len(uid) > 4:
        parts.append(bytes((CASCADE_TAG,)) + uid[:3])
        uid = uid[3:]
    parts.append(uid)
    return tuple(part + bytes((part[0] ^ part[1] ^ part[2] ^ part[3],)) for part in parts)

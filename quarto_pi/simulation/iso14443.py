"""Frames, checks and timing of ISO 14443-A at 106 kbit/s, as the tags of the simulation know them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

CARRIER_HZ: Final = 13_560_000
NS: Final = 1_000_000_000
ETU_NS: Final = 128 * NS / CARRIER_HZ
FDT_LAST_ONE_NS: Final = 1236 * NS // CARRIER_HZ  # ISO 14443-3, 6.2.1.1: the last bit sent was a 1
FDT_LAST_ZERO_NS: Final = 1172 * NS // CARRIER_HZ
FDT_TO_READER_NS: Final = 1172 * NS // CARRIER_HZ  # 6.2.1.2: from a tag's answer to the next frame
GUARD_NS: Final = 5_100_000  # from field on to the first frame a tag understands

REQA: Final = 0x26
WUPA: Final = 0x52
HLTA: Final = b"\x50\x00"
SELECT_LEVELS: Final = (0x93, 0x95, 0x97)
CASCADE_TAG: Final = 0x88
SAK_CASCADE: Final = 0x04
SHORT_FRAME_BITS: Final = 7


def crc_a(data: bytes, preset: int = 0x6363) -> bytes:
    """Return the two bytes of CRC_A over the data, low byte first (ISO 14443-3, annex B)."""
    crc = preset
    for byte in data:
        for position in range(8):
            feedback = (crc ^ (byte >> position)) & 1
            crc >>= 1
            if feedback:
                crc ^= 0x8408
    return bytes((crc & 0xFF, crc >> 8))


def check_byte(part: bytes) -> int:
    """Return the BCC of four UID bytes: their exclusive or."""
    bcc = 0
    for byte in part:
        bcc ^= byte
    return bcc


@dataclass(frozen=True, slots=True)
class Frame:
    """Bits on the air: bytes, the first of which starts at bit `skip`, the last of which has `last_bits` (0: all)."""

    data: bytes
    last_bits: int = 0
    skip: int = 0

    @property
    def bit_count(self) -> int:
        """Return the number of data bits, without start and parity bits."""
        full = len(self.data) - (1 if self.last_bits else 0)
        return full * 8 + self.last_bits - self.skip

    @property
    def duration_ns(self) -> int:
        """Return the time on the air: a start bit, the data bits, a parity bit after each completed byte."""
        parity_bits = len(self.data) - (1 if self.last_bits else 0)
        return int((1 + self.bit_count + parity_bits) * ETU_NS)

    @property
    def answer_delay_ns(self) -> int:
        """Return the frame delay time after which a tag answers this frame; it hangs on the last bit sent."""
        if not self.data:
            return FDT_LAST_ZERO_NS
        last_bit = (self.last_bits or 8) - 1
        if self.last_bits == 0:
            # the frame ends in the odd parity of its last byte
            return FDT_LAST_ZERO_NS if self.data[-1].bit_count() % 2 else FDT_LAST_ONE_NS
        return FDT_LAST_ONE_NS if self.data[-1] >> last_bit & 1 else FDT_LAST_ZERO_NS

    def bits(self) -> list[int]:
        """Return the data bits in the order of the air."""
        every = [byte >> position & 1 for byte in self.data for position in range(8)]
        return every[self.skip : self.skip + self.bit_count]

"""What a reader needs of ISO 14443-A, in whole microseconds.

The host takes the numbers from here; what is worked out with them here is so without allocating.
"""

from array import array

ANSWER_DELAY_US = 91  # ISO 14443-3, 6.2.1.1, the longer of the two
GAP_US = 87  # 6.2.1.2: 1172/fc from an answer to the next frame, rounded up
GUARD_US = 5_100  # from field on to the first frame

REQA = 0x26
WUPA = 0x52
SELECT_ALL = 0x70  # NVB: all 40 bits of a level follow
NOTHING_KNOWN = 0x20  # NVB: no bit of the UID follows
LEVELS = (0x93, 0x95, 0x97)
CASCADE_TAG = 0x88
CASCADE_BIT = 0x04  # in SAK: the UID goes on in the next level
SHORT_FRAME_BITS = 7

ATQA_BYTES = 2
LEVEL_BYTES = 5
SAK_BYTES = 3


def _table() -> "array[int]":
    rows = array("H", range(256))
    for index in range(256):
        row = index
        for _ in range(8):
            row = row >> 1 ^ (0x8408 if row & 1 else 0)
        rows[index] = row
    return rows


CRC_TABLE = _table()
CRC_FIRST = 0x6363


def crc_a(data: bytearray, start: int, end: int) -> int:
    """Return the CRC_A of these bytes (annex B): from `CRC_FIRST` on, `CRC_TABLE` by the low byte each time."""
    crc = CRC_FIRST
    for index in range(start, end):
        crc = crc >> 8 ^ CRC_TABLE[(crc ^ data[index]) & 0xFF]
    return crc


def sending_us(byte_count: int, last_bits: int) -> int:
    """Return how long a frame is on the air: a start bit, and nine bits a byte of 9.44 us each."""
    bits = (byte_count - 1) * 9 + last_bits if last_bits else byte_count * 9
    return ((1 + bits) * 12800 + 678) // 1356


def exchange_us(sent_bytes: int, last_bits: int, answer_bytes: int) -> int:
    """Return how long a frame and its full answer take."""
    return sending_us(sent_bytes, last_bits) + ANSWER_DELAY_US + sending_us(answer_bytes, 0)

"""An ISO 14443-A tag as the state machine of part 3, section 6.3."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

# --- Frames, checks and timing of ISO 14443-A at 106 kbit/s, as the tags of the simulation know them ------------------

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
CASCADE_BYTE: Final = 0x88
SAK_CASCADE: Final = 0x04
BITS_OF_SHORT_FRAME: Final = 7


def crc_of_frame(data: bytes, preset: int = 0x6363) -> bytes:
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


# --- An ISO 14443-A tag as the state machine of part 3, section 6.3 ---------------------------------------------------


class TagState(Enum):
    """The states of a tag; READY and ACTIVE remember whether they were reached from HALT."""

    POWER_OFF = auto()
    IDLE = auto()
    READY = auto()
    ACTIVE = auto()
    HALT = auto()


class Tag:
    """A tag with a UID of 4, 7 or 10 bytes that knows everything up to SELECT and HLTA."""

    def __init__(self, uid: str, *, atqa: int | None = None, sak: int | None = None) -> None:
        self.uid = bytes.fromhex(uid)
        if len(self.uid) not in (4, 7, 10):
            raise ValueError(f"a UID has 4, 7 or 10 bytes, {uid!r} has {len(self.uid)}")
        longer = len(self.uid) > 4
        # NTAG21x, 8.5 and 9: ATQA 0x0044, SAK 0x00; MIFARE Classic 1K: ATQA 0x0004, SAK 0x08
        self.atqa = atqa if atqa is not None else (0x0044 if longer else 0x0004)
        self.sak = sak if sak is not None else (0x00 if longer else 0x08)
        self.parts = self._cascade_parts()
        self.state = TagState.POWER_OFF
        self._level = 0
        self._woken_from_halt = False
        self._powered_at = 0
        self._guard_ns = GUARD_NS
        self._answer_ends_at = -FDT_TO_READER_NS

    def _cascade_parts(self) -> tuple[bytes, ...]:
        # 6.5.4: all levels but the last carry the cascade tag and three bytes
        levels = (len(self.uid) - 1) // 3
        parts = [bytes((CASCADE_BYTE,)) + self.uid[3 * level : 3 * level + 3] for level in range(levels - 1)]
        parts.append(self.uid[-4:])
        return tuple(part + bytes((check_byte(part),)) for part in parts)

    @property
    def is_powered(self) -> bool:
        """Return whether a field reaches the tag."""
        return self.state is not TagState.POWER_OFF

    def power_up(self, at: int, guard_ns: int = GUARD_NS) -> None:
        """Start in IDLE when a field reaches the tag; it understands nothing before the guard time is over."""
        self._guard_ns = guard_ns
        self.state = TagState.IDLE
        self._level = 0
        self._woken_from_halt = False
        self._powered_at = at

    def power_down(self) -> None:
        """Forget everything when the last field is gone."""
        self.state = TagState.POWER_OFF

    def hear(self, frame: Frame, starts_at: int, late_ns: int = 0) -> Frame | None:
        """Take a frame from a reader and return the answer, None for silence; it may come late."""
        if self.state is TagState.POWER_OFF or starts_at - self._powered_at < self._guard_ns:
            return None
        if starts_at - self._answer_ends_at < FDT_TO_READER_NS:
            return None
        answer = self._react(frame)
        if answer is not None:
            first_bit_at = starts_at + frame.duration_ns + frame.answer_delay_ns + late_ns
            self._answer_ends_at = first_bit_at + answer.duration_ns
        return answer

    def _react(self, frame: Frame) -> Frame | None:
        if frame.last_bits == BITS_OF_SHORT_FRAME and len(frame.data) == 1:
            return self._on_short(frame.data[0])
        handler: Callable[[Frame], Frame | None]
        match self.state:
            case TagState.READY:
                handler = self._on_cascade
            case TagState.ACTIVE:
                handler = self._on_active
            case _:
                return None
        return handler(frame)

    def _on_short(self, command: int) -> Frame | None:
        if self.state is TagState.IDLE and command in (REQA, WUPA):
            self._woken_from_halt = False
        elif self.state is TagState.HALT and command == WUPA:
            self._woken_from_halt = True
        else:
            # READY and ACTIVE take a second call as an error and fall silent (6.3, figure 7)
            return self._fall_back()
        self.state = TagState.READY
        self._level = 0
        return Frame(self.atqa.to_bytes(2, "little"))

    def _on_cascade(self, frame: Frame) -> Frame | None:
        if len(frame.data) < 2 or frame.data[0] != SELECT_LEVELS[self._level]:
            return self._fall_back()
        nvb = frame.data[1]
        if nvb == 0x70:
            return self._on_select(frame)
        known_bits = ((nvb >> 4) - 2) * 8 + (nvb & 0x07)
        if known_bits < 0 or frame.bit_count != 16 + known_bits:
            return self._fall_back()
        part = self.parts[self._level]
        wanted = Frame(part).bits()[:known_bits]
        if frame.bits()[16:] != wanted:
            return None
        # the answer goes on in the middle of a byte where the reader's part ended (6.5.3.3)
        return Frame(part[known_bits // 8 :], skip=known_bits % 8)

    def _on_select(self, frame: Frame) -> Frame | None:
        part = self.parts[self._level]
        body = frame.data[:7]
        if len(frame.data) != 9 or frame.last_bits or crc_of_frame(body) != frame.data[7:] or body[2:] != part:
            return self._fall_back()
        self._level += 1
        if self._level == len(self.parts):
            self.state = TagState.ACTIVE
            sak = bytes((self.sak,))
        else:
            sak = bytes((SAK_CASCADE,))
        return Frame(sak + crc_of_frame(sak))

    def _on_active(self, frame: Frame) -> Frame | None:
        if frame.data == HLTA + crc_of_frame(HLTA):
            self.state = TagState.HALT
            return None
        return self._fall_back()

    def _fall_back(self) -> Frame | None:
        if self.state in (TagState.READY, TagState.ACTIVE):
            self.state = TagState.HALT if self._woken_from_halt else TagState.IDLE
        self._level = 0
        return None

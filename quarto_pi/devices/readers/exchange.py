"""One frame and its answer, as steps that say when they want to go on; and what ISO 14443-A says of frames."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Final, TypeVar

from quarto_pi.clock import Clock
from quarto_pi.devices.readers.chip import AnswerKind, Chip, FrameAnswer
from quarto_pi.devices.readers.health import Version
from quarto_pi.firmware.iso14443 import ATQA_BYTES, CASCADE_TAG, GAP_US, LEVEL_BYTES, SHORT_FRAME_BITS

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


T = TypeVar("T")
Steps = Generator[int, None, T]
"""A task that yields the microsecond at which it wants to be resumed."""

# What a transfer takes at the least before its first byte. It is begun so much ahead of the moment it is meant for.
LEAD_US: Final = 5
# A chip may need 25 us from the last bit of an answer to the FIFO's level. The look is begun so late that the level,
# the fourth byte of the look, is read after that, with 2 us for what is lost in rounding.
LATENCY_US: Final = 25
LOOK_AFTER_US: Final = LATENCY_US + 2 - LEAD_US
# An answer that is not whole by then is waited for, in looks that take nothing but what is there.
RECHECK_US: Final = 60
RECHECKS: Final = 4
AFTER_HALT_US: Final = 100
_PROVES_SENT: Final = frozenset({AnswerKind.DATA, AnswerKind.COLLISION, AnswerKind.SILENCE, AnswerKind.GARBLED})


class Dialogue:
    """The exchanges with the tags in one chip's field, with the gaps kept that the standard asks for."""

    def __init__(self, chip: Chip, clock: Clock) -> None:
        self._chip = chip
        self._clock = clock
        self._air_is_free_at = 0
        self._is_over = False

    def call(self, command: int, *, loaded: bool = False, audit: bool = False) -> Steps[FrameAnswer]:
        """Begin anew with REQA or WUPA; `loaded` says that it is in the FIFO already."""
        if not loaded:
            self.load_call(command)
        frame = bytes((command,))
        return (yield from self._exchange(frame, ATQA_BYTES, SHORT_FRAME_BITS, audit=audit))

    def load_call(self, command: int) -> None:
        """Make a REQA or WUPA ready to be sent."""
        self._chip.prepare(bytes((command,)), SHORT_FRAME_BITS)

    def next(self, frame: bytes, answer_bytes: int, *, last_bits: int = 0, align: int = 0) -> Steps[FrameAnswer]:
        """Go on with a further frame after an answer."""
        if self._is_over or self._chip.wants_command_again:
            self._chip.prepare(frame, last_bits)
            return (yield from self._exchange(frame, answer_bytes, last_bits, align))
        self._chip.load(frame)
        answer = yield from self._exchange_once(frame, answer_bytes, last_bits, align)
        unsent = answer.kind is AnswerKind.UNSENT
        if unsent:
            self._chip.prepare(frame, last_bits)
            answer = yield from self._exchange_once(frame, answer_bytes, last_bits, align)
        if answer.kind in _PROVES_SENT:
            self._chip.note_further_frame(sent=not unsent)
        return answer

    def _exchange(
        self, frame: bytes, answer_bytes: int, last_bits: int, align: int = 0, *, audit: bool = False
    ) -> Steps[FrameAnswer]:
        """Send a frame that is prepared; one that stays in the FIFO has lost its start on the bus, and gets another."""
        answer = yield from self._exchange_once(frame, answer_bytes, last_bits, align, audit=audit)
        if answer.kind is AnswerKind.UNSENT:
            self._chip.prepare(frame, last_bits)
            answer = yield from self._exchange_once(frame, answer_bytes, last_bits, align)
        return answer

    def _exchange_once(
        self, frame: bytes, answer_bytes: int, last_bits: int, align: int, *, audit: bool = False
    ) -> Steps[FrameAnswer]:
        if self._clock.now() < self._air_is_free_at:
            yield self._air_is_free_at
        self._chip.start(last_bits, align)
        ends_at = self._clock.now() + exchange_us(len(frame), last_bits, answer_bytes)
        self._air_is_free_at = ends_at + GAP_US
        yield ends_at + LOOK_AFTER_US
        answer = self._chip.answer(answer_bytes, audit=audit)
        for _ in range(RECHECKS):
            if answer.kind is not AnswerKind.PENDING:
                break
            yield self._clock.now() + RECHECK_US
            self._air_is_free_at = self._clock.now() + GAP_US
            answer = self._chip.more(answer_bytes, answer.partial)
        if answer.kind is AnswerKind.PENDING:
            answer = self._chip.concluded(answer_bytes, answer.partial)
        # only after a whole answer does the chip wait for a further frame, with no time-out left to be read
        self._is_over = answer.kind not in (AnswerKind.DATA, AnswerKind.COLLISION)
        return answer

    def halt(self) -> Steps[None]:
        """Send the active tag to sleep; it answers nothing to that (ISO 14443-3, 6.4.3)."""
        if self._chip.may_want_command_again:
            self._chip.prepare(HALT)
        else:
            self._chip.load(HALT)
        if self._clock.now() < self._air_is_free_at:
            yield self._air_is_free_at
        self._chip.start()
        ends_at = self._clock.now() + sending_us(len(HALT))
        self._air_is_free_at = ends_at + AFTER_HALT_US
        yield ends_at - LEAD_US


# --- Bringing a chip up: reset, wait, version, registers - in steps, so that nobody waits for it ----------------------

RESET_US: Final = 200  # datasheet 8.8.2: 38 us, and some for clones
RECHECK_AFTER_RESET_US: Final = 1_000
GIVE_UP_US: Final = 50_000


def revive(chip: Chip, clock: Clock, done: Callable[[Version], None]) -> Steps[None]:
    """Reset and configure a chip and report its version, NO_CHIP if it does not come up as it should."""
    try:
        version = yield from _bring_up(chip, clock)
    except OSError:
        version = Version.NO_CHIP
    done(version)


def _bring_up(chip: Chip, clock: Clock) -> Steps[Version]:
    chip.soft_reset()
    give_up_at = clock.now() + GIVE_UP_US
    yield clock.now() + RESET_US
    # A chip that holds its line low until it is up reads like one that is awake and has no version.
    while not chip.is_awake() or (version := Version.of(chip.version())) is Version.NO_CHIP:
        if clock.now() >= give_up_at:
            return Version.NO_CHIP
        yield clock.now() + RECHECK_AFTER_RESET_US
    chip.configure()
    return version if chip.holds_configuration() and chip.field_off() else Version.NO_CHIP

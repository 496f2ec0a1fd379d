"""One frame and its answer, with the gaps between frames that the standard asks for.

As `quarto_pi.devices.readers.exchange`, but nothing is allocated: what came is left in the chip's attributes, and
what was wrong with it in `fault`.
"""

from time import sleep_us, ticks_add, ticks_diff, ticks_us

from quarto_pi.firmware.iso14443 import (
    ATQA_BYTES,
    GAP_US,
    REQA,
    SHORT_FRAME_BITS,
    WUPA,
    crc_a,
    exchange_us,
    sending_us,
)
from quarto_pi.firmware.protocol import BROKEN_OFF, CHECK, CONFIGURATION, NO_ANSWER, NO_CHIP, RECEPTION, RESET
from quarto_pi.firmware.rc522 import COLLISION, DATA, FIFO_WRITE, GARBLED, PENDING, SILENCE, STARTS, Chip

LATE_US = 20
"""How long after the end of an answer it is looked at, besides the 5 us that a transfer takes to begin at the least."""
RECHECK_US = 60
RECHECKS = 4
AFTER_HALT_US = 100
MOST_SENT = 9  # bytes of a frame

CALL_WUPA = bytes((FIFO_WRITE, WUPA))
CALL_REQA = bytes((FIFO_WRITE, REQA))
_CALL_US = exchange_us(1, SHORT_FRAME_BITS, ATQA_BYTES)
_HALT_US = sending_us(4, 0)
_WHOLE = STARTS[0]


def _halt() -> bytes:
    frame = bytearray((FIFO_WRITE, 0x50, 0x00, 0, 0))
    crc = crc_a(frame, 1, 3)
    frame[3] = crc & 0xFF
    frame[4] = crc >> 8
    return bytes(frame)


_HALT = _halt()

# by what an answer turned out to be: data, silence, collision, garbled, pending, reset, no chip, misconfigured
_FAULT_BY_ANSWER = (CHECK, BROKEN_OFF, RECEPTION, RECEPTION, NO_ANSWER, RESET, NO_CHIP, CONFIGURATION)
# made once: a tuple of names is a new one each time it is come by
_CLEAR = (DATA, SILENCE, COLLISION)
_UNCLEAR = (GARBLED, PENDING)


def wait_until(moment: int) -> None:
    """Let the time pass up to a moment of `ticks_us`."""
    left = ticks_diff(moment, ticks_us())
    if left > 0:
        sleep_us(left)


class Dialogue:
    """The exchanges with the tags in one chip's field; a frame to be sent is written into `frame` from 1 on."""

    def __init__(self) -> None:
        self.chip: Chip | None = None
        self.frame = bytearray(1 + MOST_SENT)
        self.frame[0] = FIFO_WRITE
        self.fault = 0
        # a view of every length, because making one would allocate memory
        self._frames = [memoryview(self.frame)[: 1 + length] for length in range(1 + MOST_SENT)]
        self._air_is_free_at = 0

    def begin(self, chip: Chip) -> None:
        """Talk to the tags in this chip's field from now on."""
        self.chip = chip
        self._air_is_free_at = ticks_us()

    def call(self, call: bytes, loaded: bool) -> int:
        """Begin anew with REQA or WUPA; `loaded` says that it is in the FIFO already."""
        chip = self.chip
        if not loaded:
            chip.prepare(call)
            wait_until(self._air_is_free_at)
        kind = self._answer(chip.start_call(), _CALL_US, ATQA_BYTES)
        if kind not in _CLEAR:
            self.blame(kind)
        return kind

    def next(self, length: int, answer_bytes: int, bits: int) -> int:
        """Go on with the frame in `frame`; its last byte has so many bits, and the answer begins behind them."""
        return self.ask(self._frames[length], exchange_us(length, bits, answer_bytes), answer_bytes, STARTS[bits])

    def ask(self, frame: bytearray, air_us: int, answer_bytes: int, start: bytes = _WHOLE) -> int:
        """Go on with a frame that is ready with its `FIFO_WRITE`; it and its answer are so long on the air."""
        chip = self.chip
        kind = self._answer(chip.send(frame, start, self._air_is_free_at), air_us, answer_bytes)
        if kind in _UNCLEAR and not chip.wants_command_again and chip.has_stopped():
            kind = self._answer(chip.send(frame, start, self._air_is_free_at), air_us, answer_bytes)
        return kind

    def begin_halt(self) -> None:
        """Begin to send the active tag to sleep; it answers nothing to that (ISO 14443-3, 6.4.3)."""
        began_at = self.chip.send(_HALT, _WHOLE, self._air_is_free_at)
        self._air_is_free_at = ticks_add(began_at, _HALT_US + AFTER_HALT_US)

    def end_halt(self) -> None:
        """Wait until that has been sent."""
        wait_until(ticks_add(self._air_is_free_at, -AFTER_HALT_US))

    def blame(self, kind: int) -> bool:
        """Note what is wrong with an answer that cannot be used; False, for whoever returns how it went."""
        # an answer that broke off in the middle was received badly
        self.fault = RECEPTION if kind == PENDING and self.chip.got else _FAULT_BY_ANSWER[kind]
        return False

    def _answer(self, began_at: int, air_us: int, wanted: int) -> int:
        """Wait for the answer to a frame, and look at it until it is complete."""
        chip = self.chip
        ends_at = ticks_add(began_at, air_us)
        left = ticks_diff(ends_at, ticks_us()) + LATE_US
        if left > 0:
            sleep_us(left)
        kind = chip.answer(wanted, False)
        looks = 0
        while kind == PENDING and looks < RECHECKS:
            sleep_us(RECHECK_US)
            ends_at = ticks_us()
            looks += 1
            kind = chip.answer(wanted, looks == RECHECKS)
        self._air_is_free_at = ticks_add(ends_at, GAP_US)
        return kind

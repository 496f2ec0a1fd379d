"""One frame and its answer, with the gaps between frames that the standard asks for.

As `quarto_pi.devices.exchange`, but nothing is allocated: what came is left in the chip's attributes, and what was
wrong with it in `fault`.
"""

from time import sleep_us, ticks_add, ticks_diff, ticks_us

from quarto_pi.firmware.iso14443 import (
    ATQA_BYTES,
    GAP_US,
    SHORT_FRAME_BITS,
    crc_a,
    exchange_us,
    sending_us,
)
from quarto_pi.firmware.protocol import BROKEN_OFF, CHECK, CONFIGURATION, NO_ANSWER, NO_CHIP, RECEPTION, RESET
from quarto_pi.firmware.rc522 import COLLISION, DATA, PENDING, SILENCE, Chip

LEAD_US = 20  # what a transfer takes at the least before its first byte
RECHECK_US = 60
RECHECKS = 4
AFTER_HALT_US = 100

# by what an answer turned out to be: data, silence, collision, garbled, pending, reset, no chip, misconfigured
_FAULT_BY_ANSWER = (CHECK, BROKEN_OFF, RECEPTION, RECEPTION, NO_ANSWER, RESET, NO_CHIP, CONFIGURATION)
# made once: a tuple of names is a new one each time it is come by
_CLEAR = (DATA, SILENCE, COLLISION)


def wait_until(moment: int) -> None:
    """Let the time pass up to a moment of `ticks_us`."""
    left = ticks_diff(moment, ticks_us())
    if left > 0:
        sleep_us(left)


class Dialogue:
    """The exchanges with the tags in one chip's field; a frame to be sent is written into `frame`."""

    def __init__(self) -> None:
        self.chip: Chip | None = None
        self.frame = bytearray(16)
        self.fault = 0
        self._audit = False
        self._air_is_free_at = 0

    def begin(self, chip: Chip, audit: bool) -> None:
        """Talk to the tags in this chip's field from now on; `audit` has the first answer looked at more closely."""
        self.chip = chip
        self._audit = audit
        self._air_is_free_at = ticks_us()

    def call(self, command: int, loaded: bool) -> int:
        """Begin anew with REQA or WUPA; `loaded` says that it is in the FIFO already."""
        if not loaded:
            self.chip.prepare(command, SHORT_FRAME_BITS)
        audit = self._audit
        self._audit = False
        kind = self._exchange(1, ATQA_BYTES, SHORT_FRAME_BITS, 0, audit)
        if kind not in _CLEAR:
            self.blame(kind)
        return kind

    def next(self, length: int, answer_bytes: int, bits: int) -> int:
        """Go on with a further frame; its last byte has so many bits, and the answer begins behind them."""
        self.chip.load(self.frame, length)
        return self._exchange(length, answer_bytes, bits, bits, False)

    def halt(self) -> None:
        """Send the active tag to sleep; it answers nothing to that (ISO 14443-3, 6.4.3)."""
        frame = self.frame
        frame[0] = 0x50
        frame[1] = 0x00
        crc = crc_a(frame, 0, 2)
        frame[2] = crc & 0xFF
        frame[3] = crc >> 8
        self.chip.load(frame, 4)
        wait_until(self._air_is_free_at)
        self.chip.start(0, 0)
        ends_at = ticks_add(ticks_us(), sending_us(4, 0))
        self._air_is_free_at = ticks_add(ends_at, AFTER_HALT_US)
        wait_until(ticks_add(ends_at, -LEAD_US))

    def blame(self, kind: int) -> bool:
        """Note what is wrong with an answer that cannot be used; False, for whoever returns how it went."""
        # an answer that broke off in the middle was received badly
        self.fault = RECEPTION if kind == PENDING and self.chip.got else _FAULT_BY_ANSWER[kind]
        return False

    def _exchange(self, sent: int, wanted: int, last_bits: int, align: int, audit: bool) -> int:
        chip = self.chip
        wait_until(self._air_is_free_at)
        chip.start(last_bits, align)
        ends_at = ticks_add(ticks_us(), exchange_us(sent, last_bits, wanted))
        self._air_is_free_at = ticks_add(ends_at, GAP_US)
        wait_until(ticks_add(ends_at, -LEAD_US))
        kind = chip.answer(wanted, 0, audit)
        tries = 0
        while kind == PENDING and tries < RECHECKS:
            sleep_us(RECHECK_US)
            self._air_is_free_at = ticks_add(ticks_us(), GAP_US)
            kind = chip.answer(wanted, chip.got, False)
            tries += 1
        if kind == PENDING:
            chip.distrust_fifo()
        return kind

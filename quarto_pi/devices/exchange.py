"""One frame and its answer, as steps that say when they want to go on instead of waiting."""

from __future__ import annotations

from collections.abc import Generator
from typing import Final, TypeVar

from quarto_pi.clock import Clock
from quarto_pi.devices.chip import Answer, AnswerKind, Chip
from quarto_pi.devices.iso14443 import ATQA_BYTES, GAP_US, HALT, SHORT_FRAME_BITS, exchange_us, sending_us

T = TypeVar("T")
Steps = Generator[int, None, T]
"""A task that yields the microsecond at which it wants to be resumed."""

# What a transfer takes at the least before its first byte. It is begun so much ahead of the moment it is meant for:
# an answer that is not complete by then is looked at again.
LEAD_US: Final = 20
RECHECK_US: Final = 60
RECHECKS: Final = 4
AFTER_HALT_US: Final = 100


class Dialogue:
    """The exchanges with the tags in one chip's field, with the gaps kept that the standard asks for."""

    def __init__(self, chip: Chip, clock: Clock) -> None:
        self._chip = chip
        self._clock = clock
        self._air_is_free_at = 0

    def call(self, command: int, *, loaded: bool = False, audit: bool = False) -> Steps[Answer]:
        """Begin anew with REQA or WUPA; `loaded` says that it is in the FIFO already."""
        if not loaded:
            self.load_call(command)
        return (yield from self._exchange(1, ATQA_BYTES, last_bits=SHORT_FRAME_BITS, audit=audit))

    def load_call(self, command: int) -> None:
        """Make a REQA or WUPA ready to be sent."""
        self._chip.prepare(bytes((command,)), SHORT_FRAME_BITS)

    def next(self, frame: bytes, answer_bytes: int, *, last_bits: int = 0, align: int = 0) -> Steps[Answer]:
        """Go on with a further frame after an answer."""
        self._chip.load(frame)
        return (yield from self._exchange(len(frame), answer_bytes, last_bits=last_bits, align=align))

    def _exchange(
        self, sent_bytes: int, answer_bytes: int, *, last_bits: int = 0, align: int = 0, audit: bool = False
    ) -> Steps[Answer]:
        if self._clock.now() < self._air_is_free_at:
            yield self._air_is_free_at
        self._chip.start(last_bits, align)
        ends_at = self._clock.now() + exchange_us(sent_bytes, last_bits, answer_bytes)
        self._air_is_free_at = ends_at + GAP_US
        yield ends_at - LEAD_US
        answer = self._chip.answer(answer_bytes, audit=audit)
        for _ in range(RECHECKS):
            if answer.kind is not AnswerKind.PENDING:
                break
            yield self._clock.now() + RECHECK_US
            self._air_is_free_at = self._clock.now() + GAP_US
            answer = self._chip.answer(answer_bytes - len(answer.data), answer.data)
        if answer.kind is AnswerKind.PENDING:
            self._chip.distrust_fifo()
        return answer

    def halt(self) -> Steps[None]:
        """Send the active tag to sleep; it answers nothing to that (ISO 14443-3, 6.4.3)."""
        self._chip.load(HALT)
        if self._clock.now() < self._air_is_free_at:
            yield self._air_is_free_at
        self._chip.start()
        ends_at = self._clock.now() + sending_us(len(HALT))
        self._air_is_free_at = ends_at + AFTER_HALT_US
        yield ends_at - LEAD_US

"""One MFRC522, built on the `mfrc522` package, version 0.0.7.

Kept from its `MFRC522.py`, because it is sound:

- 32-72, 75-124: the names and numbers of commands and registers;
- 158-163: the wire format of a register, for the writes and reads that need only one.

Replaced, and why:

- 128-153: one select line by bus and device, a log handler per instance, a reset pin of its own: the bank has one
  bus, a decoder, and resets by command;
- 155: returns before the chip is up: `soft_reset` and `is_awake` leave the waiting to the caller;
- 158-163 for anything longer: one register per transfer: bursts read several registers or the FIFO at once;
- 167: `GPIO.cleanup()` frees every pin of the process: the bank closes its own;
- 177-180, 425: the antenna stays on: fields go on and off by the plan, with plain writes, since all bits are known;
- 219: an empty poll spins 2000 times, because `~` is no `not`: the timer's interrupt ends it, and the timer is set
  to what a tag needs (lines 418-421 wait 15.5 ms);
- 239-245: reads an empty FIFO, or cuts a full one: what counts is the level read before it;
- 261: a dead reader looks like an empty square: the answer carries TxControlReg, which proves chip and field alive;
- 266-308: level 1 only, an IndexError when nothing answers, a CRC that may time out: see `polling`, and `iso14443`
  for the CRC, which costs no transfer there;
- 415-425: no version check, nothing read back: `configure` and `holds_configuration`.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import Final, Protocol

try:
    from mfrc522 import MFRC522
except RuntimeError as error:
    # RPi.GPIO, which mfrc522 asks for, looks for a Pi at once.
    raise ImportError(str(error), name="RPi.GPIO") from error

from quarto_pi.devices.readers.health import NOTHING_HIGH, NOTHING_LOW, Gain

IRQ_ALL: Final = 0x7F  # ComIrqReg (datasheet 9.3.1.5), bit 7 clear: clear the marked
IRQ_TIMER: Final = 0x01
ERROR_COLLISION: Final = 0x08  # ErrorReg (9.3.1.7)
ERROR_ANY: Final = 0x1F  # overflow, collision, CRC, parity, protocol
POWER_DOWN: Final = 0x10  # CommandReg (9.3.1.2)
FIFO_FLUSH: Final = 0x80  # FIFOLevelReg (9.3.1.11)
START_SEND: Final = 0x80  # BitFramingReg (9.3.1.14)
COLLISION_POSITION: Final = 0x1F  # CollReg (9.3.1.15)
COLLISION_NOT_VALID: Final = 0x20
ANTENNA_OFF: Final = 0x80  # TxControlReg (9.3.2.5): its reset value
ANTENNA_ON: Final = 0x83
ANTENNA_BITS: Final = 0x03
SWITCHING_TRIES: Final = 3
UNSENT_PROVES: Final = 3

# 8.5: a tick of (2 * 169 + 1) / 13.56 MHz = 25 us; 10 ticks, 250 us, from the end of a frame. A tag answers after 91
# us and stops the timer 47 us later (start bit and four data bits).
T_AUTO: Final = 0x80
PRESCALER: Final = 169
RELOAD: Final = 9


class AnswerKind(Enum):
    """What the receiver says about an exchange."""

    DATA = auto()
    SILENCE = auto()  # the timer ran out and nothing was received
    COLLISION = auto()
    GARBLED = auto()
    PENDING = auto()  # neither a whole answer nor the time-out yet
    UNSENT = auto()  # the frame is still in the FIFO: it was never sent
    RESET = auto()  # the field is off though it was switched on: the chip has lost its state
    NO_CHIP = auto()
    MISCONFIGURED = auto()  # an audit found registers that are not as written


@dataclass(frozen=True, slots=True)
class Partial:
    """What a look has found of an answer: bytes that were counted, what was read beyond them, bytes of later looks."""

    sure: bytes
    doubtful: bytes
    later: bytes = b""
    error: int = 0
    collision: int = 0


@dataclass(frozen=True, slots=True)
class FrameAnswer:
    """The answer to one frame; `collision` counts the received bits from 1."""

    kind: AnswerKind
    data: bytes = b""
    collision: int = 0
    partial: Partial = Partial(b"", b"")


class Port(Protocol):
    """A bus with this chip selected for the time of each transfer."""

    def xfer2(self, values: list[int]) -> list[int]:
        """Exchange bytes."""


class Chip(MFRC522):  # type: ignore[misc]  # the package has no type information
    """One reader chip: single steps that never wait."""

    def __init__(self, port: Port, gain: Gain = Gain.DB_33) -> None:
        # the package's own constructor is not called: it opens a bus and takes a reset pin (lines 128-153)
        self.spi = port
        self._fifo_is_dirty = True
        self._loaded = b""
        self._state = (self.TxControlReg, self.CommIrqReg, self.FIFOLevelReg)
        self._unsent_in_a_row = 0
        self._configuration = (
            (self.TModeReg, T_AUTO | PRESCALER >> 8),
            (self.TPrescalerReg, PRESCALER & 0xFF),
            (self.TReloadRegH, RELOAD >> 8),
            (self.TReloadRegL, RELOAD & 0xFF),
            (self.TxAutoReg, 0x40),  # TxASKReg (9.3.2.6): 100 % modulation, which type A needs
            (self.ModeReg, 0x3D),  # CRC preset 0x6363
            (self.TxModeReg, 0x00),  # 106 kbit/s, CRC by the host
            (self.RxModeReg, 0x00),
            (self.RFCfgReg, int(gain)),
            (self.CollReg, 0x00),  # 9.3.1.15: bits after a collision read as zero
        )

    def soft_reset(self) -> None:
        """Start a soft reset (10.3.1.9); it also takes the field away."""
        self._fifo_is_dirty = True
        self._unsent_in_a_row = 0
        self.Write_MFRC522(self.CommandReg, self.PCD_RESETPHASE)

    def is_awake(self) -> bool:
        """Return whether the reset phase is over (8.8)."""
        return not self.Read_MFRC522(self.CommandReg) & POWER_DOWN

    def version(self) -> int:
        """Return VersionReg (9.3.4.8)."""
        value: int = self.Read_MFRC522(self.VersionReg)
        return value

    def configure(self) -> None:
        """Write every register that differs from its reset value, and clear what a counterfeit's reset leaves."""
        self._write(self.CommandReg, self.PCD_IDLE)
        self._write(self.FIFOLevelReg, FIFO_FLUSH)
        self._fifo_is_dirty = False
        for register, value in self._configuration:
            self._write(register, value)

    def holds_configuration(self) -> bool:
        """Return whether all registers still hold what `configure` wrote."""
        return self._is_configuration(self._read([register for register, _ in self._configuration]))

    def _is_configuration(self, values: list[int]) -> bool:
        wanted = [value for _, value in self._configuration]
        # the rest of CollReg, the last in the row, belongs to the chip
        return values[:-1] == wanted[:-1] and not values[-1] & 0x80

    def field_on(self) -> None:
        """Switch the antenna on."""
        self._write(self.TxControlReg, ANTENNA_ON)

    def field_off(self, tries: int = SWITCHING_TRIES) -> bool:
        """Switch the antenna off and return whether the chip confirms it; a write that was lost is repeated."""
        for _ in range(tries):
            with suppress(OSError):
                self._write(self.TxControlReg, ANTENNA_OFF)
                (antenna,) = self._read([self.TxControlReg])
                # a line that nobody drives low or high confirms nothing
                if antenna != NOTHING_LOW and not antenna & ANTENNA_BITS:
                    return True
        return False

    def prepare(self, frame: bytes, last_bits: int = 0) -> None:
        """Begin a fresh Transceive and load its first frame, to be sent by `start`."""
        # StartSend must be down before Transceive, or the command may begin on its own
        self._write(self.BitFramingReg, last_bits)
        # Idle first ends whatever runs; both bytes go to CommandReg in one transfer (8.1.2.2)
        self._write(self.CommandReg, self.PCD_IDLE, self.PCD_TRANSCEIVE)
        self._write(self.CommIrqReg, IRQ_ALL)
        if self._fifo_is_dirty:
            self._write(self.FIFOLevelReg, FIFO_FLUSH)
            self._fifo_is_dirty = False
        self.load(frame)

    def load(self, frame: bytes) -> None:
        """Load a further frame of a running Transceive, which repeats sending and receiving (10.3.1.8)."""
        self._loaded = frame
        self._write(self.FIFODataReg, *frame)

    def start(self, last_bits: int = 0, align: int = 0) -> None:
        """Send what is loaded; answer bits go into the FIFO from bit `align` on (9.3.1.14)."""
        framing = align << 4 | last_bits
        # both edges of StartSend in one transfer
        self._write(self.BitFramingReg, framing, framing | START_SEND)

    def answer(self, byte_count: int, *, audit: bool = False) -> FrameAnswer:
        """Read state, FIFO and errors in one transfer and judge what came; an audit reads the configuration as well.

        The level is read before the bytes: what it counts is there. A byte that comes in between may have been taken
        by a read beyond the level, which is therefore kept. The errors are read last: they are as new as the bytes.
        """
        audited = [register for register, _ in self._configuration] if audit else []
        burst = (self.FIFODataReg,) * byte_count
        values = self._read([*self._state, *burst, self.ErrorReg, self.CollReg, *audited])
        antenna, irq, level = values[:3]
        taken = bytes(values[3 : 3 + byte_count])
        error, collision = values[3 + byte_count : 5 + byte_count]
        if (lost := self._lost(antenna, values)) is not None:
            return FrameAnswer(lost)
        if audit and not self._is_configuration(values[5 + byte_count :]):
            self._fifo_is_dirty = True
            return FrameAnswer(AnswerKind.MISCONFIGURED)
        if level == len(self._loaded) and taken[:level] == self._loaded[:byte_count]:
            self._fifo_is_dirty = True
            return FrameAnswer(AnswerKind.UNSENT)
        partial = Partial(taken[:level], taken[level:], error=error, collision=collision)
        if level >= byte_count:
            return self._judge(partial, byte_count, level)
        # the timer stops with the first bits of an answer: if it ran out, nothing more will come
        silent = irq & IRQ_TIMER and not level
        self._fifo_is_dirty = not silent
        return FrameAnswer(AnswerKind.SILENCE if silent else AnswerKind.PENDING, partial=partial)

    def more(self, byte_count: int, partial: Partial) -> FrameAnswer:
        """Read what has come since an incomplete look, and nothing from the FIFO that is not counted there."""
        values = self._read(list(self._state))
        antenna, irq, level = values
        if (lost := self._lost(antenna, values)) is not None:
            return FrameAnswer(lost)
        *later, error, collision = self._read([*(self.FIFODataReg,) * level, self.ErrorReg, self.CollReg])
        partial = replace(partial, later=partial.later + bytes(later), error=error, collision=collision)
        count = len(partial.sure) + len(partial.later)
        if count >= byte_count:
            return self._judge(partial, byte_count, count)
        silent = irq & IRQ_TIMER and not count
        self._fifo_is_dirty = not silent
        return FrameAnswer(AnswerKind.SILENCE if silent else AnswerKind.PENDING, partial=partial)

    def concluded(self, byte_count: int, partial: Partial) -> FrameAnswer:
        """Judge an answer of which nothing more comes: if one byte is missing, it may have been taken already."""
        if len(partial.sure) + len(partial.later) + 1 == byte_count and partial.doubtful:
            # an empty FIFO reads as zero (8.3.1): what reads otherwise was a byte
            candidates = set(partial.doubtful)
            if len(candidates - {0}) <= 1:
                byte = max(candidates)
                return self._judge(replace(partial, sure=partial.sure + bytes((byte,))), byte_count, byte_count)
        came = partial.sure or partial.later or partial.error & ERROR_ANY
        return FrameAnswer(AnswerKind.GARBLED if came else AnswerKind.PENDING, partial=partial)

    def _lost(self, antenna: int, values: list[int]) -> AnswerKind | None:
        """Return what is wrong if the field is not on as it was switched, None if it is."""
        if antenna & ANTENNA_BITS == ANTENNA_BITS and antenna != NOTHING_HIGH:
            return None
        self._fifo_is_dirty = True
        floating = len(set(values)) == 1 and antenna in (NOTHING_LOW, NOTHING_HIGH)
        return AnswerKind.NO_CHIP if floating else AnswerKind.RESET

    def _judge(self, partial: Partial, byte_count: int, came: int) -> FrameAnswer:
        data, error = partial.sure + partial.later, partial.error
        # all that is there was read, unless there was more
        self._fifo_is_dirty = came > byte_count
        if came > byte_count:
            return FrameAnswer(AnswerKind.GARBLED)
        if error & ERROR_ANY == ERROR_COLLISION and not partial.collision & COLLISION_NOT_VALID:
            return FrameAnswer(AnswerKind.COLLISION, data, partial.collision & COLLISION_POSITION or 32)
        if error & ERROR_ANY:
            return FrameAnswer(AnswerKind.GARBLED, data)
        return FrameAnswer(AnswerKind.DATA, data)

    def note_further_frame(self, *, sent: bool) -> None:
        """Take down whether a frame that was only loaded went out; a chip that keeps it wants its command again."""
        if not self.wants_command_again:
            self._unsent_in_a_row = 0 if sent else self._unsent_in_a_row + 1

    @property
    def may_want_command_again(self) -> bool:
        """Return whether the last frame that was only loaded stayed in the FIFO."""
        return self._unsent_in_a_row > 0

    @property
    def wants_command_again(self) -> bool:
        """Return whether the chip ends Transceive with each answer, as some clones do.

        A frame that stays in the FIFO and goes out with the command written again proves it, if that happens so often
        in a row that lost transfers are no explanation.
        """
        return self._unsent_in_a_row >= UNSENT_PROVES

    def _write(self, register: int, *values: int) -> None:
        self.spi.xfer2([register << 1 & 0x7E, *values])

    def _read(self, registers: list[int]) -> list[int]:
        # 8.1.2.1: each answer comes with the byte after its address
        values: list[int] = self.spi.xfer2([*(register << 1 & 0x7E | 0x80 for register in registers), 0])
        return values[1:]

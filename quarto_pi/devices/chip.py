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
- 239-245: reads an empty FIFO, or cuts a full one: what is read is cut to the level read with it;
- 261: a dead reader looks like an empty square: the answer carries TxControlReg, which proves chip and field alive;
- 266-308: level 1 only, an IndexError when nothing answers, a CRC that may time out: see `polling`, and `iso14443`
  for the CRC, which costs no transfer there;
- 415-425: no version check, nothing read back: `configure` and `holds_configuration`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import Final, Protocol

try:
    from mfrc522 import MFRC522
except RuntimeError as error:
    # RPi.GPIO, which mfrc522 asks for, looks for a Pi at once.
    raise ImportError(str(error), name="RPi.GPIO") from error

from quarto_pi.devices.reader_terms import NOTHING_HIGH, NOTHING_LOW, Gain

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
    PENDING = auto()  # neither an answer nor the time-out yet
    RESET = auto()  # the field is off though it was switched on: the chip has lost its state
    NO_CHIP = auto()
    MISCONFIGURED = auto()  # an audit found registers that are not as written


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to one frame; `collision` counts the received bits from 1."""

    kind: AnswerKind
    data: bytes = b""
    collision: int = 0


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

    def field_off(self) -> None:
        """Switch the antenna off."""
        self._write(self.TxControlReg, ANTENNA_OFF)

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
        self._write(self.FIFODataReg, *frame)

    def start(self, last_bits: int = 0, align: int = 0) -> None:
        """Send what is loaded; answer bits go into the FIFO from bit `align` on (9.3.1.14)."""
        framing = align << 4 | last_bits
        # both edges of StartSend in one transfer
        self._write(self.BitFramingReg, framing, framing | START_SEND)

    def answer(self, byte_count: int, received: bytes = b"", *, audit: bool = False) -> Answer:
        """Read state and FIFO in one transfer and judge what came.

        `received` are bytes read earlier; an audit reads the configuration back in the same transfer.
        """
        state = (self.TxControlReg, self.CommIrqReg, self.ErrorReg, self.CollReg, self.FIFOLevelReg)
        audited = [register for register, _ in self._configuration] if audit else []
        values = self._read([*state, *(self.FIFODataReg,) * byte_count, *audited])
        antenna, irq, error, collision, level = values[:5]
        if antenna & ANTENNA_BITS != ANTENNA_BITS or antenna == NOTHING_HIGH:
            self._fifo_is_dirty = True
            floating = len(set(values)) == 1 and antenna in (NOTHING_LOW, NOTHING_HIGH)
            return Answer(AnswerKind.NO_CHIP if floating else AnswerKind.RESET)
        if audit and not self._is_configuration(values[5 + byte_count :]):
            self._fifo_is_dirty = True
            return Answer(AnswerKind.MISCONFIGURED)
        if level > byte_count:
            self._fifo_is_dirty = True
            return Answer(AnswerKind.GARBLED)
        data = received + bytes(values[5 : 5 + level])
        if error & ERROR_ANY == ERROR_COLLISION and not collision & COLLISION_NOT_VALID:
            return Answer(AnswerKind.COLLISION, data, collision & COLLISION_POSITION or 32)
        if error & ERROR_ANY:
            return Answer(AnswerKind.GARBLED, data)
        if level == byte_count:
            return Answer(AnswerKind.DATA, data)
        # the timer stops with the first bits of an answer: if it ran out, nothing more will come
        silent = irq & IRQ_TIMER and not data
        return Answer(AnswerKind.SILENCE if silent else AnswerKind.PENDING, data)

    def distrust_fifo(self) -> None:
        """Have the FIFO flushed before it is used again, because something may still come in."""
        self._fifo_is_dirty = True

    def _write(self, register: int, *values: int) -> None:
        self.spi.xfer2([register << 1 & 0x7E, *values])

    def _read(self, registers: list[int]) -> list[int]:
        # 8.1.2.1: each answer comes with the byte after its address
        values: list[int] = self.spi.xfer2([*(register << 1 & 0x7E | 0x80 for register in registers), 0])
        return values[1:]

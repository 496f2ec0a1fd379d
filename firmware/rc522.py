"""One MFRC522: single steps that allocate nothing; `quarto_pi.devices.readers.chip` says more about them.

Section numbers are those of the datasheet. What is written is made once; a method makes its transfers itself, because a
call would take as long as a fourth of one.
"""

from time import sleep_us, ticks_diff, ticks_us

from quarto_pi.firmware.iso14443 import SHORT_FRAME_BITS
from quarto_pi.firmware.select_lines import SelectLines

COMMAND = 0x01
COM_IRQ = 0x04
ERROR = 0x06
FIFO_DATA = 0x09
FIFO_LEVEL = 0x0A
BIT_FRAMING = 0x0D
COLL = 0x0E
MODE = 0x11
TX_MODE = 0x12
RX_MODE = 0x13
TX_CONTROL = 0x14
TX_ASK = 0x15
RF_CFG = 0x26
T_MODE = 0x2A
T_PRESCALER = 0x2B
T_RELOAD_HIGH = 0x2C
T_RELOAD_LOW = 0x2D
VERSION = 0x37

IDLE = 0x00
TRANSCEIVE = 0x0C
SOFT_RESET = 0x0F
COMMAND_BITS = 0x0F

IRQ_ALL = 0x7F  # 9.3.1.5, bit 7 clear: clear the marked
IRQ_TIMER = 0x01
ERROR_COLLISION = 0x08  # 9.3.1.7
ERROR_ANY = 0x1F  # overflow, collision, CRC, parity, protocol
POWER_DOWN = 0x10  # 9.3.1.2
FIFO_FLUSH = 0x80  # 9.3.1.11
START_SEND = 0x80  # 9.3.1.14
COLLISION_POSITION = 0x1F  # 9.3.1.15
COLLISION_NOT_VALID = 0x20
ANTENNA_OFF = 0x80  # 9.3.2.5: its reset value
ANTENNA_ON = 0x83
ANTENNA_BITS = 0x03

# 8.5: a tick of (2 * 169 + 1) / 13.56 MHz = 25 us; 10 ticks, 250 us, from the end of a frame. A tag answers after 91
# us and stops the timer 47 us later (start bit and four data bits).
T_AUTO = 0x80
PRESCALER = 169
RELOAD = 9

# what an answer turned out to be
DATA, SILENCE, COLLISION, GARBLED, PENDING, RESET, NO_CHIP, MISCONFIGURED = range(8)

_CONFIGURED = (
    T_MODE,
    T_PRESCALER,
    T_RELOAD_HIGH,
    T_RELOAD_LOW,
    TX_ASK,
    MODE,
    TX_MODE,
    RX_MODE,
    RF_CFG,
    COLL,
)


def _writing(register: int, *values: int) -> bytes:
    return bytes([register << 1]) + bytes(values)  # MicroPython has no stars within brackets


def _reading(*registers: int) -> bytes:
    # 8.1.2.1: each answer comes with the byte after its address
    return bytes([register << 1 | 0x80 for register in registers] + [0])


_RESET = _writing(COMMAND, SOFT_RESET)
_STOP = _writing(COMMAND, IDLE)
_FLUSH = _writing(FIFO_LEVEL, FIFO_FLUSH)
_FIELD_ON = _writing(TX_CONTROL, ANTENNA_ON)
_FIELD_OFF = _writing(TX_CONTROL, ANTENNA_OFF)
_FRAMING = _writing(BIT_FRAMING, SHORT_FRAME_BITS)
_FRAMING_WHOLE = _writing(BIT_FRAMING, 0)
# Idle first ends whatever runs; both bytes go to CommandReg in one transfer (8.1.2.2)
_TRANSCEIVE = _writing(COMMAND, IDLE, TRANSCEIVE)
_CLEAR_IRQ = _writing(COM_IRQ, IRQ_ALL)
# The level before the errors: those of an answer that is complete are there by then.
_ASK_STATE = _reading(TX_CONTROL, COM_IRQ, FIFO_LEVEL, ERROR, COLL)
_ASK_FIFO = [_reading(*[FIFO_DATA] * length) for length in range(9)]
_ASK_CONFIGURATION = _reading(*_CONFIGURED)
_ASK_VERSION = _reading(VERSION)
_ASK_COMMAND = _reading(COMMAND)

FIFO_WRITE = FIFO_DATA << 1
"""The byte before a frame that goes into the FIFO."""


def _start(last_bits: int, align: int) -> bytes:
    # both edges of StartSend in one transfer
    framing = align << 4 | last_bits
    return _writing(BIT_FRAMING, framing, framing | START_SEND)


_START_CALL = _start(SHORT_FRAME_BITS, 0)
STARTS = [_start(bits, bits) for bits in range(8)]
"""To send what is loaded: by how many bits its last byte has, 0 for all; the answer begins behind them (9.3.1.14)."""


class Chip:
    """One reader chip; its newest answer are the `got` bytes of `data` from 1 on, and `collision`."""

    def __init__(self, lines: SelectLines, line: int, gain: int) -> None:
        self._lines = lines
        self._line = line
        self._strobe = lines.strobe(line)
        self._write = lines.spi.write
        self._exchange = lines.spi.write_readinto
        self._state = lines.backs[len(_ASK_STATE)]
        self._fifo_is_dirty = True
        self.is_misconfigured = False
        self.wants_command_again = False  # it ends Transceive with each answer, as some clones do
        # 9.3.2.6: 100 % modulation; CRC preset 0x6363; 106 kbit/s, CRC by the host; bits after a collision read as zero
        wanted = (T_AUTO | PRESCALER >> 8, PRESCALER & 0xFF, RELOAD >> 8, RELOAD & 0xFF, 0x40, 0x3D, 0, 0, gain, 0)
        self._wanted = wanted
        self._configuration = [_writing(_CONFIGURED[place], wanted[place]) for place in range(len(wanted))]
        self.data = lines.back
        self.got = 0
        self.collision = 0

    def soft_reset(self) -> None:
        """Start a soft reset (10.3.1.9); it also takes the field away."""
        self._fifo_is_dirty = True
        self.wants_command_again = False
        self._send(_RESET)

    def is_awake(self) -> bool:
        """Return whether the reset phase is over (8.8)."""
        return not self._ask(_ASK_COMMAND) & POWER_DOWN

    def version(self) -> int:
        """Return VersionReg (9.3.4.8)."""
        return self._ask(_ASK_VERSION)

    def configure(self) -> None:
        """Write every register that differs from its reset value, and clear what a counterfeit's reset leaves."""
        self._send(_STOP)
        self._send(_FLUSH)
        self._fifo_is_dirty = False
        for transfer in self._configuration:
            self._send(transfer)

    def holds_configuration(self) -> bool:
        """Return whether all registers still hold what `configure` wrote."""
        self._ask(_ASK_CONFIGURATION)
        back, wanted = self._lines.back, self._wanted
        last = len(wanted) - 1
        for place in range(last):
            if back[1 + place] != wanted[place]:
                return False
        # the rest of CollReg, the last in the row, belongs to the chip
        return not back[1 + last] & 0x80

    def audit(self) -> None:
        """Look whether the configuration still holds, of which the next answer tells if the chip answers at all."""
        self.is_misconfigured = not self.holds_configuration()

    def field_on(self) -> None:
        """Switch the antenna on."""
        lines = self._lines
        if lines.shown != self._line:
            lines.choose(self._line)
        strobe = self._strobe
        strobe(0)
        self._write(_FIELD_ON)
        strobe(1)

    def field_off(self) -> None:
        """Switch the antenna off."""
        lines = self._lines
        if lines.shown != self._line:
            lines.choose(self._line)
        strobe = self._strobe
        strobe(0)
        self._write(_FIELD_OFF)
        strobe(1)

    def prepare(self, call: bytes) -> None:
        """Begin a fresh Transceive and load its first frame, a call, to be sent by `start`."""
        lines = self._lines
        if lines.shown != self._line:
            lines.choose(self._line)
        strobe = self._strobe
        write = self._write
        # StartSend must be down before Transceive, or the command may begin on its own
        strobe(0)
        write(_FRAMING)
        strobe(1)
        strobe(0)
        write(_TRANSCEIVE)
        strobe(1)
        strobe(0)
        write(_CLEAR_IRQ)
        strobe(1)
        if self._fifo_is_dirty:
            strobe(0)
            write(_FLUSH)
            strobe(1)
            self._fifo_is_dirty = False
        strobe(0)
        write(call)
        strobe(1)

    def start_call(self) -> int:
        """Send the call that is loaded, and return when it began."""
        lines = self._lines
        if lines.shown != self._line:
            lines.choose(self._line)
        strobe = self._strobe
        strobe(0)
        self._write(_START_CALL)
        strobe(1)
        return ticks_us()

    def send(self, frame: bytes, start: bytes, free_at: int) -> int:
        """Load a further frame of a running Transceive (10.3.1.8), send it once the air is free; when that began."""
        lines = self._lines
        if lines.shown != self._line:
            lines.choose(self._line)
        strobe = self._strobe
        write = self._write
        if self.wants_command_again:
            self._command_again()
        strobe(0)
        write(frame)
        strobe(1)
        left = ticks_diff(free_at, ticks_us())
        if left > 0:
            sleep_us(left)
        strobe(0)
        write(start)
        strobe(1)
        return ticks_us()

    def _command_again(self) -> None:
        self._send(_FRAMING_WHOLE)
        self._send(_TRANSCEIVE)
        if self._fifo_is_dirty:
            self._send(_FLUSH)
            self._fifo_is_dirty = False

    def has_stopped(self) -> bool:
        """Return whether Transceive is over, which nobody has ended; it is begun again with each frame from then on."""
        if self._ask(_ASK_COMMAND) & COMMAND_BITS == TRANSCEIVE:
            return False
        self.wants_command_again = True
        return True

    def answer(self, wanted: int, is_last_look: bool) -> int:
        """Read the state, judge what has come, and take it out of the FIFO once it is complete.

        A byte may come in at any time. So the FIFO is read in a transfer of its own, as far as its level was known
        before; the bytes of an answer that is not complete stay where they are until the next look.
        """
        lines = self._lines
        if lines.shown != self._line:
            lines.choose(self._line)
        strobe = self._strobe
        back = self._state
        strobe(0)
        self._exchange(_ASK_STATE, back)
        strobe(1)
        antenna = back[1]
        if antenna & ANTENNA_BITS != ANTENNA_BITS or antenna == 0xFF:
            self._fifo_is_dirty = True
            return NO_CHIP if self._floats() else RESET
        if self.is_misconfigured:
            self.is_misconfigured = False
            self._fifo_is_dirty = True
            return MISCONFIGURED
        level = self.got = back[3]
        error = back[4] & ERROR_ANY
        if error or level != wanted:
            return self._judge(wanted, level, error, is_last_look)
        strobe(0)
        self._exchange(_ASK_FIFO[level], lines.backs[level + 1])
        strobe(1)
        return DATA

    def _judge(self, wanted: int, level: int, error: int, is_last_look: bool) -> int:
        """What an answer is that is not simply there; all of it but silence and a collision leaves the FIFO dirty."""
        back = self._state
        if not level and not error and back[2] & IRQ_TIMER:
            # the timer stops with the first bits of an answer: if it ran out, nothing more will come
            return SILENCE
        collided = error == ERROR_COLLISION and not back[5] & COLLISION_NOT_VALID
        if level > wanted or (error and not collided):
            self._fifo_is_dirty = True
            return GARBLED
        if collided and (level == wanted or is_last_look):
            self.collision = back[5] & COLLISION_POSITION or 32
            self._fifo_is_dirty = level != wanted
            if level:
                strobe = self._strobe
                strobe(0)
                self._exchange(_ASK_FIFO[level], self._lines.backs[level + 1])
                strobe(1)
            return COLLISION
        if is_last_look:
            self._fifo_is_dirty = True
        return PENDING

    def _floats(self) -> bool:
        """Return whether the line that answers hangs high or low: nobody is there."""
        back = self._state
        first = back[1]
        if first not in _NOBODY:
            return False
        for place in range(2, len(back)):
            if back[place] != first:
                return False
        return True

    def _send(self, transfer: bytes) -> None:
        lines = self._lines
        if lines.shown != self._line:
            lines.choose(self._line)
        strobe = self._strobe
        strobe(0)
        self._write(transfer)
        strobe(1)

    def _ask(self, transfer: bytes) -> int:
        lines = self._lines
        if lines.shown != self._line:
            lines.choose(self._line)
        strobe = self._strobe
        strobe(0)
        self._exchange(transfer, lines.backs[len(transfer)])
        strobe(1)
        return lines.back[1]


_NOBODY = (0x00, 0xFF)

"""One MFRC522: single steps that never wait and allocate nothing; `quarto_pi.devices.chip` says more about them.

Section numbers are those of the datasheet.
"""

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

_STATE = (TX_CONTROL, COM_IRQ, ERROR, COLL, FIFO_LEVEL)
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


class Chip:
    """One reader chip; `data`, `got` and `collision` are those of its newest answer."""

    def __init__(self, lines: SelectLines, line: int, gain: int) -> None:
        self._lines = lines
        self._line = line
        self._out = lines.out
        self._back = lines.back
        self._fifo_is_dirty = True
        # 9.3.2.6: 100 % modulation; CRC preset 0x6363; 106 kbit/s, CRC by the host; bits after a collision read as zero
        self._wanted = (
            T_AUTO | PRESCALER >> 8,
            PRESCALER & 0xFF,
            RELOAD >> 8,
            RELOAD & 0xFF,
            0x40,
            0x3D,
            0,
            0,
            gain,
            0,
        )
        self.data = bytearray(16)
        self.got = 0
        self.collision = 0

    def soft_reset(self) -> None:
        """Start a soft reset (10.3.1.9); it also takes the field away."""
        self._fifo_is_dirty = True
        self._write(COMMAND, SOFT_RESET)

    def is_awake(self) -> bool:
        """Return whether the reset phase is over (8.8)."""
        return not self._read(COMMAND) & POWER_DOWN

    def version(self) -> int:
        """Return VersionReg (9.3.4.8)."""
        return self._read(VERSION)

    def configure(self) -> None:
        """Write every register that differs from its reset value, and clear what a counterfeit's reset leaves."""
        self._write(COMMAND, IDLE)
        self._write(FIFO_LEVEL, FIFO_FLUSH)
        self._fifo_is_dirty = False
        for place in range(len(_CONFIGURED)):
            self._write(_CONFIGURED[place], self._wanted[place])

    def holds_configuration(self) -> bool:
        """Return whether all registers still hold what `configure` wrote."""
        self._ask_configuration(0)
        self._finish_reading(len(_CONFIGURED))
        return self._is_configuration(1)

    def _ask_configuration(self, start: int) -> None:
        for place in range(len(_CONFIGURED)):
            self._out[start + place] = _CONFIGURED[place] << 1 | 0x80

    def _is_configuration(self, start: int) -> bool:
        for place in range(len(_CONFIGURED) - 1):
            if self._back[start + place] != self._wanted[place]:
                return False
        # the rest of CollReg, the last in the row, belongs to the chip
        return not self._back[start + len(_CONFIGURED) - 1] & 0x80

    def field_on(self) -> None:
        """Switch the antenna on."""
        self._write(TX_CONTROL, ANTENNA_ON)

    def field_off(self) -> None:
        """Switch the antenna off."""
        self._write(TX_CONTROL, ANTENNA_OFF)

    def prepare(self, command: int, last_bits: int) -> None:
        """Begin a fresh Transceive and load its first frame, a call of one byte, to be sent by `start`."""
        # StartSend must be down before Transceive, or the command may begin on its own
        self._write(BIT_FRAMING, last_bits)
        # Idle first ends whatever runs; both bytes go to CommandReg in one transfer (8.1.2.2)
        self._write_two(COMMAND, IDLE, TRANSCEIVE)
        self._write(COM_IRQ, IRQ_ALL)
        if self._fifo_is_dirty:
            self._write(FIFO_LEVEL, FIFO_FLUSH)
            self._fifo_is_dirty = False
        self._write(FIFO_DATA, command)

    def load(self, frame: bytearray, length: int) -> None:
        """Load a further frame of a running Transceive, which repeats sending and receiving (10.3.1.8)."""
        self._out[0] = FIFO_DATA << 1
        for index in range(length):
            self._out[1 + index] = frame[index]
        self._lines.exchange(self._line, 1 + length)

    def start(self, last_bits: int, align: int) -> None:
        """Send what is loaded; answer bits go into the FIFO from bit `align` on (9.3.1.14)."""
        framing = align << 4 | last_bits
        # both edges of StartSend in one transfer
        self._write_two(BIT_FRAMING, framing, framing | START_SEND)

    def answer(self, wanted: int, had: int, audit: bool) -> int:
        """Read state and FIFO in one transfer and judge what came; `had` bytes of the answer were read earlier.

        An audit reads the configuration back in the same transfer.
        """
        out, back = self._out, self._back
        for place in range(5):
            out[place] = _STATE[place] << 1 | 0x80
        rest = wanted - had
        for place in range(5, 5 + rest):
            out[place] = FIFO_DATA << 1 | 0x80
        length = 5 + rest
        if audit:
            self._ask_configuration(length)
            length += len(_CONFIGURED)
        self._finish_reading(length)
        self.got = had
        antenna = back[1]
        if antenna & ANTENNA_BITS != ANTENNA_BITS or antenna == 0xFF:
            self._fifo_is_dirty = True
            return NO_CHIP if self._floats(length) else RESET
        if audit and not self._is_configuration(6 + rest):
            self._fifo_is_dirty = True
            return MISCONFIGURED
        return self._judge(wanted, had)

    def _judge(self, wanted: int, had: int) -> int:
        back = self._back
        irq, error, level = back[2], back[3], back[5]
        if level > wanted - had:
            self._fifo_is_dirty = True
            return GARBLED
        for place in range(level):
            self.data[had + place] = back[6 + place]
        self.got = had + level
        if error & ERROR_ANY == ERROR_COLLISION and not back[4] & COLLISION_NOT_VALID:
            self.collision = back[4] & COLLISION_POSITION or 32
            return COLLISION
        if error & ERROR_ANY:
            return GARBLED
        if self.got == wanted:
            return DATA
        # the timer stops with the first bits of an answer: if it ran out, nothing more will come
        return SILENCE if irq & IRQ_TIMER and not self.got else PENDING

    def _floats(self, length: int) -> bool:
        """Return whether the line that answers hangs high or low: nobody is there."""
        first = self._back[1]
        if first not in (0x00, 0xFF):
            return False
        for place in range(2, 1 + length):
            if self._back[place] != first:
                return False
        return True

    def distrust_fifo(self) -> None:
        """Have the FIFO flushed before it is used again, because something may still come in."""
        self._fifo_is_dirty = True

    def _write(self, register: int, value: int) -> None:
        self._out[0] = register << 1
        self._out[1] = value
        self._lines.exchange(self._line, 2)

    def _write_two(self, register: int, first: int, second: int) -> None:
        self._out[0] = register << 1
        self._out[1] = first
        self._out[2] = second
        self._lines.exchange(self._line, 3)

    def _read(self, register: int) -> int:
        self._out[0] = register << 1 | 0x80
        self._finish_reading(1)
        return self._back[1]

    def _finish_reading(self, length: int) -> None:
        # 8.1.2.1: each answer comes with the byte after its address
        self._out[length] = 0
        self._lines.exchange(self._line, length + 1)

"""What the host says: each payload is a class that writes itself and can be read back, at both ends the same."""

from quarto_pi.firmware.pins import SPI_HZ
from quarto_pi.firmware.protocol import (
    BUTTONS,
    CELLS,
    CONFIGURE,
    EXPECT,
    HELLO,
    LAMPS,
    LIGHTS,
    NOTHING,
    RESTART,
    SELF_TEST,
    TO_BOOTLOADER,
    Damaged,
    Taker,
    Writer,
)


class Configuration:
    """How the board is wired to the node; `NOTHING` for a pin or a line that is not there.

    Cells with the same number in `groups` may have their fields on together; `most` is the current's word on that.
    """

    def __init__(self) -> None:
        self.number = 0
        self.spi_hz = SPI_HZ
        self.address = [NOTHING] * 4
        self.enable = NOTHING
        self.offer = NOTHING
        self.reset = NOTHING
        self.buttons = [NOTHING] * BUTTONS
        self.lights = [NOTHING] * LAMPS
        self.active_high = 1
        self.gain = 0
        self.most = 1
        self.lines = [NOTHING] * CELLS
        self.groups = list(range(CELLS))

    def write(self, writer: Writer) -> memoryview:
        """Write it as a frame."""
        writer.begin(CONFIGURE)
        writer.short(self.number)
        writer.long(self.spi_hz)
        for values in (self.address, [self.enable, self.offer, self.reset], self.buttons, self.lights):
            writer.bytes(bytes(values), len(values))
        for values in ([self.active_high, self.gain, self.most], self.lines, self.groups):
            writer.bytes(bytes(values), len(values))
        return writer.finish()

    @classmethod
    def read(cls, payload: bytes) -> "Configuration":
        """Read a payload."""
        taker = Taker(payload)
        read = cls()
        read.number, read.spi_hz = taker.short(), taker.long()
        read.address = [taker.byte() for _ in range(4)]
        read.enable, read.offer, read.reset = taker.byte(), taker.byte(), taker.byte()
        read.buttons = [taker.byte() for _ in range(BUTTONS)]
        read.lights = [taker.byte() for _ in range(LAMPS)]
        read.active_high, read.gain, read.most = taker.byte(1), taker.byte(), taker.byte()
        read.lines = [taker.byte() for _ in range(CELLS)]
        read.groups = [taker.byte(CELLS - 1) for _ in range(CELLS)]
        taker.close()
        if not read.most:
            raise Damaged("a bank without a field reads nothing")
        return read


class Expectation:
    """Which tag was last seen on which cell."""

    def __init__(self, number: int, uids: list[tuple[int, bytes]]) -> None:
        self.number = number
        self.uids = uids

    def write(self, writer: Writer) -> memoryview:
        """Write it as a frame."""
        writer.begin(EXPECT)
        writer.short(self.number)
        writer.byte(len(self.uids))
        for cell, uid in self.uids:
            writer.byte(cell)
            writer.byte(len(uid))
            writer.bytes(uid, len(uid))
        return writer.finish()

    @classmethod
    def read(cls, payload: bytes) -> "Expectation":
        """Read a payload."""
        taker = Taker(payload)
        number = taker.short()
        read = cls(number, [(taker.byte(CELLS - 1), taker.uid()) for _ in range(taker.byte(CELLS))])
        taker.close()
        return read


class Lights:
    """How bright the three lamps are, 0 to 255."""

    def __init__(self, levels: bytes) -> None:
        self.levels = levels

    def write(self, writer: Writer) -> memoryview:
        """Write it as a frame."""
        writer.begin(LIGHTS)
        writer.bytes(self.levels, LAMPS)
        return writer.finish()

    @classmethod
    def read(cls, payload: bytes) -> "Lights":
        """Read a payload."""
        taker = Taker(payload)
        lights = cls(taker.bytes(LAMPS))
        taker.close()
        return lights


class Restart:
    """Start again: the firmware, into a state to be replaced, or the bootloader."""

    def __init__(self, how: int) -> None:
        self.how = how

    def write(self, writer: Writer) -> memoryview:
        """Write it as a frame."""
        writer.begin(RESTART)
        writer.byte(self.how)
        return writer.finish()

    @classmethod
    def read(cls, payload: bytes) -> "Restart":
        """Read a payload."""
        return cls(Taker(payload).byte(TO_BOOTLOADER))


class Hello:
    """Ask the node who it is; only an answer with this number is one to this connection, neither old nor an echo."""

    def __init__(self, session: int) -> None:
        self.session = session

    def write(self, writer: Writer) -> memoryview:
        """Write it as a frame."""
        writer.begin(HELLO)
        writer.long(self.session)
        return writer.finish()

    @classmethod
    def read(cls, payload: bytes) -> "Hello":
        """Read a payload; before version 2 it was empty."""
        return cls(Taker(payload + bytes(4)).long())


def self_test(writer: Writer) -> memoryview:
    """Have the node reset all readers, look whether they answer, and show its lights."""
    writer.begin(SELF_TEST)
    return writer.finish()

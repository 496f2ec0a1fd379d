"""What the node says: each payload is a class that writes itself and can be read back, at both ends the same.

`Look` and `Presses` are what the node keeps for every reader and button and writes again and again: they live on and
are changed in place, and writing them allocates no memory. A row of them is written in one go, by `State`: a call for
each number would take the node many times as long.
"""

from array import array
from struct import pack_into

from quarto_pi.firmware.protocol import (
    BUTTONS,
    CELLS,
    EDGES,
    FAULTS,
    HEALTH,
    LAMPS,
    MOST_TAGS,
    NEVER,
    OLD,
    OUTCOMES,
    STATE,
    TAGS_BYTES,
    TICKS,
    WELCOME,
    Damaged,
    Taker,
    Writer,
    since,
)

# by how many bytes of UIDs there are
_LOOKS = tuple(["<BBBH%ds" % length for length in range(TAGS_BYTES + 1)])  # noqa: UP031 - a tuple of texts, made once


class Look:
    """The newest look at a cell, and a number from 1 to 255 that goes on with each; 0 means none yet."""

    def __init__(self) -> None:
        self.looks = 0
        self.outcome = 0
        self.fault = 0
        self.at = 0
        self.count = 0
        self.tags = bytearray(TAGS_BYTES)  # each UID with its length before it
        self.length = 0

    def uids(self) -> list[bytes]:
        """The UIDs that were read."""
        taker = Taker(bytes(self.tags[: self.length]))
        return [taker.uid() for _ in range(self.count)]

    @classmethod
    def read(cls, taker: Taker, now: int) -> "Look":
        """Read one."""
        look = cls()
        look.looks = taker.byte()
        head = taker.byte()
        look.outcome, look.count = head & 15, head >> 4
        look.fault = taker.byte(len(FAULTS) - 1)
        look.at = (now - taker.short()) & TICKS
        expected = look.count == 1 if look.outcome == 1 else look.count <= MOST_TAGS * (look.outcome == 2)
        if look.outcome >= len(OUTCOMES) or not expected:
            raise Damaged("a look is none")
        for _ in range(look.count):
            look.add(taker.uid())
        return look

    def add(self, uid: bytes) -> None:
        """Add a UID to those that were read; `count` counts them apart."""
        end = self.length + 1 + len(uid)
        self.tags[self.length : end] = bytes((len(uid),)) + uid
        self.length = end


class Presses:
    """How often a button has moved, whether it is down, and when it moved last: the newest moment last."""

    def __init__(self) -> None:
        self.count = 0
        self.down = False
        self.at = array("i", [0] * EDGES)

    def note(self, down: bool, at: int) -> None:
        """Note a movement; called by an interrupt, so it allocates nothing."""
        if down == self.down:
            return
        self.down = down
        self.at[self.count % EDGES] = at
        self.count = (self.count + 1) & 0xFFFF

    def copy(self, other: "Presses") -> None:
        """Be as another one is, whose interrupt may come in the middle of this: it counts when all else is written."""
        count = -1
        while count != other.count:
            count = self.count = other.count
            self.down = other.down
            for place in range(EDGES):
                self.at[place] = other.at[place]

    @classmethod
    def read(cls, taker: Taker, now: int) -> "Presses":
        """Read one."""
        presses = cls()
        presses.count = taker.short()
        presses.down = bool(taker.byte(1))
        for back in range(1, EDGES + 1):
            presses.at[(presses.count - back) % EDGES] = (now - taker.short()) & TICKS
        return presses


class State:
    """The whole board: what every reader saw last and every button did last, and what of the host's has arrived."""

    def __init__(self, looks: list[Look], buttons: list[Presses]) -> None:
        self.boot = 0
        self.at = 0
        self.sweeps = 0
        self.configured = 0
        self.expected = 0
        self.lights = bytearray(LAMPS)
        self.damaged = 0
        self.free = 0
        self.looks = looks
        self.buttons = buttons

    def write(self, writer: Writer) -> memoryview:
        """Write it as a frame."""
        writer.begin(STATE)
        buffer, at, now = writer.buffer, writer.at, self.at
        pack_into("<HIHHH", buffer, at, self.boot, now, self.sweeps, self.configured, self.expected)
        pack_into("<3sHH", buffer, at + 12, self.lights, self.damaged, self.free)
        at += 19
        for presses in self.buttons:
            count, moments = presses.count, presses.at
            pack_into("<HB", buffer, at, count, presses.down)
            at += 3
            # ages instead of moments, the newest first
            for back in range(1, EDGES + 1):
                age = now - moments[(count - back) % EDGES] & TICKS
                pack_into("<H", buffer, at, min(OLD, age))
                at += 2
        for look in self.looks:
            age = now - look.at & TICKS
            length = look.length
            head = look.outcome | look.count << 4
            pack_into(_LOOKS[length], buffer, at, look.looks, head, look.fault, min(OLD, age), look.tags)
            at += 5 + length
        writer.at = at
        return writer.finish()

    @classmethod
    def read(cls, payload: bytes) -> "State":
        """Read a payload."""
        taker = Taker(payload)
        boot, at = taker.short(), taker.long()
        sweeps, configured, expected = taker.short(), taker.short(), taker.short()
        lights, damaged, free = taker.bytes(LAMPS), taker.short(), taker.short()
        buttons = [Presses.read(taker, at) for _ in range(BUTTONS)]
        state = cls([Look.read(taker, at) for _ in range(CELLS)], buttons)
        taker.close()
        state.boot, state.at, state.sweeps = boot, at, sweeps
        state.configured, state.expected = configured, expected
        state.lights[:] = lights
        state.damaged, state.free = damaged, free
        return state


class Figures:
    """How a reader is doing: counts since the node started, as in the host's `ReaderHealth`."""

    NAMES = ("version", "answers", "polls", "misses", "errors", "cross_reads", "resets", "fault", "seen", "again")

    def __init__(self) -> None:
        self.version = 0  # what VersionReg says
        self.answers = 0
        self.polls = 0
        self.misses = 0
        self.errors = 0
        self.cross_reads = 0
        self.resets = 0
        self.fault = 0
        self.seen = NEVER  # when a tag was read last
        self.again = 0  # whether its chip wants its command again for every frame

    def write(self, writer: Writer, now: int) -> None:
        """Write them."""
        seen = NEVER if self.seen == NEVER else since(self.seen, now)
        buffer, at, flags = writer.buffer, writer.at, self.answers | self.again << 1
        pack_into("<BBIII", buffer, at, self.version, flags, self.polls, self.misses, self.errors)
        pack_into("<IHBI", buffer, at + 14, self.cross_reads, self.resets, self.fault, seen)
        writer.at = at + 25

    @classmethod
    def read(cls, taker: Taker, now: int) -> "Figures":
        """Read one reader's."""
        figures = cls()
        figures.version, flags = taker.byte(), taker.byte(3)
        figures.answers, figures.again = flags & 1, flags >> 1
        figures.polls, figures.misses, figures.errors = taker.long(), taker.long(), taker.long()
        figures.cross_reads, figures.resets = taker.long(), taker.short()
        figures.fault = taker.byte(len(FAULTS) - 1)
        age = taker.long()
        figures.seen = NEVER if age == NEVER else (now - age) & TICKS
        return figures


class Health:
    """All readers' figures, and how often the node has tested itself."""

    def __init__(self, figures: list[Figures]) -> None:
        self.boot = 0
        self.at = 0
        self.tests = 0
        self.figures = figures

    def write(self, writer: Writer) -> memoryview:
        """Write it as a frame."""
        writer.begin(HEALTH)
        writer.short(self.boot)
        writer.long(self.at)
        writer.byte(self.tests)
        for figures in self.figures:
            figures.write(writer, self.at)
        return writer.finish()

    @classmethod
    def read(cls, payload: bytes) -> "Health":
        """Read a payload."""
        taker = Taker(payload)
        boot, at, tests = taker.short(), taker.long(), taker.byte()
        health = cls([Figures.read(taker, at) for _ in range(CELLS)])
        taker.close()
        health.boot, health.at, health.tests = boot, at, tests
        return health


class Welcome:
    """Who the node is: the firmware's build, the board, its own number, and why it stopped last time, if it broke.

    `session` is the number of the HELLO that this answers.
    """

    def __init__(self, boot: int, build: str, board: str, serial: str, broke: str = "") -> None:
        self.session = 0
        self.boot = boot
        self.build = build
        self.board = board
        self.serial = serial
        self.broke = broke

    def write(self, writer: Writer) -> memoryview:
        """Write it as a frame."""
        writer.begin(WELCOME)
        writer.long(self.session)
        writer.short(self.boot)
        for text in (self.build, self.board, self.serial, self.broke):
            writer.text(text)
        return writer.finish()

    @classmethod
    def read(cls, payload: bytes) -> "Welcome":
        """Read a payload."""
        taker = Taker(payload)
        session = taker.long()
        welcome = cls(taker.short(), taker.text(), taker.text(), taker.text(), taker.text())
        welcome.session = session
        taker.close()
        return welcome

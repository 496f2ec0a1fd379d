"""What node and host say to each other over the cable: the same file at both ends, with no hardware in it.

A frame, all numbers little-endian:

    mark (2) | version (1) | kind (1) | number (2) | length (2) | check (1) | payload (length) | CRC-32 (4)

`check` is the sum of the header's other bytes, so that a mark that is none is recognised at once. `number` counts the
frames of a sender. Every payload is a state, never a change: who misses a frame has lost nothing but time. A payload
may end in zeros that mean nothing: they bring the frame to a length for which the node has a view of its buffer ready,
because making one would allocate memory.

The frame and the kinds HELLO and RESTART are the same in every version, so that any program can ask any firmware for
its version, and replace it.
"""

import struct
from array import array
from binascii import crc32

VERSION = 1
MARK = b"\xa5\x5a"
HEADER = 9
TRAILER = 4
STEP = 16
MOST_BYTES = 1024  # of a frame; four long UIDs on every cell make 922
WAIT_MS = 500  # how long the rest of a frame may take before its beginning is believed to be none
TICKS = 0x3FFFFFFF  # the node counts milliseconds up to here, then from 0 again

# node to host
WELCOME = 1  # who I am: the answer to HELLO
STATE = 2  # the whole board, each sweep and each time a button moves; the node's heartbeat
HEALTH = 3  # every reader's figures, once a second and after a self-test
# host to node
HELLO = 16
CONFIGURE = 17
EXPECT = 18  # which tag was last seen where, so that a node that has just started need not find out
LIGHTS = 19  # how bright they are, twice a second at the least; the host's heartbeat
SELF_TEST = 20
RESTART = 21

AGAIN = 0
FOR_UPDATE = 1  # stop, and leave the cable to whoever copies a new firmware
TO_BOOTLOADER = 2

CELLS = 17  # a1 to d4, rank by rank, then the place where a piece is offered
BUTTONS = 3  # call, second, menu
EDGES = 8  # of each button, the newest
LAMPS = 3
NOTHING = 255  # instead of a pin or a line: there is none
OLD = 0xFFFF  # an age, in milliseconds, of this or more
NEVER = TICKS

OUTCOMES = ("empty", "tag", "several", "error", "dead")
EMPTY, TAG, SEVERAL, ERROR, DEAD = range(5)
FAULTS = ("", "RECEPTION", "CHECK", "BROKEN_OFF", "CONFIGURATION", "RESET", "NO_ANSWER", "NO_CHIP")
RECEPTION, CHECK, BROKEN_OFF, CONFIGURATION, RESET, NO_ANSWER, NO_CHIP = range(1, 8)
MOST_TAGS = 4
MOST_UID = 10
MOST_TEXT = 80  # bytes of one text


class Damaged(ValueError):
    """A payload that says what cannot be."""


class Frame:
    """A frame whose checksum was right."""

    def __init__(self, version: int, kind: int, number: int, payload: bytes) -> None:
        self.version = version
        self.kind = kind
        self.number = number
        self.payload = payload


def since(earlier: int, later: int) -> int:
    """How many milliseconds lie between two moments of the node's clock, which starts again after `TICKS`."""
    return (later - earlier) & TICKS


# -- the CRC without a number above 30 bits, for which MicroPython would have to allocate memory -----------------------


def _crc_table() -> tuple["array[int]", "array[int]"]:
    low, high = array("H", bytes(512)), array("H", bytes(512))
    for index in range(256):
        value = index
        for _ in range(8):
            value = value >> 1 ^ (0xEDB88320 if value & 1 else 0)
        low[index], high[index] = value & 0xFFFF, value >> 16
    return low, high


_LOW, _HIGH = _crc_table()


class Writer:
    """Writes frames into one buffer; it allocates nothing."""

    def __init__(self, size: int = MOST_BYTES) -> None:
        self._buffer = bytearray(size)
        self._views = [memoryview(self._buffer)[: STEP * steps] for steps in range(size // STEP + 1)]
        self._at = 0
        self._number = 0

    def begin(self, kind: int, version: int = VERSION) -> None:
        """Begin a frame."""
        self._buffer[0] = MARK[0]
        self._buffer[1] = MARK[1]
        self._buffer[2] = version
        self._buffer[3] = kind
        self._at = 4
        self.short(self._number)
        self._number = (self._number + 1) & 0xFFFF
        self._at = HEADER

    def byte(self, value: int) -> None:
        """Add a byte."""
        self._buffer[self._at] = value
        self._at += 1

    def short(self, value: int) -> None:
        """Add two bytes."""
        self._buffer[self._at] = value & 0xFF
        self._buffer[self._at + 1] = value >> 8 & 0xFF
        self._at += 2

    def long(self, value: int) -> None:
        """Add four bytes of a number up to `TICKS`."""
        self.short(value & 0xFFFF)
        self.short(value >> 16)

    def bytes(self, values: "bytes | bytearray", count: int) -> None:
        """Add the first bytes of these."""
        for index in range(count):
            self._buffer[self._at + index] = values[index]
        self._at += count

    def text(self, text: str) -> None:
        """Add the characters of a text that fit into 80 bytes, with the number of the bytes before them."""
        data = text.encode()
        length = min(len(data), MOST_TEXT)
        while length < len(data) and data[length] & 0xC0 == 0x80:  # in the middle of a character
            length -= 1
        self.byte(length)
        self.bytes(data, length)

    def finish(self) -> memoryview:
        """Close the frame and return it; the next one is written over it."""
        buffer = self._buffer
        steps = (self._at + TRAILER + STEP - 1) // STEP
        end = steps * STEP - TRAILER
        while self._at < end:
            self.byte(0)
        self._at = 6
        self.short(end - HEADER)
        check = 0
        for index in range(HEADER - 1):
            check += buffer[index]
        buffer[HEADER - 1] = check & 0xFF
        low = high = 0xFFFF
        for index in range(end):
            row = (low ^ buffer[index]) & 0xFF
            low = (low >> 8 | high << 8 & 0xFF00) ^ _LOW[row]
            high = high >> 8 ^ _HIGH[row]
        self._at = end
        self.short(low ^ 0xFFFF)
        self.short(high ^ 0xFFFF)
        return self._views[steps]


class Reader:
    """Finds the whole frames in whatever comes in; what is damaged, or no frame, is passed over."""

    def __init__(self, most: int = MOST_BYTES) -> None:
        self._most = most
        self._held = b""
        self._now = 0
        self._waits_since: int | None = None
        self.damaged = 0  # how often something was passed over

    def feed(self, data: bytes, now: int) -> None:
        """Take what has come in at this millisecond."""
        # A flood: older bytes than two frames hold nothing that is still worth anything.
        held = self._held + data
        if len(held) > 4 * MOST_BYTES:
            held = held[-2 * MOST_BYTES :]
            self.damaged += 1
        self._held = held
        if self._waits_since is not None and since(self._waits_since, now & TICKS) > WAIT_MS:
            self._skip(1)
        self._now = now & TICKS

    def next(self) -> Frame | None:
        """The next frame, None until there is a whole one."""
        while True:
            start = self._held.find(MARK)
            if start < 0:
                # the last byte may be the first half of a mark
                self._skip(len(self._held) - (self._held[-1:] == MARK[:1]))
                return None
            self._skip(start)
            held = self._held
            if len(held) < HEADER:
                self._wait()
                return None
            length = held[6] | held[7] << 8
            end = HEADER + length + TRAILER
            if sum(held[: HEADER - 1]) & 0xFF != held[HEADER - 1] or end > self._most:
                self._skip(1)
                continue
            if len(held) < end:
                self._wait()
                return None
            if crc32(held[: end - TRAILER]) != struct.unpack_from("<I", held, end - TRAILER)[0]:
                self._skip(1)
                continue
            self._held = held[end:]
            self._waits_since = None
            return Frame(held[2], held[3], held[4] | held[5] << 8, held[HEADER : end - TRAILER])

    def _wait(self) -> None:
        """Note since when the rest of a frame has been waited for."""
        if self._waits_since is None:
            self._waits_since = self._now

    def _skip(self, count: int) -> None:
        if count:
            self._held = self._held[count:]
            self._waits_since = None
            self.damaged += 1


class Taker:
    """Takes a payload apart; what is too short, or not as it should be, is damaged."""

    def __init__(self, payload: bytes) -> None:
        self._payload = payload
        self._at = 0

    def byte(self, most: int = 255) -> int:
        """The next byte."""
        return self._number(1, most)

    def short(self) -> int:
        """The next two bytes."""
        return self._number(2, 0xFFFF)

    def long(self) -> int:
        """The next four bytes, a number up to `TICKS`."""
        return self._number(4, TICKS)

    def uid(self) -> bytes:
        """The next UID, with its length before it."""
        size = self.byte(MOST_UID)
        if size not in (4, 7, 10):
            raise Damaged("a UID has 4, 7 or 10 bytes")
        return self.bytes(size)

    def bytes(self, count: int) -> bytes:
        """The next bytes."""
        taken = self._payload[self._at : self._at + count]
        if len(taken) < count:
            raise Damaged("the payload is too short")
        self._at += count
        return taken

    def text(self) -> str:
        """The next text."""
        try:
            return str(self.bytes(self.byte()), "utf-8")
        except UnicodeError as error:
            raise Damaged("a text is none") from error

    def _number(self, count: int, most: int) -> int:
        value = 0
        for place, part in enumerate(self.bytes(count)):
            value |= part << 8 * place
        if value > most:
            raise Damaged("a number is too large")
        return value

    def close(self) -> None:
        """Make sure that nothing is left but the zeros that fill up a frame."""
        rest = self._payload[self._at :]
        if len(rest) >= STEP or any(rest):
            raise Damaged("the payload is too long")

"""What node and host say to each other over the cable: the same file at both ends, with no hardware in it.

A frame, all numbers little-endian:

    mark (1) | links (4) | version (1) | kind (1) | number (2) | payload | CRC-32 (4) | mark (1)

The mark stands nowhere between the two, so whatever garbage comes, the next mark ends it, and a frame that is damaged
costs no other one. What lies behind the links is divided into rows of 254 bytes, and each row has a link. A link says
how far it is to the row's first mark, which is a link to the next one in its turn; 255 says that there is none. A link
is written as its exclusive or with the mark, and so is never the mark itself. (This is COBS, consistent overhead byte
stuffing, with all the bytes that it adds in front: so a frame is stuffed where it stands.) The CRC is that of the bytes
from version to payload, before they were stuffed.

`number` counts the frames of a sender. Every payload is a state, never a change: who misses a frame has lost nothing
but time. A payload may end in zeros that mean nothing: they bring the frame to a length for which the node has a view
of its buffer ready, because making one would allocate memory.

The frame, the kinds HELLO and RESTART and the number that WELCOME begins with are the same in every version from 2 on,
so that any program can ask any firmware for its version, and replace it. Version 1 had other frames, which the host
still knows.
"""

from binascii import crc32
from struct import pack_into

VERSION = 3
NUMBERED_SINCE = 2  # HELLO has a number, and WELCOME returns it
MARK = 0x7E
ROW = 254
ROWS = 4
NO_MARK = 255  # a link to nowhere
HEADER = 4  # version, kind, number
CRC = 4
STEP = 16
MOST_BYTES = 1008  # of a frame; four long UIDs on every cell make 923
TICKS = 0x3FFFFFFF  # the node counts milliseconds up to here, then from 0 again

# node to host; whatever the version, all kinds below FIRST_OF_HOST
WELCOME = 1  # who I am: the answer to HELLO, with its number
STATE = 2  # the whole board, each sweep and each time a button moves; the node's heartbeat
HEALTH = 3  # every reader's figures, once a second and after a self-test
# host to node
FIRST_OF_HOST = 16
HELLO = 16  # who are you; with a number that is another one for each connection
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
TAGS_BYTES = MOST_TAGS * (1 + MOST_UID)  # each UID with its length before it
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


# where things stand in a frame
_LINKS = 1
_BODY = _LINKS + ROWS
_PAYLOAD = _BODY + HEADER
_LEAST = ROWS + HEADER + CRC  # between two marks
_MARK = bytes((MARK,))


class Writer:
    """Writes frames into one buffer: payloads go there from `at` on.

    Nothing is allocated but a number for the checksum, by `finish`.
    """

    def __init__(self, size: int = MOST_BYTES) -> None:
        self.buffer = bytearray(size)
        self.at = 0
        self._views = [memoryview(self.buffer)[: STEP * steps] for steps in range(size // STEP + 1)]
        self._checked = [view[_BODY : -CRC - 1] for view in self._views]
        self._number = 0

    def begin(self, kind: int, version: int = VERSION) -> None:
        """Begin a frame."""
        pack_into("<BBH", self.buffer, _BODY, version, kind, self._number)
        self._number = (self._number + 1) & 0xFFFF
        self.at = _PAYLOAD

    def byte(self, value: int) -> None:
        """Add a byte."""
        self.buffer[self.at] = value
        self.at += 1

    def short(self, value: int) -> None:
        """Add two bytes."""
        pack_into("<H", self.buffer, self.at, value)
        self.at += 2

    def long(self, value: int) -> None:
        """Add four bytes of a number up to `TICKS`."""
        pack_into("<I", self.buffer, self.at, value)
        self.at += 4

    def bytes(self, values: "bytes | bytearray", count: int) -> None:
        """Add the first bytes of these."""
        for index in range(count):
            self.buffer[self.at + index] = values[index]
        self.at += count

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
        buffer, at = self.buffer, self.at
        steps = (at + CRC + STEP) // STEP
        end = steps * STEP - 1
        while at < end - CRC:
            buffer[at] = 0
            at += 1
        pack_into("<I", buffer, at, crc32(self._checked[steps]))
        self._stuff(end)
        buffer[0] = buffer[end] = MARK
        return self._views[steps]

    def _stuff(self, end: int) -> None:
        """Put links where marks stand, and where there would be others."""
        buffer = self.buffer
        start = _BODY
        for row in range(ROWS):
            link, before = _LINKS + row, start - 1
            stop = min(start + ROW, end)
            found = buffer.find(_MARK, start, stop) if start < stop else -1
            while found >= 0:
                buffer[link] = found - before ^ MARK
                link = before = found
                found = buffer.find(_MARK, found + 1, stop)
            buffer[link] = NO_MARK ^ MARK
            start += ROW


def _unstuffed(stuffed: bytes) -> "bytes | None":
    """What stood behind the links before it was stuffed; None if the links lead nowhere."""
    data = bytearray(stuffed)
    start = ROWS
    for row in range(ROWS):
        stop = min(start + ROW, len(data))
        link, at = data[row] ^ MARK, start - 1
        while link != NO_MARK:
            at += link
            if not start <= at < stop:
                return None
            link = data[at] ^ MARK
            data[at] = MARK
        start += ROW
    return bytes(data[ROWS:])


class Reader:
    """Finds the whole frames in whatever comes in; what is damaged, or no frame, is passed over.

    So is what the own side has said, if it comes back: the reader of the host hears nodes, and that of a node the host.
    """

    def __init__(self, most: int = MOST_BYTES, *, hears_host: bool = False) -> None:
        self._most = most
        self._hears_host = hears_host
        self._held = b""
        self.damaged = 0  # how often something was passed over
        self.came_back = 0  # how many frames were the own side's

    def feed(self, data: bytes) -> None:
        """Take what has come in."""
        # A flood: older bytes than two frames hold nothing that is still worth anything.
        held = self._held + data
        if len(held) > 4 * MOST_BYTES:
            held = held[-2 * MOST_BYTES :]
            self.damaged += 1
        self._held = held

    def next(self) -> Frame | None:
        """The next frame, None until there is a whole one."""
        while True:
            held = self._held
            end = held.find(_MARK)
            if end < 0:
                if len(held) > self._most:
                    self._held = b""
                    self.damaged += 1
                return None
            self._held = held[end + 1 :]
            if not end:
                continue  # between the mark that ended one frame and that which begins the next
            frame = self._frame_of(held[:end])
            if frame is None:
                self.damaged += 1
            elif (frame.kind >= FIRST_OF_HOST) != self._hears_host:
                self.came_back += 1
            else:
                return frame

    def _frame_of(self, stuffed: bytes) -> Frame | None:
        if not _LEAST <= len(stuffed) <= self._most:
            return None
        body = _unstuffed(stuffed)
        if body is None or crc32(body[:-CRC]) != int.from_bytes(body[-CRC:], "little"):
            return None
        return Frame(body[0], body[1], body[2] | body[3] << 8, body[HEADER:-CRC])


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

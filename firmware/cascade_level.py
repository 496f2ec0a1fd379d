"""One cascade level of a UID: found out by anticollision or known already, then confirmed or selected.

A level is four bytes and their check byte; a UID has one, two or three of them. What a step finds
out is left in attributes, and it returns whether it went well; nothing is allocated.
"""

from quarto_pi.firmware.exchange import Dialogue
from quarto_pi.firmware.iso14443 import (
    CASCADE_TAG,
    CRC_FIRST,
    CRC_TABLE,
    LEVEL_BYTES,
    LEVELS,
    NOTHING_KNOWN,
    SAK_BYTES,
    SELECT_ALL,
    crc_a,
    exchange_us,
)
from quarto_pi.firmware.protocol import CHECK, MOST_UID
from quarto_pi.firmware.rc522 import COLLISION, DATA, FIFO_WRITE, SILENCE

_ASK_BYTES = 2
_ASK_US = exchange_us(_ASK_BYTES, 0, LEVEL_BYTES)
_SELECT_BYTES = 9
_SELECT_US = exchange_us(_SELECT_BYTES, 0, SAK_BYTES)


class KnownTag:
    """The UID that a reader saw last, with the frames that select it; none, if its size is 0."""

    def __init__(self) -> None:
        self.uid = bytearray(MOST_UID)
        self.size = 0
        self.levels = 0
        self.selects = [bytearray(1 + _SELECT_BYTES) for _ in LEVELS]

    def learn(self, data: bytes, start: int, size: int) -> None:
        """Be the UID of this size that begins there; zeros lie behind it, so that equal UIDs are equal bytes."""
        uid = self.uid
        for place in range(MOST_UID):
            uid[place] = data[start + place] if place < size else 0
        self.size = size
        self.levels = (size - 1) // 3
        for number in range(self.levels):
            fill_select(self.selects[number], number, uid, size)


def fill_select(frame: bytearray, number: int, uid: bytearray, size: int) -> None:
    """Write the frame that selects a level of this UID."""
    frame[0] = FIFO_WRITE
    frame[1] = LEVELS[number]
    frame[2] = SELECT_ALL
    start = 3 * number
    if number + 1 < (size - 1) // 3:
        frame[3] = CASCADE_TAG
        for place in range(3):
            frame[4 + place] = uid[start + place]
    else:
        for place in range(4):
            frame[3 + place] = uid[start + place]
    frame[7] = frame[3] ^ frame[4] ^ frame[5] ^ frame[6]
    crc = crc_a(frame, 1, 8)
    frame[8] = crc & 0xFF
    frame[9] = crc >> 8


class CascadeLevel:
    """The level that is being talked about with the tags: its bytes are in `data`."""

    def __init__(self, dialogue: Dialogue) -> None:
        self.data = bytearray(LEVEL_BYTES)
        self.collided = False  # until somebody clears it
        self._dialogue = dialogue
        self._ask = memoryview(dialogue.frame)[: 1 + _ASK_BYTES]
        self._prefix = bytearray(LEVEL_BYTES)
        self._frame = bytearray(1 + _SELECT_BYTES)
        self._frame[0] = FIFO_WRITE
        self._frame[2] = SELECT_ALL

    def confirm(self, command: int, frame: bytearray) -> bool:
        """Ask all tags for their level, and return whether the one that this frame selects and no other came."""
        dialogue = self._dialogue
        ask = dialogue.frame
        ask[1] = command
        ask[2] = NOTHING_KNOWN
        kind = dialogue.ask(self._ask, _ASK_US, LEVEL_BYTES)
        if kind != DATA:
            return dialogue.blame(kind)
        data = dialogue.chip.data
        if (
            data[1] == frame[3]
            and data[2] == frame[4]
            and data[3] == frame[5]
            and data[4] == frame[6]
            and data[5] == frame[7]
        ):
            return True
        dialogue.fault = CHECK
        return False

    def recognise(self, frame: bytearray) -> int:
        """Select a known level by its frame and return SAK, -1 if that went wrong."""
        dialogue = self._dialogue
        kind = dialogue.ask(frame, _SELECT_US, SAK_BYTES)
        if kind != DATA:
            dialogue.blame(kind)
            return -1
        data = dialogue.chip.data
        sak = data[1]
        if CRC_FIRST >> 8 ^ CRC_TABLE[CRC_FIRST & 0xFF ^ sak] != data[2] | data[3] << 8:
            dialogue.fault = CHECK
            return -1
        return sak

    def find_out(self, command: int) -> bool:
        """Ask all tags for their level, and go on with one of them as long as they collide."""
        kind = self._ask_all(command)
        if kind != COLLISION:
            return self._take(kind, 0)
        self.collided = True
        chip = self._dialogue.chip
        known_bits = chip.collision
        length = (known_bits + 7) // 8
        for place in range(length):
            self._prefix[place] = chip.data[1 + place] if place < chip.got else 0
        mask = 1 << (known_bits - 1) % 8
        self._prefix[length - 1] &= mask - 1
        # with two tags each branch holds one; a collision that was noise leaves one branch silent
        self._prefix[length - 1] |= mask
        kind = self._narrow(command, known_bits)
        if kind == SILENCE:
            self._prefix[length - 1] ^= mask
            kind = self._narrow(command, known_bits)
        return self._take(kind, known_bits)

    def select(self, command: int) -> int:
        """Select the level that was found out and return SAK, -1 if that went wrong."""
        frame = self._frame
        frame[1] = command
        for place in range(LEVEL_BYTES):
            frame[3 + place] = self.data[place]
        crc = crc_a(frame, 1, 8)
        frame[8] = crc & 0xFF
        frame[9] = crc >> 8
        return self.recognise(frame)

    def _ask_all(self, command: int) -> int:
        self._dialogue.frame[1] = command
        self._dialogue.frame[2] = NOTHING_KNOWN
        return self._dialogue.next(2, LEVEL_BYTES, 0)

    def _narrow(self, command: int, known_bits: int) -> int:
        """Ask those tags only that begin with the prefix."""
        frame = self._dialogue.frame
        whole, bits = known_bits // 8, known_bits % 8
        length = (known_bits + 7) // 8
        frame[1] = command
        frame[2] = NOTHING_KNOWN + (whole << 4) + bits
        for place in range(length):
            frame[3 + place] = self._prefix[place]
        return self._dialogue.next(2 + length, LEVEL_BYTES - whole, bits)

    def _take(self, kind: int, known_bits: int) -> bool:
        """Put what was known and what has come together to a level, and check it."""
        if kind != DATA:
            return self._dialogue.blame(kind)
        level, data = self.data, self._dialogue.chip.data
        whole = known_bits // 8
        for place in range(whole):
            level[place] = self._prefix[place]
        for place in range(LEVEL_BYTES - whole):
            level[whole + place] = data[1 + place]
        if known_bits % 8:
            # the answer began in the middle of the prefix's last byte
            level[whole] |= self._prefix[whole]
        if level[0] ^ level[1] ^ level[2] ^ level[3] != level[4]:
            self._dialogue.fault = CHECK
            return False
        return True

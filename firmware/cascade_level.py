"""One cascade level of a UID: found out by anticollision or known already, then confirmed or selected.

A level is four bytes and their check byte; a UID has one, two or three of them. What a step finds
out is left in attributes, and it returns whether it went well; nothing is allocated.
"""

from quarto_pi.firmware.exchange import Dialogue
from quarto_pi.firmware.iso14443 import CASCADE_TAG, LEVEL_BYTES, NOTHING_KNOWN, SAK_BYTES, SELECT_ALL, crc_a
from quarto_pi.firmware.protocol import CHECK
from quarto_pi.firmware.rc522 import COLLISION, DATA, SILENCE


class CascadeLevel:
    """The level that is being talked about with the tags: its bytes are in `data`."""

    def __init__(self, dialogue: Dialogue) -> None:
        self.data = bytearray(LEVEL_BYTES)
        self.collided = False  # until somebody clears it
        self._dialogue = dialogue
        self._prefix = bytearray(LEVEL_BYTES)

    def load(self, uid: bytearray, size: int, number: int) -> None:
        """Be the level with this number of a UID of this size."""
        level = self.data
        start = 3 * number
        if number + 1 < (size - 1) // 3:
            level[0] = CASCADE_TAG
            for place in range(3):
                level[1 + place] = uid[start + place]
        else:
            for place in range(4):
                level[place] = uid[start + place]
        level[4] = level[0] ^ level[1] ^ level[2] ^ level[3]

    def confirm(self, command: int) -> bool:
        """Ask all tags for their level, and return whether this one and no other came."""
        kind = self._ask_all(command)
        if kind != DATA:
            return self._dialogue.blame(kind)
        for place in range(LEVEL_BYTES):
            if self._dialogue.chip.data[place] != self.data[place]:
                self._dialogue.fault = CHECK
                return False
        return True

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
            self._prefix[place] = chip.data[place] if place < chip.got else 0
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
        """Select the level and return SAK, -1 if that went wrong."""
        dialogue = self._dialogue
        frame = dialogue.frame
        frame[0] = command
        frame[1] = SELECT_ALL
        for place in range(LEVEL_BYTES):
            frame[2 + place] = self.data[place]
        crc = crc_a(frame, 0, 7)
        frame[7] = crc & 0xFF
        frame[8] = crc >> 8
        kind = dialogue.next(9, SAK_BYTES, 0)
        if kind != DATA:
            dialogue.blame(kind)
            return -1
        data = dialogue.chip.data
        if crc_a(data, 0, 1) != data[1] | data[2] << 8:
            dialogue.fault = CHECK
            return -1
        return data[0]

    def _ask_all(self, command: int) -> int:
        self._dialogue.frame[0] = command
        self._dialogue.frame[1] = NOTHING_KNOWN
        return self._dialogue.next(2, LEVEL_BYTES, 0)

    def _narrow(self, command: int, known_bits: int) -> int:
        """Ask those tags only that begin with the prefix."""
        frame = self._dialogue.frame
        whole, bits = known_bits // 8, known_bits % 8
        length = (known_bits + 7) // 8
        frame[0] = command
        frame[1] = NOTHING_KNOWN + (whole << 4) + bits
        for place in range(length):
            frame[2 + place] = self._prefix[place]
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
            level[whole + place] = data[place]
        if known_bits % 8:
            # the answer began in the middle of the prefix's last byte
            level[whole] |= self._prefix[whole]
        if level[0] ^ level[1] ^ level[2] ^ level[3] != level[4]:
            self._dialogue.fault = CHECK
            return False
        return True

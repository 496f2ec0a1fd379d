"""One poll of one reader: wake, confirm or find out, send to sleep; nothing is believed unchecked.

The steps are those of `quarto_pi.devices.polling`, but nothing is allocated: there are no exceptions and no new bytes.
What a step finds out is left in attributes, and it returns whether it went well.
"""

from time import sleep_us, ticks_add, ticks_diff, ticks_us

from quarto_pi.firmware.iso14443 import (
    ATQA_BYTES,
    CASCADE_BIT,
    CASCADE_TAG,
    GAP_US,
    GUARD_US,
    LEVEL_BYTES,
    LEVELS,
    NOTHING_KNOWN,
    REQA,
    SAK_BYTES,
    SELECT_ALL,
    SHORT_FRAME_BITS,
    WUPA,
    crc_a,
    exchange_us,
    sending_us,
)
from quarto_pi.firmware.protocol import (
    BROKEN_OFF,
    CHECK,
    CONFIGURATION,
    DEAD,
    EMPTY,
    ERROR,
    MOST_TAGS,
    MOST_UID,
    NO_ANSWER,
    NO_CHIP,
    RECEPTION,
    RESET,
    SEVERAL,
    TAG,
)
from quarto_pi.firmware.rc522 import COLLISION, DATA, PENDING, SILENCE, Chip

LEAD_US = 20  # what a transfer takes at the least before its first byte
RECHECK_US = 60
RECHECKS = 4
AFTER_HALT_US = 100
NO_SURVEY = -1

# by what an answer turned out to be: data, silence, collision, garbled, pending, reset, no chip, misconfigured
_FAULT_BY_ANSWER = (CHECK, BROKEN_OFF, RECEPTION, RECEPTION, NO_ANSWER, RESET, NO_CHIP, CONFIGURATION)
# made once: a tuple of names is a new one each time it is come by
_FOUND = (TAG, SEVERAL)
_CLEAR = (DATA, SILENCE, COLLISION)
_CHIP_FAULTS = (NO_CHIP, RESET, NO_ANSWER, CONFIGURATION)


def wait_until(moment: int) -> None:
    """Let the time pass up to a moment of `ticks_us`."""
    left = ticks_diff(moment, ticks_us())
    if left > 0:
        sleep_us(left)


class Poll:
    """Polls one reader after the other; what it found is in `outcome`, `fault`, `missed` and the UIDs."""

    def __init__(self) -> None:
        self.outcome = EMPTY
        self.fault = 0
        self.missed = False
        self.count = 0
        self.sizes = bytearray(MOST_TAGS)
        self.data = bytearray(MOST_TAGS * MOST_UID)
        self._chip: Chip | None = None
        self._known = bytearray(MOST_UID)
        self._survey = NO_SURVEY
        self._audit = False
        self._tag_is_active = False
        self._collided = False
        self._frame = bytearray(16)
        self._level = bytearray(LEVEL_BYTES)
        self._prefix = bytearray(LEVEL_BYTES)
        self._air_is_free_at = 0

    def warm_up(self, chip: Chip) -> int:
        """Switch the field on, load the call, and return the moment at which tags are ready for it."""
        chip.field_on()
        ready_at = ticks_add(ticks_us(), GUARD_US - LEAD_US)
        chip.prepare(WUPA, SHORT_FRAME_BITS)
        return ready_at

    def ask(self, chip: Chip, known: bytearray, size: int, survey: int, audit: bool) -> None:
        """Find out what is in the warm field of a reader that has known a UID of this size so far, 0 for none."""
        self._chip = chip
        self._known = known
        self._survey = survey
        self._audit = audit
        self._air_is_free_at = ticks_us()
        self.missed = False
        self.outcome = self._attempt(size, True)
        if self._is_clear():
            return
        if self.outcome == EMPTY and not size:
            return
        first, fault = self.outcome, self.fault
        self.outcome = self._attempt(0, False)
        self.missed = bool(size) and (not fault or fault == BROKEN_OFF)
        if self._is_clear():
            return
        if first == EMPTY and self.outcome == EMPTY:
            self.missed = True
            # a chip without its modulation setting hears clean silence too
            if not chip.holds_configuration():
                self.outcome, self.fault = ERROR, CONFIGURATION
            return
        self.outcome, self.fault, self.count = ERROR, fault or self.fault, 0

    def cool_down(self, chip: Chip) -> None:
        """Send a selected tag to sleep and switch the field off."""
        if self._tag_is_active:
            self._halt()
        chip.field_off()

    def _is_clear(self) -> bool:
        """Return whether an attempt has settled it: a tag was found, or the chip is at fault."""
        if self.outcome in _FOUND:
            return True
        if self.fault not in _CHIP_FAULTS:
            return False
        if self.fault == NO_CHIP and self._chip.version() in (0x00, 0xFF):
            self.outcome = DEAD
        return True

    def _attempt(self, size: int, first: bool) -> int:
        self._tag_is_active = False
        self.count = 0
        self.fault = 0
        kind = self._wake(first)
        if kind == SILENCE:
            return EMPTY
        if self.fault:
            return ERROR
        if size and kind == DATA:
            if not self._recognise(size):
                return ERROR
            self._keep_known(size)
            return TAG
        if not self._find_all(kind == COLLISION):
            if self.count > 1:
                self.fault = 0
                return SEVERAL
            self.count = 0
            return ERROR
        return SEVERAL if self.count > 1 else TAG

    def _wake(self, loaded: bool) -> int:
        """Call all tags and return what came.

        After a broken exchange a tag spends one call on falling back to IDLE, and answers the next
        (ISO 14443-3, figure 7), so then silence is believed the second time only.
        """
        kind = self._call(WUPA, loaded)
        if kind == SILENCE and not loaded:
            kind = self._call(WUPA, False)
        return kind

    def _call(self, command: int, loaded: bool) -> int:
        if not loaded:
            self._chip.prepare(command, SHORT_FRAME_BITS)
        audit = self._audit
        self._audit = False
        kind = self._exchange(1, ATQA_BYTES, SHORT_FRAME_BITS, 0, audit)
        if kind not in _CLEAR:
            self._blame(kind)
        return kind

    def _recognise(self, size: int) -> bool:
        """SELECT a known UID level by level, without anticollision.

        SELECT is deaf to other tags, so a survey asks one level, a different one each time, for all that are there.
        """
        levels = (size - 1) // 3
        for number in range(levels):
            self._load_level(size, number)
            if self._survey != NO_SURVEY and number == self._survey % levels:
                return self._confirm(LEVELS[number])
            sak = self._select(LEVELS[number])
            if sak < 0:
                return False
            if bool(sak & CASCADE_BIT) != (number + 1 < levels):
                self.fault = CHECK
                return False
        self._tag_is_active = True
        return True

    def _load_level(self, size: int, number: int) -> None:
        level, known = self._level, self._known
        start = 3 * number
        if number + 1 < (size - 1) // 3:
            level[0] = CASCADE_TAG
            for place in range(3):
                level[1 + place] = known[start + place]
        else:
            for place in range(4):
                level[place] = known[start + place]
        level[4] = level[0] ^ level[1] ^ level[2] ^ level[3]

    def _confirm(self, command: int) -> bool:
        self._frame[0] = command
        self._frame[1] = NOTHING_KNOWN
        kind = self._next(2, LEVEL_BYTES, 0)
        if kind != DATA:
            return self._blame(kind)
        for place in range(LEVEL_BYTES):
            if self._chip.data[place] != self._level[place]:
                self.fault = CHECK
                return False
        return True

    def _keep_known(self, size: int) -> None:
        for place in range(size):
            self.data[place] = self._known[place]
        self.sizes[0] = size
        self.count = 1

    def _find_all(self, several: bool) -> bool:
        """Collect UIDs until nobody is left."""
        while True:
            if not self._find_one():
                return False
            several = several or self._collided
            if not several or self.count == MOST_TAGS:
                return True
            if self._tag_is_active:
                self._halt()
                self._tag_is_active = False
            # a halted tag no longer answers REQA: whoever does is another one
            kind = self._call(REQA, False)
            if kind == SILENCE:
                return True
            if self.fault:
                return False

    def _find_one(self) -> bool:
        """Go through the cascade levels of one UID."""
        self._collided = False
        end = self.count * MOST_UID
        for number in range(3):
            if not self._anticollision(LEVELS[number]):
                return False
            goes_on = self._level[0] == CASCADE_TAG
            for place in range(1 if goes_on else 0, 4):
                self.data[end] = self._level[place]
                end += 1
            sak = self._select(LEVELS[number])
            if sak < 0:
                return False
            if bool(sak & CASCADE_BIT) != goes_on:
                break
            if not goes_on:
                self._tag_is_active = True
                self.sizes[self.count] = end - self.count * MOST_UID
                self.count += 1
                return True
            if number == 2:
                break
        self.fault = CHECK
        return False

    def _anticollision(self, command: int) -> bool:
        self._frame[0] = command
        self._frame[1] = NOTHING_KNOWN
        kind = self._next(2, LEVEL_BYTES, 0)
        if kind != COLLISION:
            return self._take_level(kind, 0)
        self._collided = True
        known_bits = self._chip.collision
        length = (known_bits + 7) // 8
        for place in range(length):
            self._prefix[place] = self._chip.data[place] if place < self._chip.got else 0
        mask = 1 << (known_bits - 1) % 8
        self._prefix[length - 1] &= mask - 1
        # with two tags each branch holds one; a collision that was noise leaves one branch silent
        self._prefix[length - 1] |= mask
        kind = self._narrow(command, known_bits)
        if kind == SILENCE:
            self._prefix[length - 1] ^= mask
            kind = self._narrow(command, known_bits)
        return self._take_level(kind, known_bits)

    def _narrow(self, command: int, known_bits: int) -> int:
        whole, bits = known_bits // 8, known_bits % 8
        length = (known_bits + 7) // 8
        self._frame[0] = command
        self._frame[1] = NOTHING_KNOWN + (whole << 4) + bits
        for place in range(length):
            self._frame[2 + place] = self._prefix[place]
        return self._next(2 + length, LEVEL_BYTES - whole, bits)

    def _take_level(self, kind: int, known_bits: int) -> bool:
        """Put what was known and what has come together to a level, and check it."""
        if kind != DATA:
            return self._blame(kind)
        level, data = self._level, self._chip.data
        whole = known_bits // 8
        for place in range(whole):
            level[place] = self._prefix[place]
        for place in range(LEVEL_BYTES - whole):
            level[whole + place] = data[place]
        if known_bits % 8:
            # the answer began in the middle of the prefix's last byte
            level[whole] |= self._prefix[whole]
        if level[0] ^ level[1] ^ level[2] ^ level[3] != level[4]:
            self.fault = CHECK
            return False
        return True

    def _select(self, command: int) -> int:
        """Select the level and return SAK, -1 if that went wrong."""
        frame = self._frame
        frame[0] = command
        frame[1] = SELECT_ALL
        for place in range(LEVEL_BYTES):
            frame[2 + place] = self._level[place]
        crc = crc_a(frame, 0, 7)
        frame[7] = crc & 0xFF
        frame[8] = crc >> 8
        kind = self._next(9, SAK_BYTES, 0)
        if kind != DATA:
            self._blame(kind)
            return -1
        data = self._chip.data
        if crc_a(data, 0, 1) != data[1] | data[2] << 8:
            self.fault = CHECK
            return -1
        return data[0]

    def _halt(self) -> None:
        """Send the active tag to sleep; it answers nothing to that (ISO 14443-3, 6.4.3)."""
        frame = self._frame
        frame[0] = 0x50
        frame[1] = 0x00
        crc = crc_a(frame, 0, 2)
        frame[2] = crc & 0xFF
        frame[3] = crc >> 8
        self._chip.load(frame, 4)
        wait_until(self._air_is_free_at)
        self._chip.start(0, 0)
        ends_at = ticks_add(ticks_us(), sending_us(4, 0))
        self._air_is_free_at = ticks_add(ends_at, AFTER_HALT_US)
        wait_until(ticks_add(ends_at, -LEAD_US))

    def _next(self, length: int, answer_bytes: int, bits: int) -> int:
        """Go on with a further frame; its last byte has so many bits, and the answer begins behind them."""
        self._chip.load(self._frame, length)
        return self._exchange(length, answer_bytes, bits, bits, False)

    def _exchange(self, sent: int, wanted: int, last_bits: int, align: int, audit: bool) -> int:
        chip = self._chip
        wait_until(self._air_is_free_at)
        chip.start(last_bits, align)
        ends_at = ticks_add(ticks_us(), exchange_us(sent, last_bits, wanted))
        self._air_is_free_at = ticks_add(ends_at, GAP_US)
        wait_until(ticks_add(ends_at, -LEAD_US))
        kind = chip.answer(wanted, 0, audit)
        tries = 0
        while kind == PENDING and tries < RECHECKS:
            sleep_us(RECHECK_US)
            self._air_is_free_at = ticks_add(ticks_us(), GAP_US)
            kind = chip.answer(wanted, chip.got, False)
            tries += 1
        if kind == PENDING:
            chip.distrust_fifo()
        return kind

    def _blame(self, kind: int) -> bool:
        """Note what is wrong with an answer that cannot be used."""
        # an answer that broke off in the middle was received badly
        self.fault = RECEPTION if kind == PENDING and self._chip.got else _FAULT_BY_ANSWER[kind]
        return False

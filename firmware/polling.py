"""One poll of one reader: wake, confirm or find out, send to sleep; nothing is believed unchecked.

The steps are those of `quarto_pi.devices.polling`, but nothing is allocated: there are no exceptions and no new bytes.
What a step finds out is left in attributes, and it returns whether it went well.
"""

from time import ticks_add, ticks_us

from quarto_pi.firmware.cascade_level import CascadeLevel
from quarto_pi.firmware.exchange import LEAD_US, Dialogue
from quarto_pi.firmware.iso14443 import CASCADE_BIT, CASCADE_TAG, GUARD_US, LEVELS, REQA, SHORT_FRAME_BITS, WUPA
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
    RESET,
    SEVERAL,
    TAG,
)
from quarto_pi.firmware.rc522 import COLLISION, DATA, SILENCE, Chip

NO_SURVEY = -1

# made once: a tuple of names is a new one each time it is come by
_FOUND = (TAG, SEVERAL)
_CHIP_FAULTS = (NO_CHIP, RESET, NO_ANSWER, CONFIGURATION)


class Poll:
    """Polls one reader after the other; what it found is in `outcome`, `fault`, `missed` and the UIDs."""

    def __init__(self) -> None:
        self.outcome = EMPTY
        self.fault = 0
        self.missed = False
        self.count = 0
        self.sizes = bytearray(MOST_TAGS)
        self.data = bytearray(MOST_TAGS * MOST_UID)
        self._known = bytearray(MOST_UID)
        self._survey = NO_SURVEY
        self._tag_is_active = False
        self._dialogue = Dialogue()
        self._level = CascadeLevel(self._dialogue)

    def warm_up(self, chip: Chip) -> int:
        """Switch the field on, load the call, and return the moment at which tags are ready for it."""
        chip.field_on()
        ready_at = ticks_add(ticks_us(), GUARD_US - LEAD_US)
        chip.prepare(WUPA, SHORT_FRAME_BITS)
        return ready_at

    def ask(self, chip: Chip, known: bytearray, size: int, survey: int, audit: bool) -> None:
        """Find out what is in the warm field of a reader that has known a UID of this size so far, 0 for none."""
        self._known = known
        self._survey = survey
        self._dialogue.begin(chip, audit)
        self.missed = False
        if self._attempt(size, True):
            return
        if self.outcome == EMPTY and not size:
            return
        first, fault = self.outcome, self.fault
        is_clear = self._attempt(0, False)
        self.missed = bool(size) and (not fault or fault == BROKEN_OFF)
        if is_clear:
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
            self._dialogue.halt()
        chip.field_off()

    def _attempt(self, size: int, first: bool) -> bool:
        """Try once, and return whether that has settled it: a tag was found, or the chip is at fault."""
        self._tag_is_active = False
        self.count = 0
        self._dialogue.fault = 0
        self.outcome = self._wake_and_read(size, first)
        self.fault = self._dialogue.fault
        if self.outcome in _FOUND:
            return True
        if self.fault not in _CHIP_FAULTS:
            return False
        if self.fault == NO_CHIP and self._dialogue.chip.version() in (0x00, 0xFF):
            self.outcome = DEAD
        return True

    def _wake_and_read(self, size: int, first: bool) -> int:
        dialogue = self._dialogue
        kind = self._wake(first)
        if kind == SILENCE:
            return EMPTY
        if dialogue.fault:
            return ERROR
        if size and kind == DATA:
            if not self._recognise(size):
                return ERROR
            self._keep_known(size)
            return TAG
        if not self._find_all(kind == COLLISION):
            if self.count > 1:
                dialogue.fault = 0
                return SEVERAL
            self.count = 0
            return ERROR
        return SEVERAL if self.count > 1 else TAG

    def _wake(self, loaded: bool) -> int:
        """Call all tags and return what came.

        After a broken exchange a tag spends one call on falling back to IDLE, and answers the next
        (ISO 14443-3, figure 7), so then silence is believed the second time only.
        """
        kind = self._dialogue.call(WUPA, loaded)
        if kind == SILENCE and not loaded:
            kind = self._dialogue.call(WUPA, False)
        return kind

    def _recognise(self, size: int) -> bool:
        """SELECT a known UID level by level, without anticollision.

        SELECT is deaf to other tags, so a survey asks one level, a different one each time, for all that are there.
        """
        levels = (size - 1) // 3
        for number in range(levels):
            self._level.load(self._known, size, number)
            if self._survey != NO_SURVEY and number == self._survey % levels:
                return self._level.confirm(LEVELS[number])
            sak = self._level.select(LEVELS[number])
            if sak < 0:
                return False
            if bool(sak & CASCADE_BIT) != (number + 1 < levels):
                self._dialogue.fault = CHECK
                return False
        self._tag_is_active = True
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
            several = several or self._level.collided
            if not several or self.count == MOST_TAGS:
                return True
            if self._tag_is_active:
                self._dialogue.halt()
                self._tag_is_active = False
            # a halted tag no longer answers REQA: whoever does is another one
            kind = self._dialogue.call(REQA, False)
            if kind == SILENCE:
                return True
            if self._dialogue.fault:
                return False

    def _find_one(self) -> bool:
        """Go through the cascade levels of one UID."""
        level = self._level
        level.collided = False
        end = self.count * MOST_UID
        for number in range(3):
            if not level.find_out(LEVELS[number]):
                return False
            sak = level.select(LEVELS[number])
            if sak < 0:
                return False
            goes_on = bool(sak & CASCADE_BIT)
            # A UID never begins like a cascade tag, but its last four bytes may (ISO 14443-3, 6.5.4).
            if (goes_on or number == 0) and goes_on != (level.data[0] == CASCADE_TAG):
                break
            for place in range(1 if goes_on else 0, 4):
                self.data[end] = level.data[place]
                end += 1
            if not goes_on:
                self._tag_is_active = True
                self.sizes[self.count] = end - self.count * MOST_UID
                self.count += 1
                return True
            if number == 2:
                break
        self._dialogue.fault = CHECK
        return False

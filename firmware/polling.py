"""One poll of one reader: wake, confirm or find out, send to sleep; nothing is believed unchecked.

The steps are those of `quarto_pi.devices.readers.polling`, but the last level of a known tag is asked for and not
selected, and nothing is allocated: there are no exceptions and no new bytes.
What a step finds out is left in attributes, and it returns whether it went well.
"""

from quarto_pi.firmware.cascade_level import CascadeLevel, KnownTag
from quarto_pi.firmware.exchange import CALL_REQA, CALL_WUPA, Dialogue
from quarto_pi.firmware.iso14443 import CASCADE_BIT, CASCADE_TAG, LEVELS
from quarto_pi.firmware.protocol import (
    BROKEN_OFF,
    CHECK,
    CONFIGURATION,
    DEAD,
    EMPTY,
    ERROR,
    MOST_TAGS,
    NO_ANSWER,
    NO_CHIP,
    RESET,
    SEVERAL,
    TAG,
    TAGS_BYTES,
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
        self.recognised = False  # the tag is the known one, and was not written down again
        self.count = 0
        self.tags = bytearray(TAGS_BYTES)
        self.length = 0  # of what stands in `tags`
        self._known = KnownTag()
        self._survey = NO_SURVEY
        self._tag_is_active = False
        self._dialogue = Dialogue()
        self._level = CascadeLevel(self._dialogue)

    def get_ready(self, chip: Chip, audit: bool) -> None:
        """Load the call while the tags get ready for it; an audit looks at the chip's configuration too."""
        chip.prepare(CALL_WUPA)
        if audit:
            chip.audit()

    def ask(self, chip: Chip, known: KnownTag, survey: int) -> None:
        """Find out what is in the warm field of a reader that is ready, and has known this tag so far."""
        self._known = known
        self._survey = survey
        self._dialogue.begin(chip)
        self.missed = False
        size = known.size
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

    def begin_halt(self) -> bool:
        """Begin to send a selected tag to sleep, and return whether there is one."""
        if self._tag_is_active:
            self._dialogue.begin_halt()
        return self._tag_is_active

    def end_halt(self) -> None:
        """Wait until it sleeps."""
        self._tag_is_active = False
        self._dialogue.end_halt()

    def _attempt(self, size: int, first: bool) -> bool:
        """Try once, and return whether that has settled it: a tag was found, or the chip is at fault."""
        self._tag_is_active = self.recognised = False
        self.count = self.length = 0
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
            if not self._recognise():
                return ERROR
            self.recognised = True
            self.count = 1
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
        kind = self._dialogue.call(CALL_WUPA, loaded)
        if kind == SILENCE and not loaded:
            kind = self._dialogue.call(CALL_WUPA, False)
        return kind

    def _recognise(self) -> bool:
        """Find the known UID again: SELECT all its levels but the last one, and ask who is there on that.

        The question is answered sooner than a SELECT, by every other tag too, and leaves none that has to be sent to
        sleep. SELECT is deaf to other tags, so a survey asks on an earlier level instead, a different one each time.
        """
        known, level = self._known, self._level
        last = known.levels - 1
        if last and self._survey != NO_SURVEY:
            last = self._survey % last
        for number in range(last):
            sak = level.recognise(known.selects[number])
            if sak < 0:
                return False
            if not sak & CASCADE_BIT:
                self._dialogue.fault = CHECK
                return False
        return level.confirm(LEVELS[last], known.selects[last])

    def _find_all(self, several: bool) -> bool:
        """Collect UIDs until nobody is left."""
        while True:
            if not self._find_one():
                return False
            several = several or self._level.collided
            if not several or self.count == MOST_TAGS:
                return True
            if self._tag_is_active:
                self.begin_halt()
                self.end_halt()
            # a halted tag no longer answers REQA: whoever does is another one
            kind = self._dialogue.call(CALL_REQA, False)
            if kind == SILENCE:
                return True
            if self._dialogue.fault:
                return False

    def _find_one(self) -> bool:
        """Go through the cascade levels of one UID."""
        level = self._level
        level.collided = False
        start = self.length
        end = start + 1
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
                self.tags[end] = level.data[place]
                end += 1
            if not goes_on:
                self._tag_is_active = True
                self.tags[start] = end - start - 1
                self.length = end
                self.count += 1
                return True
            if number == 2:
                break
        self._dialogue.fault = CHECK
        return False

"""The reader bank: all readers of the board, looked at one after the other, in groups whose fields are on together."""

from time import sleep_ms, ticks_add, ticks_diff, ticks_ms, ticks_us

from quarto_pi.firmware.cascade_level import KnownTag
from quarto_pi.firmware.exchange import wait_until
from quarto_pi.firmware.iso14443 import GUARD_US
from quarto_pi.firmware.polling import NO_SURVEY, Poll
from quarto_pi.firmware.protocol import (
    CELLS,
    CONFIGURATION,
    DEAD,
    EMPTY,
    ERROR,
    NO_ANSWER,
    NO_CHIP,
    NOTHING,
    RESET,
    SEVERAL,
    TAG,
    TICKS,
)
from quarto_pi.firmware.rc522 import Chip
from quarto_pi.firmware.said_by_host import Configuration
from quarto_pi.firmware.said_by_node import Figures, Look
from quarto_pi.firmware.select_lines import SelectLines

SURVEY_EVERY = 4
AUDIT_EVERY = 16
ERRORS_BEFORE_RESET = 8
FORGET_AFTER = 2
RESETS_IN_VAIN = 2  # by command, since a look told what is there: then all chips are reset by their line
RETRY_DEAD_MS = 1_000
SWEEPS_BETWEEN_HARD_RESETS = 40  # five seconds or so
RESET_MS = 1  # datasheet 8.8.2: 38 us, and some for clones
GIVE_UP_MS = 50

_FAILED = (ERROR, DEAD)
_NEEDS_RESET = (NO_CHIP, RESET, NO_ANSWER, CONFIGURATION)


class Reader:
    """What the bank remembers of one reader."""

    def __init__(self, line: int) -> None:
        self.line = line
        self.chip: Chip | None = None
        self.look = Look()
        self.figures = Figures()
        self.known = KnownTag()
        self.absences = 0
        self.errors_in_a_row = 0
        self.reviving = False
        self.was_well = False
        self.in_vain = 0
        self.reset_at = 0
        self.is_ready = False
        self.ready_at = 0
        self.survey = NO_SURVEY


class ReaderBank:
    """Readers on one SPI bus behind a decoder; `sweep` looks at all of them and allocates nothing.

    A field has to be on for a while before the tags in it can be called. All that is not said to a chip is done then:
    what the look before has found is noted, and whatever else the node has to do.
    """

    def __init__(self) -> None:
        self.readers = [Reader(NOTHING) for _ in range(CELLS)]
        self.looks = [reader.look for reader in self.readers]
        self.figures = [reader.figures for reader in self.readers]
        self.lines: SelectLines | None = None
        self.lost = 0
        self.has_news = False  # a reader has found something else than before, and it is not told yet
        self._groups: list[list[Reader]] = []
        self._most = 1
        self._poll = Poll()
        self._unnoted: Reader | None = None  # whose look is not noted yet
        self._asked_at = 0
        self._hangs = False  # a reader has been reset in vain
        self._rest = 0  # sweeps until all chips may be reset by their line

    def set_up(self, wiring: Configuration) -> None:
        """Drive these pins from now on, and bring all chips up."""
        self.finish()
        lines = self.lines = SelectLines(wiring)
        self._most = wiring.most
        groups: list[list[Reader]] = [[] for _ in range(CELLS)]
        for cell, reader in enumerate(self.readers):
            reader.line = wiring.lines[cell]
            reader.chip = None
            # what was seen on another line is no look at this cell
            reader.look.looks = reader.look.count = reader.look.length = 0
            if reader.line != NOTHING:
                reader.chip = Chip(lines, reader.line, wiring.gain)
                groups[wiring.groups[cell]].append(reader)
        self._groups = [group for group in groups if group]
        self.reset_all()

    def reset_all(self) -> None:
        """Reset and configure all chips; those that are not up in time are tried again later."""
        self.finish()
        if self.lines.reset_chips():
            self._rest = SWEEPS_BETWEEN_HARD_RESETS
        self._hangs = False
        for reader in self.readers:
            reader.was_well = False
            reader.in_vain = 0
            if reader.chip:
                self._revive(reader)
        sleep_ms(RESET_MS)
        for reader in self.readers:
            if reader.chip:
                self._look_after(reader)

    def expect(self, cell: int, uid: bytes) -> None:
        """Try this UID first on a cell whose reader knows of none."""
        reader = self.readers[cell]
        if not reader.known.size:
            reader.known.learn(uid, 0, len(uid))
            reader.absences = 1

    def sweep(self, between) -> None:  # noqa: ANN001 - MicroPython has no Callable
        """Look once at every reader, and do something else for a moment while fields get ready.

        What the last look has found is noted in the next sweep, or by `finish`.
        """
        for group in self._groups:
            start = 0
            while start < len(group):
                end = min(start + self._fields(), len(group))
                self._look_at(group, start, end, between)
                start = end
        if self._rest:
            self._rest -= 1
        elif self._hangs:
            self._end_hanging()

    def _end_hanging(self) -> None:
        """Reset all chips by their line if one of them is still not well."""
        self._hangs = False
        for reader in self.readers:
            if reader.was_well and reader.in_vain >= RESETS_IN_VAIN:
                self.reset_all()
                return

    def finish(self) -> None:
        """Note what the last look has found, if it is not noted yet."""
        reader = self._unnoted
        if reader is not None:
            self._unnoted = None
            self._digest(reader)

    def fields_off(self) -> None:
        """Switch all fields off."""
        for reader in self.readers:
            if reader.chip:
                reader.chip.field_off()

    def _fields(self) -> int:
        """How many fields may be on.

        A lost reader's field may be on with nobody to switch it off, so it takes its share of the supply; but lost
        readers never take the last field, or they would stop the others.
        """
        return max(1, self._most - self.lost)

    def _look_at(self, group: "list[Reader]", start: int, end: int, between) -> None:  # noqa: ANN001
        for place in range(start, end):
            reader = group[place]
            reader.is_ready = (reader.figures.answers and not reader.reviving) or self._is_ready(reader)
            if reader.is_ready:
                reader.chip.field_on()
                reader.ready_at = ticks_add(ticks_us(), GUARD_US)
        for place in range(start, end):
            reader = group[place]
            if reader.is_ready:
                self._get_ready(reader)
        self.finish()
        between()
        for place in range(start, end):
            reader = group[place]
            if reader.is_ready:
                self._ask(reader)
            else:
                self._note(reader, ERROR if reader.figures.answers else DEAD, reader.figures.fault, ticks_ms())

    def _get_ready(self, reader: Reader) -> None:
        figures = reader.figures
        figures.polls = polls = (figures.polls + 1) & TICKS
        # spread over the readers, so that no sweep pays for all of them
        turn = polls + reader.line
        reader.survey = NO_SURVEY if turn % SURVEY_EVERY else turn // SURVEY_EVERY
        self._poll.get_ready(reader.chip, turn % AUDIT_EVERY == 1 or reader.errors_in_a_row > 0)

    def _ask(self, reader: Reader) -> None:
        poll = self._poll
        if self._unnoted is not None:
            self.finish()
        wait_until(reader.ready_at)
        poll.ask(reader.chip, reader.known, reader.survey)
        self._asked_at = ticks_ms()
        if poll.begin_halt():
            self._digest(reader)
            poll.end_halt()
        else:
            self._unnoted = reader
        reader.chip.field_off()

    def _note(self, reader: Reader, outcome: int, fault: int, at: int) -> None:
        """Note a look that has seen no tag, or the one that it has seen the last time."""
        look = reader.look
        if outcome != look.outcome:
            self.has_news = True
        look.looks = look.looks % 255 + 1
        look.outcome = outcome
        look.fault = fault
        look.at = at
        if outcome != TAG:
            look.count = look.length = 0

    def _digest(self, reader: Reader) -> None:
        poll, figures, look = self._poll, reader.figures, reader.look
        outcome, fault = poll.outcome, poll.fault
        was_seen = poll.recognised and look.outcome == TAG
        self._note(reader, outcome, fault, self._asked_at)
        figures.misses += poll.missed
        figures.again |= reader.chip.wants_command_again
        if fault:
            figures.fault = fault
        if poll.count:
            figures.seen = look.at
            if not was_seen:
                self._note_tags(reader)
        if outcome == TAG:
            self._remember(reader)
        elif outcome == SEVERAL:
            reader.known.size = 0
        elif outcome == EMPTY:
            reader.absences += 1
            if reader.absences >= FORGET_AFTER:
                reader.known.size = 0
        if outcome not in _FAILED:
            reader.errors_in_a_row = reader.in_vain = 0
            reader.was_well = True
            return
        figures.errors += 1
        if self._misbehaves(reader):
            reader.errors_in_a_row = 0
            self._revive(reader)

    def _note_tags(self, reader: Reader) -> None:
        poll, look, known = self._poll, reader.look, reader.known
        look.count = poll.count
        tags = look.tags
        if poll.recognised:
            tags[0] = known.size
            look.length = 1 + known.size
            for place in range(known.size):
                tags[1 + place] = known.uid[place]
            return
        look.length = poll.length
        for place in range(poll.length):
            tags[place] = poll.tags[place]

    def _remember(self, reader: Reader) -> None:
        poll, known = self._poll, reader.known
        reader.absences = 0
        if not poll.recognised:
            known.learn(poll.tags, 1, poll.tags[0])
        uid, size = known.uid, known.size
        for other in self.readers:
            # whether another one hears the same tag now
            if other.known.uid == uid and other is not reader and other.known.size == size and not other.absences:
                reader.figures.cross_reads += 1
                break

    def _misbehaves(self, reader: Reader) -> bool:
        poll = self._poll
        if poll.outcome == DEAD:
            reader.figures.answers = 0
            self._count_lost()
        reader.errors_in_a_row += 1
        return poll.fault in _NEEDS_RESET or reader.errors_in_a_row >= ERRORS_BEFORE_RESET

    # -- bringing chips up: reset, wait, version, registers, without waiting for one that does not come ----------------

    def _is_ready(self, reader: Reader) -> bool:
        if reader.reviving:
            self._look_after(reader)
        elif not reader.figures.answers and ticks_diff(ticks_ms(), reader.reset_at) >= RETRY_DEAD_MS:
            self._revive(reader)
        return bool(reader.figures.answers) and not reader.reviving

    def _revive(self, reader: Reader) -> None:
        reader.reviving = True
        reader.in_vain += 1
        if reader.in_vain >= RESETS_IN_VAIN:
            self._hangs = True
        reader.reset_at = ticks_ms()
        reader.chip.soft_reset()

    def _look_after(self, reader: Reader) -> None:
        chip, figures = reader.chip, reader.figures
        waited = ticks_diff(ticks_ms(), reader.reset_at)
        if waited < RESET_MS:
            return
        # a chip that holds its line low until it is up reads like one that is awake and has no version
        version = chip.version() if chip.is_awake() else 0x00
        if version in (0x00, 0xFF):
            if waited >= GIVE_UP_MS:
                self._revived(reader, 0)
            return
        chip.configure()
        figures.version = version
        self._revived(reader, 1 if chip.holds_configuration() else 0)

    def _revived(self, reader: Reader, answers: int) -> None:
        reader.reviving = False
        if not answers:
            reader.figures.version = 0
            reader.figures.fault = NO_CHIP
        reader.figures.answers = answers
        reader.figures.resets = (reader.figures.resets + 1) & 0xFFFF
        self._count_lost()

    def _count_lost(self) -> None:
        lost = 0
        for reader in self.readers:
            if reader.chip and not reader.figures.answers:
                lost += 1
        self.lost = lost

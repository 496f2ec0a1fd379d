"""The reader bank: all readers of the board, looked at one after the other, in groups whose fields are on together."""

from time import sleep_ms, ticks_diff, ticks_ms

from quarto_pi.firmware.exchange import wait_until
from quarto_pi.firmware.polling import NO_SURVEY, Poll
from quarto_pi.firmware.protocol import (
    CELLS,
    CONFIGURATION,
    DEAD,
    EMPTY,
    ERROR,
    MOST_UID,
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
RETRY_DEAD_MS = 1_000
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
        self.known = bytearray(MOST_UID)
        self.known_size = 0
        self.absences = 0
        self.errors_in_a_row = 0
        self.reviving = False
        self.reset_at = 0
        self.ready_at = 0

    def knows(self, other: "Reader") -> bool:
        """Return whether this one and another one both hear the same tag now."""
        size = self.known_size
        if size != other.known_size or not size or self.absences or other.absences:
            return False
        for place in range(size):
            if self.known[place] != other.known[place]:
                return False
        return True


class ReaderBank:
    """Readers on one SPI bus behind a decoder; `sweep` looks at all of them and allocates nothing."""

    def __init__(self) -> None:
        self.readers = [Reader(NOTHING) for _ in range(CELLS)]
        self.looks = [reader.look for reader in self.readers]
        self.figures = [reader.figures for reader in self.readers]
        self.lines: SelectLines | None = None
        self.lost = 0
        self._groups: list[list[Reader]] = []
        self._most = 1
        self._poll = Poll()

    def set_up(self, wiring: Configuration) -> None:
        """Drive these pins from now on, and bring all chips up."""
        lines = self.lines = SelectLines(wiring)
        self._most = wiring.most
        groups: list[list[Reader]] = [[] for _ in range(CELLS)]
        for cell, reader in enumerate(self.readers):
            reader.line = wiring.lines[cell]
            reader.chip = None
            # what was seen on another line is no look at this cell
            reader.look.looks = reader.look.count = 0
            if reader.line != NOTHING:
                reader.chip = Chip(lines, reader.line, wiring.gain)
                groups[wiring.groups[cell]].append(reader)
        self._groups = [group for group in groups if group]
        self.reset_all()

    def reset_all(self) -> None:
        """Reset and configure all chips; those that are not up in time are tried again later."""
        for reader in self.readers:
            if reader.chip:
                self._revive(reader)
        sleep_ms(RESET_MS)
        for reader in self.readers:
            if reader.chip:
                self._look_after(reader)

    def expect(self, cell: int, uid: bytes) -> None:
        """Try this UID first on a cell whose reader knows of none."""
        reader = self.readers[cell]
        if not reader.known_size:
            reader.known[: len(uid)] = uid
            reader.known_size = len(uid)
            reader.absences = 1

    def sweep(self, between) -> None:  # noqa: ANN001 - MicroPython has no Callable
        """Look once at every reader, and do something else for a moment after each."""
        for group in self._groups:
            start = 0
            while start < len(group):
                end = min(start + self._fields(), len(group))
                self._look_at(group, start, end, between)
                start = end

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
            if self._is_ready(reader):
                reader.ready_at = self._poll.warm_up(reader.chip)
        for place in range(start, end):
            reader = group[place]
            if reader.figures.answers and not reader.reviving:
                self._ask(reader)
            else:
                self._note(reader, ERROR if reader.figures.answers else DEAD, reader.figures.fault, 0)
            between()

    def _ask(self, reader: Reader) -> None:
        figures = reader.figures
        figures.polls = (figures.polls + 1) & TICKS
        # spread over the readers, so that no sweep pays for all of them
        turn = figures.polls + reader.line
        survey = NO_SURVEY if turn % SURVEY_EVERY else turn // SURVEY_EVERY
        audit = turn % AUDIT_EVERY == 1 or reader.errors_in_a_row > 0
        wait_until(reader.ready_at)
        poll = self._poll
        poll.ask(reader.chip, reader.known, reader.known_size, survey, audit)
        self._digest(reader)
        poll.cool_down(reader.chip)
        if self._misbehaves(reader):
            reader.errors_in_a_row = 0
            self._revive(reader)

    def _note(self, reader: Reader, outcome: int, fault: int, count: int) -> None:
        look = reader.look
        look.looks = look.looks % 255 + 1
        look.outcome = outcome
        look.fault = fault
        look.at = ticks_ms()
        look.count = count

    def _digest(self, reader: Reader) -> None:
        poll, figures, look = self._poll, reader.figures, reader.look
        self._note(reader, poll.outcome, poll.fault, poll.count)
        for place in range(poll.count):
            look.sizes[place] = poll.sizes[place]
        for place in range(poll.count * MOST_UID):
            look.data[place] = poll.data[place]
        figures.misses += poll.missed
        if poll.outcome in _FAILED:
            figures.errors += 1
        if poll.fault:
            figures.fault = poll.fault
        if poll.count:
            figures.seen = look.at
        self._remember(reader)

    def _remember(self, reader: Reader) -> None:
        poll = self._poll
        if poll.outcome == TAG:
            reader.absences = 0
            size = reader.known_size = poll.sizes[0]
            for place in range(size):
                reader.known[place] = poll.data[place]
            for other in self.readers:
                if other is not reader and other.knows(reader):
                    reader.figures.cross_reads += 1
                    break
        elif poll.outcome == SEVERAL:
            reader.known_size = 0
        elif poll.outcome == EMPTY:
            reader.absences += 1
            if reader.absences >= FORGET_AFTER:
                reader.known_size = 0

    def _misbehaves(self, reader: Reader) -> bool:
        poll = self._poll
        if poll.outcome not in _FAILED:
            reader.errors_in_a_row = 0
            return False
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

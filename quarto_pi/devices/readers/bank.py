"""The reader bank: all readers of the board as one device that yields readings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Final

from quarto_pi.clock import US_PER_MS, Clock
from quarto_pi.devices.readers.calibration import Calibration, calibrate
from quarto_pi.devices.readers.chip import Chip
from quarto_pi.devices.readers.exchange import revive
from quarto_pi.devices.readers.fields import FieldPlan, plan_fields
from quarto_pi.devices.readers.health import CellFinding, Fault, Gain, HealthRecord, ReaderHealth, Version
from quarto_pi.devices.readers.polling import Poll
from quarto_pi.devices.readers.scheduler import AttentionSettings, CellAttention, PollResult, Scheduler
from quarto_pi.devices.readers.spi import ReaderPort, SelectLines, Spi
from quarto_pi.devices.upkeep import ClosedWith
from quarto_pi.sensing.readings import CELLS, LINES, Glimpse, Outcome, Reading, leave_alone

HARD_RESET_US: Final = 1_000
"""How long the reset line is held: a chip wants 100 ns (datasheet 8.8.1), the line some microseconds to rise."""
_NEEDS_RESET: Final = frozenset({Fault.NO_CHIP, Fault.RESET, Fault.NO_ANSWER, Fault.CONFIGURATION})


@dataclass(frozen=True, slots=True)
class BankSettings:
    """Which readers there are, on which select lines, and how the bank goes about them.

    `..._every` counts a reader's polls. A look at a dead reader takes no time: so rounds with dead readers are begun
    no sooner than `least_round_ms` after each other, and `all_dead_interval_ms` if no reader answers. A reader that was
    well and is not after so many `resets_in_vain` has all chips reset by their line, where there is one.
    """

    cells: tuple[str, ...] = CELLS
    lines: Mapping[str, int] = field(default_factory=lambda: LINES)
    gain: Gain = Gain.DB_33
    survey_every: int = 4
    audit_every: int = 16
    errors_before_reset: int = 8
    forget_after: int = 2
    retry_dead_ms: int = 1_000
    all_dead_interval_ms: int = 200
    least_round_ms: int = 25
    resets_in_vain: int = 2
    hard_reset_every_ms: int = 10_000
    attention: AttentionSettings = field(default_factory=AttentionSettings)


class _Reader:
    """What the bank remembers of one reader."""

    def __init__(self, cell: str, chip: Chip, port: ReaderPort) -> None:
        self.cell = cell
        self.chip = chip
        self.port = port
        self.health = HealthRecord(cell)
        self.known: bytes | None = None
        self.absences = 0
        self.errors_in_a_row = 0
        self.polls = 0
        self.reviving = False
        self.retry_at = 0
        self.was_well = False
        self.in_vain = 0
        """Resets by command since a look told what is there."""


class ReaderBank(ClosedWith):
    """Readers on one SPI bus behind a decoder; `sweep` looks at all of them, `round` at those whose turn it is."""

    def __init__(
        self,
        spi: Spi,
        lines: SelectLines,
        clock: Clock,
        *,
        plan: FieldPlan | None = None,
        settings: BankSettings | None = None,
    ) -> None:
        self._spi = spi
        self._lines = lines
        self._hard_reset_at = 0
        self._clock = clock
        self._settings = settings or BankSettings()
        self._scheduler = Scheduler(clock, plan or plan_fields())
        self._readers: dict[str, _Reader] = {}
        for cell in self._settings.cells:
            port = ReaderPort(spi, lines, self._settings.lines[cell])
            self._readers[cell] = _Reader(cell, Chip(port, self._settings.gain), port)
        self.cells = tuple(self._readers)
        self._attention = CellAttention(self.cells, self._settings.attention)
        self._began_ms = self._now_ms()
        self.sweeps = 0
        """How often the bank has looked: whoever watches over it sees that it does."""

    def start(self) -> dict[str, Version]:
        """Reset and configure all chips side by side and return their versions."""
        self._reset_all()
        return {cell: reader.health.version for cell, reader in self._readers.items()}

    def sweep(self, cells: Iterable[str] | None = None, glimpse: Glimpse = leave_alone) -> list[Reading]:
        """Look once at each of these cells (at all, if none are named) and return the readings in the order taken."""
        self._began_ms = self._now_ms()
        readings = []
        polls = []
        for cell in self.cells if cells is None else cells:
            reader = self._readers[cell]
            if self._is_ready(reader):
                polls.append((cell, self._poll_of(reader)))
            else:
                outcome = Outcome.ERROR if reader.health.answers else Outcome.DEAD
                readings.append(Reading(cell, outcome, (), self._now_ms()))

        def found(result: PollResult) -> None:
            readings.append(self._digest(result))
            glimpse(readings[-1])

        self._scheduler.run(polls, found)
        if not self.answering:
            # nobody else needs the bus: whoever comes back is brought up at once
            self._scheduler.run_background()
        for cell in self._scheduler.fields_left_on():
            self._lose(self._readers[cell])
        if self._lines.has_reset and self._hangs():
            # nobody is to be configured while the line is pulled
            self._scheduler.run_background()
            self._reset_all()
        for reading in readings:
            self._attention.note(reading)
        self.sweeps += 1
        return readings

    def round(self, glimpse: Glimpse = leave_alone) -> list[Reading]:
        """Look at the cells whose turn it is: changing ones every time, settled ones now and then."""
        return self.sweep(self._attention.choose(self._now_ms()), glimpse)

    @property
    def pause_ms(self) -> int:
        """Return how long the loop may wait before the next round: only if the board is idle, or readers are dead."""
        now = self._now_ms()
        return max(self._attention.pause(now), self._began_ms + self._least_interval_ms - now)

    @property
    def _least_interval_ms(self) -> int:
        answering = self.answering
        if answering == len(self.cells):
            return 0
        return self._settings.least_round_ms if answering else self._settings.all_dead_interval_ms

    @property
    def not_calibrated_because(self) -> None:
        """Return that nothing keeps these readers from being calibrated."""
        return

    def calibrate(self, looks: int = 5) -> Calibration:
        """Measure cross-talk between the readers; a piece must stand on every square, and it takes some seconds."""
        return calibrate({cell: reader.chip for cell, reader in self._readers.items()}, self._clock, looks=looks)

    def health(self) -> dict[str, ReaderHealth]:
        """Return every reader's figures."""
        return {cell: reader.health.snapshot() for cell, reader in self._readers.items()}

    @property
    def answering(self) -> int:
        """Return how many readers answer."""
        return sum(reader.health.answers for reader in self._readers.values())

    @property
    def most_fields_at_once(self) -> int:
        """Return the largest number of fields that were on together so far."""
        return self._scheduler.most_warm

    def transfers(self, cell: str) -> int:
        """Return the number of SPI transfers with a reader so far."""
        return self._readers[cell].port.transfers

    def close(self) -> None:
        """Switch all fields off, each whatever becomes of the others, and give the bus and the pins back."""
        with ExitStack() as stack:
            stack.callback(self._spi.close)
            stack.callback(self._lines.close)
            for reader in self._readers.values():
                stack.callback(reader.chip.field_off)
            self._readers = {}

    def _now_ms(self) -> int:
        return self._clock.now() // US_PER_MS

    def _poll_of(self, reader: _Reader) -> Poll:
        reader.polls += 1
        # spread over the readers, so that no sweep pays for all of them
        turn = reader.polls + self._settings.lines[reader.cell]
        return Poll(
            reader.chip,
            self._clock,
            reader.known,
            survey_level=None if turn % self._settings.survey_every else turn // self._settings.survey_every,
            audit=turn % self._settings.audit_every == 1 or reader.errors_in_a_row > 0,
        )

    def _hangs(self) -> bool:
        """Whether a reader that was well since the last reset by line is not brought back by commands."""
        if self._now_ms() - self._hard_reset_at < self._settings.hard_reset_every_ms:
            return False
        readers = self._readers.values()
        return any(reader.was_well and reader.in_vain >= self._settings.resets_in_vain for reader in readers)

    def _reset_all(self) -> None:
        """Reset and configure all chips side by side; by their line, where there is one, which no chip can ignore."""
        if self._lines.has_reset:
            self._lines.hold_in_reset(hold=True)
            self._clock.wait_until(self._clock.now() + HARD_RESET_US)
            self._lines.hold_in_reset(hold=False)
        self._hard_reset_at = self._now_ms()
        for reader in self._readers.values():
            reader.was_well, reader.in_vain = False, 0
            self._revive(reader)
        self._scheduler.run_background()

    def _lose(self, reader: _Reader) -> None:
        """Take a reader for dead whose field may still be on: nobody can tell what it does."""
        reader.health.note_field_left_on()
        self._note_contact(reader)
        if not reader.reviving:
            self._revive(reader)

    def _is_ready(self, reader: _Reader) -> bool:
        if reader.reviving:
            return False
        if reader.health.answers:
            return True
        if self._now_ms() >= reader.retry_at:
            self._revive(reader)
        return False

    def _revive(self, reader: _Reader) -> None:
        reader.reviving = True
        reader.in_vain += 1

        def done(version: Version) -> None:
            reader.reviving = False
            reader.health.note_reset(version)
            self._note_contact(reader)
            reader.retry_at = self._now_ms() + self._settings.retry_dead_ms

        self._scheduler.add_background(reader.cell, revive(reader.chip, self._clock, done))

    def _note_contact(self, reader: _Reader) -> None:
        if reader.health.answers:
            self._scheduler.lost.discard(reader.cell)
        else:
            self._scheduler.lost.add(reader.cell)

    def _digest(self, result: PollResult) -> Reading:
        reader = self._readers[result.cell]
        finding = result.finding
        at = result.at // US_PER_MS
        reader.health.note_finding(finding, at)
        reader.health.wants_command_again |= reader.chip.wants_command_again
        self._remember(reader, finding)
        if self._misbehaves(reader, finding):
            reader.errors_in_a_row = 0
            self._revive(reader)
        return Reading(result.cell, finding.outcome, tuple(uid.hex().upper() for uid in finding.uids), at)

    def _remember(self, reader: _Reader, finding: CellFinding) -> None:
        match finding.outcome:
            case Outcome.TAG:
                reader.absences = 0
                reader.known = finding.uids[0]
                others = (other for other in self._readers.values() if other is not reader)
                if any(other.known == reader.known and not other.absences for other in others):
                    reader.health.note_cross_read()
            case Outcome.SEVERAL:
                reader.known = None
            case Outcome.EMPTY:
                reader.absences += 1
                if reader.absences >= self._settings.forget_after:
                    reader.known = None
            case Outcome.ERROR | Outcome.DEAD:
                pass

    def _misbehaves(self, reader: _Reader, finding: CellFinding) -> bool:
        if finding.outcome not in (Outcome.ERROR, Outcome.DEAD):
            reader.errors_in_a_row = reader.in_vain = 0
            reader.was_well = True
            return False
        if finding.outcome is Outcome.DEAD:
            reader.health.answers = False
            self._note_contact(reader)
        reader.errors_in_a_row += 1
        return finding.fault in _NEEDS_RESET or reader.errors_in_a_row >= self._settings.errors_before_reset

"""How each reader is doing: what `check`, the page and the log show."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from quarto_pi.devices.reader_terms import Fault, Finding, Version
from quarto_pi.sensing.readings import Outcome


@dataclass(frozen=True, slots=True)
class ReaderHealth:
    """One reader's figures since the start; times are in milliseconds, None for never.

    `wants_command_again` says that its chip ends Transceive with each answer, `fields_left_on` how often nobody could
    make sure that its field was off.
    """

    cell: str
    version: Version
    polls: int
    misses: int
    errors: int
    cross_reads: int
    resets: int
    last_seen: int | None
    last_fault: Fault | None
    answers: bool
    wants_command_again: bool = False
    fields_left_on: int = 0

    @property
    def miss_rate(self) -> float:
        """Return the share of polls in which a known tag did not answer at once."""
        return self.misses / self.polls if self.polls else 0.0

    @property
    def error_rate(self) -> float:
        """Return the share of polls that ended in an error or without a chip."""
        return self.errors / self.polls if self.polls else 0.0


class HealthRecord:
    """The counters of one reader."""

    def __init__(self, cell: str) -> None:
        self.cell = cell
        self.version = Version.NO_CHIP
        self.answers = False
        self.wants_command_again = False
        self._counts: Counter[str] = Counter()
        self._last_seen: int | None = None
        self._last_fault: Fault | None = None

    def note_finding(self, finding: Finding, at: int) -> None:
        """Count a poll."""
        self._counts["polls"] += 1
        self._counts["misses"] += finding.missed
        if finding.outcome in (Outcome.ERROR, Outcome.DEAD):
            self._counts["errors"] += 1
        if finding.fault is not None:
            self._last_fault = finding.fault
        if finding.uids:
            self._last_seen = at

    def note_cross_read(self) -> None:
        """Count a UID that another reader holds."""
        self._counts["cross_reads"] += 1

    def note_field_left_on(self) -> None:
        """Count a field that its chip has not confirmed to be off, and take the reader for dead."""
        self._counts["fields_left_on"] += 1
        self.answers = False

    def note_reset(self, version: Version) -> None:
        """Count a reset and take down what VersionReg said after it."""
        self._counts["resets"] += 1
        self.version = version
        self.answers = version is not Version.NO_CHIP

    def snapshot(self) -> ReaderHealth:
        """Return the figures as they are now."""
        return ReaderHealth(
            cell=self.cell,
            version=self.version,
            polls=self._counts["polls"],
            misses=self._counts["misses"],
            errors=self._counts["errors"],
            cross_reads=self._counts["cross_reads"],
            resets=self._counts["resets"],
            last_seen=self._last_seen,
            last_fault=self._last_fault,
            answers=self.answers,
            wants_command_again=self.wants_command_again,
            fields_left_on=self._counts["fields_left_on"],
        )

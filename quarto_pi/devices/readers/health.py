"""How each reader is doing: what `check`, the page and the log show."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import Enum, IntEnum, auto
from typing import Final

from quarto_pi.sensing.readings import Outcome

# --- What is said of a reader, wherever it is read: its gain, its maker, and what a look at it found ------------------
#
# Needs nothing but the standard library, so that a board whose readers hang on a Pico needs no package for them.

NOTHING_LOW: Final = 0x00
NOTHING_HIGH: Final = 0xFF


class Gain(IntEnum):
    """RFCfgReg, RxGain (9.3.3.6): more gain hears weaker tags, and the neighbour's."""

    DB_18 = 0x08
    DB_23 = 0x18
    DB_33 = 0x48
    DB_38 = 0x58
    DB_43 = 0x68
    DB_48 = 0x78


class Version(Enum):
    """What VersionReg tells about the maker."""

    NXP = auto()
    CLONE = auto()
    COUNTERFEIT = auto()
    UNKNOWN = auto()
    NO_CHIP = auto()

    @classmethod
    def of(cls, value: int) -> Version:
        """Return what a value of VersionReg stands for."""
        known = {
            0x91: cls.NXP,
            0x92: cls.NXP,
            0x88: cls.CLONE,
            0x82: cls.CLONE,
            0x12: cls.COUNTERFEIT,
            NOTHING_LOW: cls.NO_CHIP,
            NOTHING_HIGH: cls.NO_CHIP,
        }
        return known.get(value, cls.UNKNOWN)


class Fault(Enum):
    """Why a poll ended without saying what is there."""

    RECEPTION = auto()  # parity, protocol or an impossible collision
    CHECK = auto()  # a wrong BCC, CRC or SAK
    BROKEN_OFF = auto()  # a tag answered the call and then no more
    CONFIGURATION = auto()  # the chip's registers are not what was written
    RESET = auto()
    NO_ANSWER = auto()  # the chip neither received nor timed out
    NO_CHIP = auto()


@dataclass(frozen=True, slots=True)
class CellFinding:
    """What a poll found; `missed` says that a known tag did not answer the first try."""

    outcome: Outcome
    uids: tuple[bytes, ...] = ()
    fault: Fault | None = None
    missed: bool = False


# --- How each reader is doing: what `check`, the page and the log show ------------------------------------------------


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

    @property
    def trouble(self) -> tuple[str, str] | None:
        """What is the matter with a reader that does not answer, and what to do; None for one that does."""
        if self.answers:
            return None
        detail = "its field does not go off when it is told to" if self.fields_left_on else "no chip answers"
        return detail, "check its power, its select line and the shared SPI wires"


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

    def note_finding(self, finding: CellFinding, at: int) -> None:
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

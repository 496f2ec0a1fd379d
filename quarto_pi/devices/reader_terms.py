"""What is said of a reader, wherever it is read: its gain, its maker, and what a look at it found.

Needs nothing but the standard library, so that a board whose readers hang on a Pico needs no package for them.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, IntEnum, auto
from typing import Final

from quarto_pi.sensing.readings import Outcome

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
class Finding:
    """What a poll found; `missed` says that a known tag did not answer the first try."""

    outcome: Outcome
    uids: tuple[bytes, ...] = ()
    fault: Fault | None = None
    missed: bool = False

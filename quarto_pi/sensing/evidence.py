"""Whether an unknown UID is a known one that was read wrongly.

A neighbour's tag can arrive with its bits shifted or some bytes wrong, and still with a right CRC. So few wrong bits
or bytes, or a shift that explains all but very few bits, make a UID a garbled form of another.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Final, Literal

from quarto_pi.sensing.events import Thing
from quarto_pi.sensing.readings import Outcome, Reading
from quarto_pi.sensing.tags import TagTable

WRONG_BITS: Final = {4: 4, 7: 6, 10: 8}
WRONG_BYTES: Final = {4: 1, 7: 2, 10: 3}
WRONG_BITS_IN_A_SHIFT: Final = 1
MOST_BITS_SHIFTED: Final = 8
CASCADE_PREFIX: Final = "88"

_ORDERS: Final[tuple[Literal["little", "big"], ...]] = ("little", "big")


def garbled_form_of(uid: str, tags: Iterable[str]) -> str | None:
    """The tag of which this UID may be a garbled form, None if it is like none of them.

    >>> garbled_form_of("0943658799CBEB", ["04A1B2C3CCE5F5"])
    '04A1B2C3CCE5F5'
    >>> garbled_form_of("DEADBEEF", ["04A1B2C3", "08A1B2C3"]) is None
    True
    """
    return next((tag for tag in tags if uid != tag and _is_alike(uid, tag)), None)


def _is_alike(uid: str, tag: str) -> bool:
    if len(uid) != len(tag):
        return _is_cut_off(*sorted((uid, tag), key=len))
    seen, meant = bytes.fromhex(uid), bytes.fromhex(tag)
    if sum(one != other for one, other in zip(seen, meant, strict=True)) <= WRONG_BYTES[len(seen)]:
        return True
    if (int.from_bytes(seen) ^ int.from_bytes(meant)).bit_count() <= WRONG_BITS[len(seen)]:
        return True
    return any(_is_shifted(seen, meant, order) for order in _ORDERS)


def _is_shifted(seen: bytes, meant: bytes, order: Literal["little", "big"]) -> bool:
    """Whether one is the other with every bit some places further; on the air a byte's lowest bit comes first."""
    one, other = int.from_bytes(seen, order), int.from_bytes(meant, order)
    length = 8 * len(seen)
    for places in range(1, MOST_BITS_SHIFTED + 1):
        kept = (1 << (length - places)) - 1
        for late, early in ((one, other), (other, one)):
            if ((late >> places) ^ (early & kept)).bit_count() <= WRONG_BITS_IN_A_SHIFT:
                return True
    return False


def _is_cut_off(short: str, long: str) -> bool:
    """Whether the short one is what is left of the long one when a cascade level is taken for the whole UID."""
    return short.removeprefix(CASCADE_PREFIX) in long


# --- What one reading says about its cell, in pieces and foreign tags instead of UIDs ---------------------------------


class Evidence(Enum):
    """What a look says about one thing: there, cleanly not there, or nothing at all."""

    HEARD = "heard"
    MISSED = "missed"
    UNCLEAR = "unclear"


@dataclass(frozen=True, slots=True)
class Look:
    """A reading, understood.

    `failed`: an error or a dead reader. `nameless`: more tags answered than could be named. `blurred`: the cell's own
    tag was read wrongly. `garbled`: all UIDs that are wrong forms of tags here or nearby.
    """

    heard: frozenset[Thing] = frozenset()
    failed: bool = False
    nameless: bool = False
    blurred: bool = False
    garbled: frozenset[str] = frozenset()

    def says_of(self, thing: Thing) -> Evidence:
        """What this look says about a thing."""
        if thing in self.heard or thing in self.garbled:
            return Evidence.HEARD
        if self.failed or self.nameless or self.blurred:
            return Evidence.UNCLEAR
        return Evidence.MISSED


NOTHING_HEARD = Look()
FAILED = Look(failed=True)


def understand(reading: Reading, tags: TagTable, own: Iterable[str], nearby: Iterable[str]) -> Look:
    """The look in a reading of a cell, where the tags with these UIDs are on it and nearby."""
    match reading.outcome:
        case Outcome.EMPTY:
            return NOTHING_HEARD
        case Outcome.ERROR | Outcome.DEAD:
            return FAILED
        case Outcome.TAG | Outcome.SEVERAL:
            return _named(reading, tags, own, nearby)


def _named(reading: Reading, tags: TagTable, own: Iterable[str], nearby: Iterable[str]) -> Look:
    heard: set[Thing] = set()
    garbled: set[str] = set()
    blurred = False
    for uid in reading.uids:
        piece = tags.piece_of(uid)
        if piece is not None:
            heard.add(piece)
        elif garbled_form_of(uid, own) is not None:
            garbled.add(uid)
            blurred = True
        elif garbled_form_of(uid, nearby) is not None:
            garbled.add(uid)
        else:
            heard.add(uid)
    nameless = reading.outcome is Outcome.SEVERAL and len(reading.uids) < 2
    return Look(frozenset(heard), nameless=nameless, blurred=blurred, garbled=frozenset(garbled))

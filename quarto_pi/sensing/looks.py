"""What one reading says about its cell, in pieces and foreign tags instead of UIDs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from quarto_pi.sensing.events import Thing
from quarto_pi.sensing.likeness import garbled_form_of
from quarto_pi.sensing.readings import Outcome, Reading
from quarto_pi.sensing.tags import TagTable


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


NOTHING = Look()
FAILED = Look(failed=True)


def understand(reading: Reading, tags: TagTable, own: Iterable[str], nearby: Iterable[str]) -> Look:
    """The look in a reading of a cell, where the tags with these UIDs are on it and nearby."""
    match reading.outcome:
        case Outcome.EMPTY:
            return NOTHING
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

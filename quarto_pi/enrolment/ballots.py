"""The votes of the looks: what each cell has read lately, so that one wrong read among many decides nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from quarto_pi.sensing.readings import Outcome, Reading
from quarto_pi.sensing.sweep import Sweep

WINDOW: Final = 15
"""So many of the newest looks at a cell have a vote."""
LATELY: Final = 3
"""What was read in one of so many newest looks is still there."""
EMPTY_AFTER: Final = 5
"""After so many looks in a row that cleanly found nothing, what was read before is forgotten."""
FAILING_AFTER: Final = 5
"""A reader that has failed so often in a row is told."""
NAMELESS: Final = ""
"""Stands for a tag of which no more is known than that it answered."""

Look = tuple[str, ...] | None
"""The UIDs that one look has read; None for one that failed."""


@dataclass(frozen=True, slots=True)
class Ballot:
    """The newest looks at one cell, the newest last."""

    looks: tuple[Look, ...] = ()

    def after(self, reading: Reading) -> Ballot:
        """This ballot with one more look."""
        look = _look_of(reading)
        # A full window is one that is full since something was put down; before that there is nothing to be counted.
        before = () if look and not any(self.looks) else self.looks
        looks = (*before, look)[-WINDOW:]
        newest = looks[-EMPTY_AFTER:]
        return Ballot(newest if newest == ((),) * EMPTY_AFTER else looks)

    def votes(self, uid: str) -> int:
        """How many looks have read this tag, alone or together with others."""
        return sum(look is not None and uid in look for look in self.looks)

    @property
    def uids(self) -> frozenset[str]:
        """All tags that were read."""
        return frozenset(uid for look in self.looks if look for uid in look)

    def hears(self, uid: str) -> bool:
        """Whether this tag was read only just now."""
        return any(look is not None and uid in look for look in self.looks[-LATELY:])

    @property
    def full(self) -> bool:
        """Whether every place in the window is taken, so that waiting would not make anything clearer."""
        return len(self.looks) == WINDOW

    @property
    def fails(self) -> bool:
        """Whether the reader does nothing but fail."""
        newest = self.looks[-FAILING_AFTER:]
        return len(newest) == FAILING_AFTER and all(look is None for look in newest)

    @property
    def looked(self) -> bool:
        """Whether there were enough looks to say whether the reader works."""
        return len(self.looks) >= FAILING_AFTER or any(self.looks)


Ballots = Mapping[str, Ballot]


def counted(ballots: Ballots, sweep: Sweep) -> Ballots:
    """The ballots after a sweep; a cell that it does not name was not looked at and has no vote."""
    after = dict(ballots)
    for reading in sweep.readings:
        after[reading.cell] = after.get(reading.cell, Ballot()).after(reading)
    return after


def _look_of(reading: Reading) -> Look:
    match reading.outcome:
        case Outcome.EMPTY:
            return ()
        case Outcome.TAG:
            return reading.uids
        case Outcome.SEVERAL:
            return reading.uids if len(reading.uids) > 1 else (*reading.uids, NAMELESS)
        case Outcome.ERROR | Outcome.DEAD:
            return None

"""What the votes of all cells say together: which tag lies where, and what is not clear.

A tag is believed after seven reads on one cell that lead those on every other cell, and those of every UID that may be
a garbled form of it or it of them, by five. docs/enrolment.md says why so many.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache
from typing import Final

from quarto_pi.referee.inputs import Presses, Use, without_used
from quarto_pi.referee.settings import Patience
from quarto_pi.rules import Piece
from quarto_pi.sensing.board import Sweep
from quarto_pi.sensing.readings import NEIGHBOURS, Outcome, Reading
from quarto_pi.sensing.tags import garbled_form_of

# --- The votes of the looks: what each cell has read lately, so that one wrong read among many decides nothing --------

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

HeardTags = tuple[str, ...] | None
"""The UIDs that one look has read; None for one that failed."""


@dataclass(frozen=True, slots=True)
class Ballot:
    """The newest looks at one cell, the newest last."""

    looks: tuple[HeardTags, ...] = ()

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


def count_votes(ballots: Ballots, sweep: Sweep) -> Ballots:
    """The ballots after a sweep; a cell that it does not name was not looked at and has no vote."""
    after = dict(ballots)
    for reading in sweep.readings:
        after[reading.cell] = after.get(reading.cell, Ballot()).after(reading)
    return after


def _look_of(reading: Reading) -> HeardTags:
    match reading.outcome:
        case Outcome.EMPTY:
            return ()
        case Outcome.TAG:
            return reading.uids
        case Outcome.SEVERAL:
            return reading.uids if len(reading.uids) > 1 else (*reading.uids, NAMELESS)
        case Outcome.ERROR | Outcome.DEAD:
            return None


# --- What one finger says to the guide: a press, or the button held ---------------------------------------------------


class Gesture(Enum):
    """A press goes on or says no; holding chooses, goes back or says yes."""

    PRESS = "press"
    HOLD = "hold"


def gestures_of(presses: Presses, now: int, patience: Patience) -> tuple[Presses, tuple[Gesture, ...]]:
    """The presses that still matter, and what the others have turned out to be."""
    found: list[Gesture] = []
    after = []
    for press in presses:
        if press.use is Use.OPEN and press.held(now) >= patience.choose:
            found.append(Gesture.HOLD)
            after.append(press.used(Use.DONE))
        elif press.use is Use.OPEN and press.is_released(now, patience):
            found.append(Gesture.PRESS)
            after.append(press.used(Use.DONE))
        else:
            after.append(press)
    return without_used(tuple(after), now, patience), tuple(found)


# --- What the votes of all cells say together: which tag lies where, and what is not clear ----------------------------

VOTES: Final = 7
"""So many looks have to read a tag."""
LEAD: Final = 5
"""By so many votes it has to lead whatever else could explain it."""
STIRRING: Final = 3
"""A tag with so many votes may be about to be believed: nothing is decided until that is clear."""


@dataclass(frozen=True, slots=True)
class Findings:
    """Where tags lie; which tag lies on two cells at once; cells with several tags, or with one that is not clear."""

    lying: dict[str, str] = field(default_factory=dict)
    doubled: dict[str, tuple[str, ...]] = field(default_factory=dict)
    crowded: tuple[str, ...] = ()
    unclear: tuple[str, ...] = ()
    stirring: frozenset[str] = frozenset()


def judge_ballots(ballots: Ballots, known: Mapping[str, Piece], before: Collection[str]) -> Findings:
    """What the ballots say, where these tags are known, and these ones were heard before anything was asked for."""
    return _Count(ballots, known, before).findings()


@lru_cache(maxsize=4_096)
def _is_alike(uid: str, other: str) -> bool:
    """Whether one may be a garbled form of the other; the same few are asked about in every sweep."""
    return other not in (NAMELESS, uid) and garbled_form_of(uid, (other,)) is not None


class _Count:
    """One count of all votes."""

    def __init__(self, ballots: Ballots, known: Mapping[str, Piece], before: Collection[str]) -> None:
        self._ballots = ballots
        self._known = known
        self._before = frozenset(before)
        self._votes: dict[str, dict[str, int]] = {}
        for cell, ballot in ballots.items():
            for uid in ballot.uids - {NAMELESS}:
                self._votes.setdefault(uid, {})[cell] = ballot.votes(uid)

    def findings(self) -> Findings:
        lying: dict[str, str] = {}
        doubled: dict[str, tuple[str, ...]] = {}
        unclear: set[str] = set()
        for uid, votes in self._votes.items():
            heard = [cell for cell in votes if votes[cell] >= VOTES and self._ballots[cell].hears(uid)]
            apart = self._apart(heard)
            if len(apart) > 1:
                doubled[uid] = apart
                continue
            home = next((cell for cell in heard if self._leads(uid, cell)), None)
            if home is not None:
                lying[uid] = home
            elif uid not in self._known and uid not in self._before:
                unclear.update(cell for cell in heard if self._ballots[cell].full and not self._is_explained(uid, cell))
        crowded = tuple(cell for cell in self._ballots if self._is_crowded(cell, lying))
        return Findings(lying, doubled, crowded, tuple(sorted(unclear - {*crowded})), self._stirring(lying))

    def _apart(self, cells: list[str]) -> tuple[str, ...]:
        """Two of these cells that no antenna reaches across."""
        pairs = ((one, other) for one in cells for other in cells if one < other and other not in NEIGHBOURS[one])
        return next(pairs, ())

    def _leads(self, uid: str, cell: str) -> bool:
        mine = self._votes[uid][cell]
        if any(mine - votes < LEAD for other, votes in self._votes[uid].items() if other != cell):
            return False
        # A wrong read is hardly ever exactly the UID of a piece.
        if uid in self._known:
            return True
        if all(mine - votes >= LEAD for votes in self._alike(uid, cell)):
            return True
        return self._has_come_alone(uid, cell)

    def _has_come_alone(self, uid: str, cell: str) -> bool:
        """Whether it is read every time, beside tags that it is like but that lay there before it came.

        Tags from one roll are often alike. What an antenna overhears has gaps, and is there from the beginning.
        """
        if self._votes[uid][cell] < WINDOW:
            return False
        around = (self._ballots[place].uids for place in self._around(cell))
        return all(other in self._before for uids in around for other in uids if _is_alike(uid, other))

    def _alike(self, uid: str, cell: str) -> list[int]:
        """The votes of all that this UID may be a garbled form of."""
        return [
            self._ballots[place].votes(other)
            for place in self._around(cell)
            for other in self._ballots[place].uids
            if _is_alike(uid, other)
        ]

    def _is_explained(self, uid: str, cell: str) -> bool:
        """Whether another tag is heard so much more often that this one is its garbled form."""
        return any(votes - self._votes[uid][cell] >= LEAD for votes in self._alike(uid, cell))

    def _is_crowded(self, cell: str, lying: dict[str, str]) -> bool:
        ballot = self._ballots[cell]
        # What lies on another cell is only overheard here.
        here = [
            uid
            for uid in ballot.uids
            if lying.get(uid, cell) == cell and ballot.votes(uid) >= VOTES and ballot.hears(uid)
        ]
        if NAMELESS in here:
            return True
        # Several tags may be in one piece; a garbled form of a tag is none.
        things = {self._known.get(uid, uid) for uid in here if not self._is_explained(uid, cell)}
        return len(things) > 1

    def _stirring(self, lying: dict[str, str]) -> frozenset[str]:
        """The new tags that lie nowhere yet and that nothing explains so far."""
        return frozenset(
            uid
            for uid, votes in self._votes.items()
            for cell, count in votes.items()
            if uid not in self._known
            and uid not in self._before
            and uid not in lying
            and count >= STIRRING
            and self._ballots[cell].hears(uid)
            and not self._is_explained(uid, cell)
        )

    def _around(self, cell: str) -> tuple[str, ...]:
        return tuple(place for place in (cell, *NEIGHBOURS[cell]) if place in self._ballots)

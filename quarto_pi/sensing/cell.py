"""All that is known of one cell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import log2

from quarto_pi.sensing.events import Thing
from quarto_pi.sensing.readings import Reading, SensingTimes
from quarto_pi.sensing.tags import Evidence

# --- Whether a cell's reader works: a reader that only fails is lost, which is not the same as an empty cell ----------


@dataclass(frozen=True, slots=True)
class ReaderCondition:
    """A reader's state, and the run of looks that may change it: failures while it works, good looks while lost."""

    lost: bool = False
    run: int = 0
    since: int = 0

    def after(self, failed: bool, at: int, times: SensingTimes) -> ReaderCondition:
        """The condition after one more look."""
        if failed is self.lost:
            # one good look clears a working reader; a lost one may fail between its good looks, as with a weak tag
            left = self.run - 1 if self.lost else 0
            return (
                ReaderCondition(self.lost, left, self.since)
                if left > 0
                else ReaderCondition(self.lost)
                if self.run
                else self
            )
        run, since = self.run + 1, self.since if self.run else at
        sweeps = times.recovered_after_sweeps if self.lost else times.lost_after_sweeps
        duration = times.recovered_after_ms if self.lost else times.lost_after_ms
        if run >= sweeps and at - since >= duration:
            return ReaderCondition(not self.lost)
        return ReaderCondition(self.lost, run, since)


WORKING = ReaderCondition()


# --- Something that rests on a cell, and how it is doubted away again -------------------------------------------------
#
# How many time-outs it takes depends on the tag: one that has always answered is believed to be gone after few, one
# that often keeps silent is given more. The measure is how unlikely the run of time-outs is for a tag that still stands
# there, in bits: a tag that misses half of the looks adds one bit with every time-out, one that misses a tenth three.

# before much is known of a tag it is taken for one that misses one look in six
MISSES_ASSUMED = 1
LOOKS_ASSUMED = 6
# beyond so many looks the older half of what is known counts half, so that a tag may change
LOOKS_REMEMBERED = 256
# a square that does not touch the tag's own all but never hears it
LOOKS_ASSUMED_FAR = 256


@dataclass(frozen=True, slots=True)
class Presence:
    """A thing that rests on a cell: how often it answered so far, and for how long it has not.

    `missing_since` and `missing_from` are the time and the number of the sweep that missed it first. `echoes` says
    which other cells heard it while it answered here: those that have done so prove little by doing it again.
    """

    thing: Thing
    looks: int = 0
    missed: int = 0
    misses: int = 0
    missing_since: int = 0
    missing_from: int = 0
    echoes: tuple[tuple[str, int], ...] = ()

    @property
    def doubt(self) -> float:
        """How unlikely the present run of time-outs would be if the thing still stood here, in bits."""
        return self.misses * self.silence_bits

    @property
    def silence_bits(self) -> float:
        """What one time-out tells, in bits; never less than one, so that doubt always ends."""
        return max(1.0, log2((self.looks + LOOKS_ASSUMED) / (self.missed + MISSES_ASSUMED)))

    def echo_bits(self, cell: str, *, near: bool) -> float:
        """What it tells, in bits, that this other cell hears the thing."""
        heard = dict(self.echoes).get(cell, 0)
        assumed = LOOKS_ASSUMED if near else LOOKS_ASSUMED_FAR
        return max(0.0, log2((self.looks - self.missed + assumed) / (heard + 1)))

    def after(self, evidence: Evidence, at: int, sweep: int) -> Presence:
        """This presence after one more look at its cell."""
        match evidence:
            case Evidence.UNCLEAR:
                # an error may well be a tag that began to answer: it takes a time-out back
                return replace(self, misses=self.misses - 1) if self.misses else self
            case Evidence.HEARD:
                return self._heard()
            case Evidence.MISSED if self.misses:
                return replace(self, misses=self.misses + 1)
            case Evidence.MISSED:
                return replace(self, misses=1, missing_since=at, missing_from=sweep)

    def answered(self, times: int) -> Presence:
        """This presence after so many more looks that it has answered."""
        presence = self
        while times:
            # Up to the next time that what is known is halved, looks are only counted.
            counted = min(times - 1, max(0, LOOKS_REMEMBERED - presence.looks - presence.misses))
            if counted:
                presence = replace(presence, looks=presence.looks + counted)
            presence = presence.after(Evidence.HEARD, 0, 0)
            times -= counted + 1
        return presence

    def echoed_by(self, cell: str) -> Presence:
        """This presence after another cell has heard the thing too."""
        counts = dict(self.echoes)
        counts[cell] = counts.get(cell, 0) + 1
        return replace(self, echoes=tuple(counts.items()))

    def cleared(self) -> Presence:
        """This presence with nothing held against it: its reader has not been able to look."""
        return replace(self, misses=0) if self.misses else self

    def is_gone(self, at: int, times: SensingTimes) -> bool:
        """Whether the time-outs are enough, long and unlikely enough."""
        return (
            self.misses >= times.removed_after_sweeps
            and at - self.missing_since >= times.removed_after_ms
            and self.doubt >= times.removed_confidence
        )

    def _heard(self) -> Presence:
        looks, missed, echoes = self.looks + self.misses + 1, self.missed + self.misses, self.echoes
        if looks > LOOKS_REMEMBERED:
            looks, missed = looks // 2, missed // 2
            echoes = tuple((cell, count // 2) for cell, count in echoes if count > 1)
        return Presence(self.thing, looks, missed, echoes=echoes)


# --- Something that has been heard on a cell and is not believed yet --------------------------------------------------

# so far a score may run ahead of what is asked for: what goes away again is forgotten soon
SCORE_AHEAD = 4
# what it tells against a move, in bits, if the old cell answers after all or the new one does not
OLD_CELL_ANSWERS = 2.0
NEW_CELL_SILENT = 1.0


@dataclass(frozen=True, slots=True)
class Candidate:
    """A thing that may be about to rest on a cell.

    The score goes up with every look that hears it and down with every one that does not; at nothing it is forgotten.
    `hits` and `gaps` count those looks. `proof` is what speaks for it against the cell on which the thing rested
    before, in bits. `garbled`: it is like a tag nearby. `contested`: one more cell on which it does not rest has heard
    it too.
    """

    thing: Thing
    since: int
    score: int = 0
    hits: int = 0
    gaps: int = 0
    proof: float = 0.0
    garbled: bool = False
    contested: bool = False

    def heard(self, at: int, times: SensingTimes, bits: float = 0.0) -> Candidate:
        """This candidate after a look that heard it, where its old cell did not, which tells so many bits."""
        return replace(
            self,
            since=self.since if self.score else at,
            score=min(self.score + 1, times.placed_after_sweeps + times.lead_sweeps + SCORE_AHEAD),
            hits=self.hits + 1,
            proof=self.proof + bits,
        )

    def contradicted(self) -> Candidate | None:
        """This candidate after a look that heard it on its old cell too; None if there was no proof against that."""
        proof = self.proof - OLD_CELL_ANSWERS
        return replace(self, proof=proof) if proof > 0 else None

    def missed(self) -> Candidate | None:
        """This candidate after a clean look that did not hear it; None if it is forgotten."""
        # while it is contested, what was heard of it still counts for its rivals, though less and less
        hits = self.hits if self.score else self.hits - 1
        if self.score <= 1 and not (self.contested and hits):
            return None
        proof = max(0.0, self.proof - NEW_CELL_SILENT)
        return replace(self, score=max(0, self.score - 1), hits=hits, gaps=self.gaps + 1, proof=proof)

    def rests(self, at: int, times: SensingTimes) -> bool:
        """Whether it has been heard often and long enough to be believed."""
        if self.garbled and (self.gaps or at - self.since < times.garbled_after_ms):
            return False
        return self.score >= times.placed_after_sweeps and at - self.since >= times.placed_after_ms

    def leads(self, rivals: Sequence[Candidate], times: SensingTimes) -> bool:
        """Whether it has been heard clearly more often than its rivals, lately and altogether."""
        score = max((rival.score for rival in rivals), default=0)
        hits = max((rival.hits for rival in rivals), default=0)
        return self.score - score >= times.lead_sweeps and self.hits - hits >= times.lead_sweeps


def fold_candidate(
    candidate: Candidate | None, evidence: Evidence, fresh: Candidate, at: int, times: SensingTimes
) -> Candidate | None:
    """A candidate without an old cell after one more look, where a new one would begin as `fresh`."""
    if evidence is Evidence.HEARD:
        return (candidate or fresh).heard(at, times)
    if candidate is None or evidence is Evidence.UNCLEAR:
        return candidate
    return candidate.missed()


# --- All that is known of one cell ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Judged:
    """How often readings of one cell were judged not to mean what they say."""

    errors: int = 0
    dead: int = 0
    cross_reads: int = 0
    garbled: int = 0


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell: what rests there, what may be about to, and how its reader does.

    `empty_since` and `empty_looks` are the run of clean time-outs before anything was found; `known` says that the
    cell has been judged once, so that what appears from now on was put there. `crowding` is the suspicion that several
    tags are on the cell, `crowd` the certainty.
    """

    reading: Reading | None = None
    condition: ReaderCondition = WORKING
    presence: Presence | None = None
    candidates: tuple[Candidate, ...] = ()
    crowding: Candidate | None = None
    crowd: Presence | None = None
    known: bool = False
    empty_looks: int = 0
    empty_since: int = 0
    judged: Judged = Judged()

    def has_read(self, reading: Reading) -> bool:
        """Whether the latest reading said the same; when that was is of no interest to a cell."""
        before = self.reading
        return before is not None and before.outcome is reading.outcome and before.uids == reading.uids

    def candidate(self, thing: Thing) -> Candidate | None:
        """The candidate for this thing, if there is one."""
        return next((candidate for candidate in self.candidates if candidate.thing == thing), None)

    @property
    def is_answered(self) -> bool:
        """Whether something rests here that has answered the last clean look."""
        return self.presence is not None and not self.presence.misses


Cells = dict[str, Cell]


def homes_of(cells: Cells) -> dict[Thing, str]:
    """The cell on which each thing rests."""
    return {cell.presence.thing: name for name, cell in cells.items() if cell.presence is not None}

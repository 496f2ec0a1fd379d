"""Something that has been heard on a cell and is not believed yet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from quarto_pi.sensing.events import Thing
from quarto_pi.sensing.looks import Evidence
from quarto_pi.sensing.times import SensingTimes

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


def fold(
    candidate: Candidate | None, evidence: Evidence, fresh: Candidate, at: int, times: SensingTimes
) -> Candidate | None:
    """A candidate without an old cell after one more look, where a new one would begin as `fresh`."""
    if evidence is Evidence.HEARD:
        return (candidate or fresh).heard(at, times)
    if candidate is None or evidence is Evidence.UNCLEAR:
        return candidate
    return candidate.missed()

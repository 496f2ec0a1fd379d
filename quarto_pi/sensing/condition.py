"""Whether a cell's reader works: a reader that only fails is lost, which is not the same as an empty cell."""

from __future__ import annotations

from dataclasses import dataclass

from quarto_pi.sensing.times import SensingTimes


@dataclass(frozen=True, slots=True)
class Condition:
    """A reader's state, and the run of looks that may change it: failures while it works, good looks while lost."""

    lost: bool = False
    run: int = 0
    since: int = 0

    def after(self, failed: bool, at: int, times: SensingTimes) -> Condition:
        """The condition after one more look."""
        if failed is self.lost:
            # one good look clears a working reader; a lost one may fail between its good looks, as with a weak tag
            left = self.run - 1 if self.lost else 0
            return Condition(self.lost, left, self.since) if left > 0 else Condition(self.lost) if self.run else self
        run, since = self.run + 1, self.since if self.run else at
        sweeps = times.recovered_after_sweeps if self.lost else times.lost_after_sweeps
        duration = times.recovered_after_ms if self.lost else times.lost_after_ms
        if run >= sweeps and at - since >= duration:
            return Condition(not self.lost)
        return Condition(self.lost, run, since)


WORKING = Condition()

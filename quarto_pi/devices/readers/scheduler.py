"""Runs polls side by side on one bus: fields by the plan, exchanges by the mode, recoveries in the background."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import IntEnum
from math import ceil
from typing import Final

from quarto_pi.clock import Clock
from quarto_pi.devices.readers.exchange import Steps
from quarto_pi.devices.readers.fields import FieldMode, FieldPlan
from quarto_pi.devices.readers.health import CellFinding, Fault
from quarto_pi.devices.readers.polling import Poll
from quarto_pi.sensing.readings import Outcome, Reading

# --- Who is looked at when: squares that may change often, settled ones seldom, an idle board slowly ------------------


@dataclass(frozen=True, slots=True)
class AttentionSettings:
    """Rhythm of the rounds; times are in milliseconds.

    A settled tag is left out of a round if its last look is not older than `settled_for`: at the slowest boards it is
    looked at in every other round, so that taking it away is seen about as soon as putting it down.
    """

    settled_for: int = 70
    fresh_for: int = 3_000
    idle_after: int = 60_000
    idle_interval: int = 400


class CellAttention:
    """Chooses the cells of each round from what the readings before have shown."""

    def __init__(self, cells: Iterable[str], settings: AttentionSettings | None = None) -> None:
        self._cells = tuple(cells)
        self._settings = settings or AttentionSettings()
        self._last: dict[str, Reading] = {}
        self._changed_at: dict[str, int] = {}
        self._board_changed_at = 0

    def note(self, reading: Reading) -> None:
        """Take a reading into account."""
        before = self._last.get(reading.cell)
        self._last[reading.cell] = reading
        if before is None or (before.outcome, before.uids) != (reading.outcome, reading.uids):
            self._changed_at[reading.cell] = reading.at
            self._board_changed_at = reading.at

    def choose(self, now: int) -> tuple[str, ...]:
        """Return the cells of the next round: those that may not wait, or else those that have waited longest."""
        due = tuple(cell for cell in self._cells if not self._may_wait(cell, now))
        if due:
            return due
        waiting = sorted(self._cells, key=lambda cell: self._last[cell].at)
        return tuple(waiting[: ceil(len(waiting) / 3)])

    def _may_wait(self, cell: str, now: int) -> bool:
        reading = self._last.get(cell)
        if reading is None or reading.outcome not in (Outcome.TAG, Outcome.DEAD):
            return False
        is_settled = now - self._changed_at[cell] >= self._settings.fresh_for
        return is_settled and now - reading.at < self._settings.settled_for

    def pause(self, now: int) -> int:
        """Return how many milliseconds may pass before the next round."""
        quiet_for = now - self._board_changed_at
        return self._settings.idle_interval if quiet_for >= self._settings.idle_after else 0


# --- Runs polls side by side on one bus: fields by the plan, exchanges by the mode, recoveries in the background ------


class JobStage(IntEnum):
    """Where a job stands; of several that are due the lower stage goes first."""

    ASKING = 0
    WARM = 1
    WARMING = 2
    COOLING = 3
    BACKGROUND = 4


@dataclass(frozen=True, slots=True)
class PollResult:
    """What a poll of a cell found, and the microsecond at which it did."""

    cell: str
    finding: CellFinding
    at: int


@dataclass(slots=True)
class _Job:
    cell: str
    stage: JobStage
    steps: Steps[CellFinding] | Steps[None]
    due_at: int
    poll: Poll | None = None


@dataclass(slots=True)
class _Sweep:
    polls: dict[str, Poll]
    found: Callable[[PollResult], None]
    groups: deque[list[str]] = field(default_factory=deque)


_NO_SWEEP: Final = _Sweep({}, lambda _: None)


class Scheduler:
    """One thread's worth of concurrency: whoever is due next goes next; `lost` names readers that do not answer.

    A field that is not known to be off is switched off again before the next one goes on.
    """

    def __init__(self, clock: Clock, plan: FieldPlan) -> None:
        self._clock = clock
        self._plan = plan
        self._jobs: list[_Job] = []
        self._warm: set[str] = set()
        self._unconfirmed: dict[str, Poll] = {}
        self.lost: set[str] = set()
        self.most_warm = 0

    def add_background(self, cell: str, steps: Steps[None]) -> None:
        """Let a task without a field run whenever there is time, beyond the end of a sweep."""
        self._jobs.append(_Job(cell, JobStage.BACKGROUND, steps, self._clock.now()))

    def run(self, polls: Iterable[tuple[str, Poll]], found: Callable[[PollResult], None]) -> None:
        """Do the polls, group by group as the plan orders their cells, and tell of each what it found."""
        sweep = _Sweep(dict(polls), found)
        sweep.groups.extend(self._plan.in_groups(sweep.polls))
        while sweep.groups or any(job.stage is not JobStage.BACKGROUND for job in self._jobs):
            self._admit(sweep)
            if not self._jobs:
                continue
            job = self._next()
            self._clock.wait_until(job.due_at)
            self._resume(job, sweep)
        self._serve_background()

    def fields_left_on(self) -> tuple[str, ...]:
        """Return the cells whose chips have not confirmed until now that their field is off, and forget them."""
        self._switch_off_again()
        cells = tuple(self._unconfirmed)
        self._unconfirmed.clear()
        return cells

    def _switch_off_again(self) -> None:
        for cell, poll in list(self._unconfirmed.items()):
            if poll.switch_off(tries=1):
                del self._unconfirmed[cell]

    def run_background(self) -> None:
        """Finish all background tasks, with waiting."""
        while self._jobs:
            job = self._next()
            self._clock.wait_until(job.due_at)
            self._resume(job, _NO_SWEEP)

    def _serve_background(self) -> None:
        for job in list(self._jobs):
            if job.due_at <= self._clock.now():
                self._resume(job, _NO_SWEEP)

    def _admit(self, sweep: _Sweep) -> None:
        # group after group: a cell let in ahead of its group would keep its neighbours in the group before it waiting
        if sweep.groups and not sweep.groups[0]:
            sweep.groups.popleft()
        if not sweep.groups:
            return
        for cell in list(sweep.groups[0]):
            lost = self._lost_and_cold()
            if self._plan.is_full(self._warm, lost):
                # none of the others is let in before a job goes on
                return
            if not self._plan.admits(cell, self._warm, lost):
                continue
            sweep.groups[0].remove(cell)
            self._switch_off_again()
            self._warm.add(cell)
            self.most_warm = max(self.most_warm, len(self._warm))
            poll = sweep.polls[cell]
            job = _Job(cell, JobStage.WARMING, poll.warm_up(), self._clock.now(), poll)
            self._jobs.append(job)
            self._resume(job, sweep)

    def _lost_and_cold(self) -> int:
        if not self.lost and not self._unconfirmed:
            return 0
        return len((self.lost | self._unconfirmed.keys()) - self._warm)

    def _next(self) -> _Job:
        now = self._clock.now()
        jobs = self._jobs
        if self._plan.mode is not FieldMode.INTERLEAVED and any(job.stage is JobStage.ASKING for job in jobs):
            jobs = [job for job in jobs if job.stage is not JobStage.WARM]
        return min(jobs, key=lambda job: (max(job.due_at, now), job.stage, job.due_at))

    def _resume(self, job: _Job, sweep: _Sweep) -> None:
        if job.stage is JobStage.WARM and job.poll is not None:
            job.stage, job.steps = JobStage.ASKING, job.poll.ask()
        try:
            job.due_at = next(job.steps)
        except StopIteration as end:
            self._advance(job, sweep, end.value)
        except OSError:
            self._abandon(job, sweep)

    def _abandon(self, job: _Job, sweep: _Sweep) -> None:
        """Give up a job whose bus has failed; a poll without an answer yet has found no reader."""
        self._jobs.remove(job)
        self._warm.discard(job.cell)
        if job.poll is not None and not job.poll.switch_off():
            self._unconfirmed[job.cell] = job.poll
        if job.stage in (JobStage.WARMING, JobStage.ASKING):
            sweep.found(PollResult(job.cell, CellFinding(Outcome.DEAD, fault=Fault.NO_CHIP), self._clock.now()))

    def _advance(self, job: _Job, sweep: _Sweep, value: CellFinding | None) -> None:
        now = self._clock.now()
        if job.stage is JobStage.ASKING and value is not None and job.poll is not None:
            sweep.found(PollResult(job.cell, value, now))
            job.stage, job.steps, job.due_at = JobStage.COOLING, job.poll.cool_down(), now
        elif job.stage is JobStage.WARMING:
            job.stage, job.due_at = JobStage.WARM, now
        else:
            if job.stage is JobStage.COOLING:
                self._warm.discard(job.cell)
                if job.poll is not None and not job.poll.field_is_off:
                    self._unconfirmed[job.cell] = job.poll
            self._jobs.remove(job)

"""A clock that the test holds: it moves only when somebody waits on it or moves it."""

from __future__ import annotations

import heapq
import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from typing import Final, Self

from quarto_pi.simulation.tag import CARRIER_HZ, GUARD_NS, NS

# --- How long things take below the drivers; what lies between two bounds is drawn anew each time, from a seed --------

NS_PER_US: Final = 1000
Span = tuple[int, int]
"""The least and the most that something may take, in nanoseconds."""
NO_TIME: Final[Span] = (0, 0)


@dataclass(frozen=True, slots=True)
class Spans:
    """What the parts of a board take: the bounds that each duration lies between."""

    before_transfer: Span = (30_000, 30_000)  # system call, driver and select lines; the hardware facts' figure
    after_transfer: Span = NO_TIME
    latency: Span = NO_TIME  # in the chip, from the end of a byte on the air to the FIFO
    guard: Span = (GUARD_NS, GUARD_NS)  # from field on until a tag understands
    answer: Span = NO_TIME  # by which a tag answers after its frame delay time
    clock: Span = NO_TIME  # each time the host reads its clock
    waking: Span = NO_TIME  # by which a host that has waited goes on too late

    @classmethod
    def of_host(cls, delay: Span, latency: Span) -> Self:
        """Return the bounds of a host and a chip with these delays, in microseconds, where all the rest varies."""
        return cls(
            before_transfer=(delay[0] * NS_PER_US, delay[1] * NS_PER_US),
            after_transfer=(0, 5_000),
            latency=(latency[0] * NS_PER_US, latency[1] * NS_PER_US),
            guard=(1_000_000, GUARD_NS),
            answer=(0, 400),
            clock=(100, 1_500),
            waking=(0, 2_000),
        )


VARIED: Final = Spans.of_host((5, 200), (0, 25))
"""All that nobody can exclude on a Pi, within one run."""


class Durations:
    """Draws durations; equal seeds draw equal ones, and draw nothing from anybody else's source."""

    def __init__(self, spans: Spans | None = None, seed: int = 0) -> None:
        self.spans = spans or Spans()
        self._rng = random.Random(f"durations {seed}")  # noqa: S311 - repeatable times, not secrets

    def draw(self, span: Span) -> int:
        """Return a duration within these bounds."""
        least, most = span
        return least if least == most else self._rng.randint(least, most)


# --- A clock that the test holds: it moves only when somebody waits on it or moves it ---------------------------------

PACE_NS: Final = 5_000_000
"""A paced clock may be so early before it waits: sleeping for less costs more than it is worth."""


class SimulatedClock:
    """Simulated time in nanoseconds, read in microseconds, with actions that happen on the way.

    It runs as fast as it is made to; one that is `paced` runs no faster than real time, for people who look on, or
    `speed` times as fast, for people who do not want to wait for what takes long.
    Where durations say so it moves while it is read, and wakes late whoever waits for it, as a Pi's own does.
    """

    def __init__(self, *, paced: bool = False, speed: int = 1, durations: Durations | None = None) -> None:
        self.ns = 0
        self._speed = speed
        self._durations = durations or Durations()
        self._is_read_in_no_time = self._durations.spans.clock == (0, 0)
        self._began_ns: int | None = None
        self._actions: list[tuple[int, int, Callable[[], None]]] = []
        self._order = count()
        if paced:
            self.keep_pace()

    def keep_pace(self) -> None:
        """Run no faster than real time from now on, or `speed` times as fast."""
        self._began_ns = time.monotonic_ns() - self.ns // self._speed

    def now(self) -> int:
        """Return the simulated microseconds since the start."""
        if not self._is_read_in_no_time:
            reading = self._durations.draw(self._durations.spans.clock)
            if reading:
                self.advance_ns(reading)
        return self.ns // NS_PER_US

    def wait_until(self, moment: int) -> None:
        """Let simulated time pass up to the moment."""
        if moment * NS_PER_US > self.ns:
            late = self._durations.draw(self._durations.spans.waking)
            self.advance_ns(moment * NS_PER_US - self.ns + late)

    def advance_ms(self, duration: float) -> None:
        """Let that many milliseconds pass."""
        self.advance_ns(int(duration * 1_000_000))

    def advance_ns(self, duration: int) -> None:
        """Let that many nanoseconds pass and do on the way what was planned for them."""
        target = self.ns + duration
        while self._actions and self._actions[0][0] <= target:
            moment, _, action = heapq.heappop(self._actions)
            self.ns = max(self.ns, moment)
            action()
        self.ns = max(self.ns, target)
        if self._began_ns is not None:
            early_ns = self.ns // self._speed - (time.monotonic_ns() - self._began_ns)
            if early_ns > PACE_NS:
                time.sleep(early_ns / 1_000_000_000)

    def plan(self, milliseconds: float, action: Callable[[], None]) -> None:
        """Have the action done when the clock passes that millisecond."""
        heapq.heappush(self._actions, (int(milliseconds * 1_000_000), next(self._order), action))


# --- The MFRC522's timer unit (8.5): a prescaler, a reload value, and one deadline ------------------------------------


class Timer:
    """A countdown that is either stopped or runs out at a known moment."""

    def __init__(self) -> None:
        self.runs_out_at: int | None = None
        self._tick_ns = 1
        self._reload = 0

    def start(self, at: int, prescaler: int, reload: int) -> None:
        """Start at the reload value; the interrupt comes reload + 1 ticks later (8.5, equation 4)."""
        self._tick_ns = (2 * prescaler + 1) * NS // CARRIER_HZ
        self._reload = reload
        self.runs_out_at = at + (reload + 1) * self._tick_ns

    def stop(self) -> None:
        """Stop where it is."""
        self.runs_out_at = None

    def value(self, at: int) -> int:
        """Return the counter as TCounterValReg shows it."""
        if self.runs_out_at is None:
            return 0
        return max(0, min(self._reload, (self.runs_out_at - at) // self._tick_ns))

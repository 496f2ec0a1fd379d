"""A clock that the test holds: it moves only when somebody waits on it or moves it."""

from __future__ import annotations

import heapq
import time
from collections.abc import Callable
from itertools import count
from typing import Final

from quarto_pi.simulation.durations import Durations

NS_PER_US: Final = 1000
PACE_NS: Final = 5_000_000
"""A paced clock may run so far ahead before it waits: sleeping for less costs more than it is worth."""


class SimulatedClock:
    """Simulated time in nanoseconds, read in microseconds, with actions that happen on the way.

    It runs as fast as it is made to; one that is `paced` runs no faster than real time, for people who look on.
    Where durations say so it moves while it is read, and wakes late whoever waits for it, as a Pi's own does.
    """

    def __init__(self, *, paced: bool = False, durations: Durations | None = None) -> None:
        self.ns = 0
        self._durations = durations or Durations()
        self._began_ns: int | None = None
        self._actions: list[tuple[int, int, Callable[[], None]]] = []
        self._order = count()
        if paced:
            self.keep_pace()

    def keep_pace(self) -> None:
        """Run no faster than real time from now on."""
        self._began_ns = time.monotonic_ns() - self.ns

    def now(self) -> int:
        """Return the simulated microseconds since the start."""
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
            ahead_ns = self.ns - (time.monotonic_ns() - self._began_ns)
            if ahead_ns > PACE_NS:
                time.sleep(ahead_ns / 1_000_000_000)

    def plan(self, milliseconds: float, action: Callable[[], None]) -> None:
        """Have the action done when the clock passes that millisecond."""
        heapq.heappush(self._actions, (int(milliseconds * 1_000_000), next(self._order), action))

"""A clock that the test holds: it moves only when somebody waits on it or moves it."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from itertools import count
from typing import Final

NS_PER_US: Final = 1000


class SimulatedClock:
    """Simulated time in nanoseconds, read in microseconds, with actions that happen on the way."""

    def __init__(self) -> None:
        self.ns = 0
        self._actions: list[tuple[int, int, Callable[[], None]]] = []
        self._order = count()

    def now(self) -> int:
        """Return the simulated microseconds since the start."""
        return self.ns // NS_PER_US

    def wait_until(self, moment: int) -> None:
        """Let simulated time pass up to the moment."""
        if moment * NS_PER_US > self.ns:
            self.advance_ns(moment * NS_PER_US - self.ns)

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

    def plan(self, milliseconds: float, action: Callable[[], None]) -> None:
        """Have the action done when the clock passes that millisecond."""
        heapq.heappush(self._actions, (int(milliseconds * 1_000_000), next(self._order), action))

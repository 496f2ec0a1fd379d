"""Time as something that is handed in: a protocol, and the clock of the machine."""

from __future__ import annotations

import time
from typing import Final, Protocol

US_PER_MS: Final = 1000
_SPIN_US: Final = 300  # a sleeping Linux thread wakes up to 100-200 us late, so the last stretch is spun


class Clock(Protocol):
    """A steady clock in microseconds that can be waited on."""

    def now(self) -> int:
        """Return the microseconds since an arbitrary start."""

    def wait_until(self, moment: int) -> None:
        """Return once `now()` has reached the moment, at once if it has passed."""


class MonotonicClock:
    """The machine's own clock, which sleeps for long waits and spins for the last stretch of each."""

    def now(self) -> int:
        """Return the microseconds since an arbitrary start."""
        return time.monotonic_ns() // 1000

    def wait_until(self, moment: int) -> None:
        """Return once `now()` has reached the moment, at once if it has passed."""
        remaining = moment - self.now()
        if remaining > _SPIN_US:
            time.sleep((remaining - _SPIN_US) / 1_000_000)
        while self.now() < moment:
            pass

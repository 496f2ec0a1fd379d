"""What the intake counts and measures, for who wants to know how it fares."""

from __future__ import annotations

import threading
from bisect import bisect_left
from dataclasses import dataclass, field
from typing import Final

COMMIT_SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
"""The bounds of the parts: from a disk that is fast to one that nobody wants."""


class CommitTimes:
    """How long commits took. One thread counts, any thread reads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts = [0] * (len(COMMIT_SECONDS) + 1)
        self._seconds = 0.0

    def took(self, seconds: float) -> None:
        """One more, and how long it took."""
        with self._lock:
            self._counts[bisect_left(COMMIT_SECONDS, seconds)] += 1
            self._seconds += seconds

    def counted(self) -> tuple[list[int], float]:
        """How many there were in each part, the last of which has no bound, and their seconds altogether."""
        with self._lock:
            return list(self._counts), self._seconds


@dataclass(slots=True)
class IntakeCounts:
    """What was counted since the hub was started, and what waits at present."""

    messages: int = 0
    kept: int = 0
    again: int = 0
    refused: int = 0
    let_fall: int = 0
    batches: int = 0
    away: int = 0
    waiting: int = 0
    commits: CommitTimes = field(default_factory=CommitTimes)

"""What a push button tells, wherever it is wired."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Movement:
    """A button went down or up, at a millisecond of the clock."""

    name: str
    down: bool
    at: int

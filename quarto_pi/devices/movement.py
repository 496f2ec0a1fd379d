"""What a push button tells, wherever it is wired."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Movement:
    """A button went down or up, at a millisecond of the clock."""

    name: str
    down: bool
    at: int


class Buttons(Protocol):
    """The push buttons of a board, wherever they are wired."""

    def movements(self) -> list[Movement]:
        """All that has moved since this was asked last, in order."""

"""What a position is worth to the player to move."""

from __future__ import annotations

from enum import Enum


class Outcome(Enum):
    """The value of a position or an option under perfect play and perfect calling by both."""

    WIN = 1
    DRAW = 0
    LOSS = -1

    @property
    def reversed(self) -> Outcome:
        """The same seen by the opponent."""
        return Outcome(-self.value)

    @property
    def word(self) -> str:
        """The value as it stands in the interfaces: win, draw or loss."""
        return self.name.lower()

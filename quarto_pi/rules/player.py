"""The two players."""

from __future__ import annotations

from enum import Enum


class Player(Enum):
    """One of the two players; the number is the one used in traces and records."""

    A = 0
    B = 1

    @property
    def other(self) -> Player:
        """The opponent."""
        return Player(1 - self.value)

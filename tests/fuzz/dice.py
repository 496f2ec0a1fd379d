"""Bytes as choices: the same bytes choose the same, and when they are used up the first of everything is chosen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

_T = TypeVar("_T")


class Dice:
    """Takes what it needs from the front of the bytes."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    @property
    def left(self) -> bool:
        """Whether there is something left to choose by."""
        return self._at < len(self._data)

    def number(self, platform: int) -> int:
        """A number from 0 to below this one."""
        size = max(1, ((platform - 1).bit_length() + 7) // 8)
        return int.from_bytes(self.take(size)) % platform

    def choice(self, things: Sequence[_T]) -> _T:
        """One of these."""
        return things[self.number(len(things))]

    def chance(self, percent: int) -> bool:
        """True that often; False once nothing is left."""
        return self.left and self.number(100) < percent

    def take(self, size: int) -> bytes:
        """So many bytes, fewer at the end."""
        taken = self._data[self._at : self._at + size]
        self._at += size
        return taken

    def some(self, most: int) -> bytes:
        """Up to so many bytes."""
        return self.take(self.number(most + 1))

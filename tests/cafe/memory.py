"""What a process has in memory after each game, and whether it grows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

FULL_BY = 100
"""After so many games everything has been imported, drawn and remembered once, and every cache is full."""
MOST_BLOCKS = 1.005
MOST_KILOBYTES = 1.005
"""Between halfway and the end; of 500 games each of which left a kilobyte behind the process would grow by as much."""
LEVEL_OVER = 10
"""What a game holds while it is played comes and goes: the least of so many games counts."""


@dataclass(frozen=True, slots=True)
class Memory:
    """After so many games: kilobytes of the process, Python's blocks of memory, and bytes it has had written."""

    games: int
    kilobytes: int
    blocks: int
    written: int


@dataclass(frozen=True, slots=True)
class Level:
    """The least of several games in a row, the first of which is this one."""

    games: int
    kilobytes: int
    blocks: int


def levels(measured: Sequence[Memory]) -> tuple[Level, Level]:
    """How much there is in memory halfway, but not before all caches are full, and at the end."""
    last = max(0, len(measured) - LEVEL_OVER)
    halfway = min(max(FULL_BY, len(measured) // 2), last)
    return _level(measured[halfway:]), _level(measured[last:])


def grows(measured: Sequence[Memory]) -> bool:
    """Whether there is more in memory at the end than halfway."""
    halfway, end = levels(measured)
    return end.kilobytes > halfway.kilobytes * MOST_KILOBYTES or end.blocks > halfway.blocks * MOST_BLOCKS


def _level(measured: Sequence[Memory]) -> Level:
    some = measured[:LEVEL_OVER]
    return Level(some[0].games, min(each.kilobytes for each in some), min(each.blocks for each in some))

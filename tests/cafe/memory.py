"""What a process has in memory after each game, and whether it grows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

LAST_PART = 2 / 5
"""Before that everything is imported, drawn and remembered once, and every cache is filled."""
MOST_A_HUNDRED = 0.003
"""Growth over a hundred games: of fifty megabytes, what games come to each of which leaves 1.5 kB behind."""
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
class Growth:
    """From this game to that one, how much more there was in memory a hundred games later, as shares."""

    begin: int
    end: int
    kilobytes: float
    blocks: float


def growth(measured: Sequence[Memory]) -> Growth:
    """How much more there is in memory at the end than where the last part begins, for a hundred games."""
    last = max(0, len(measured) - LEVEL_OVER)
    begin, end = _level(measured[min(last, round(len(measured) * (1 - LAST_PART))) :]), _level(measured[last:])
    hundreds = max(1, end.games - begin.games) / 100
    kilobytes, blocks = end.kilobytes / begin.kilobytes - 1, end.blocks / begin.blocks - 1
    return Growth(begin.games, end.games, kilobytes / hundreds, blocks / hundreds)


def grows(measured: Sequence[Memory]) -> bool:
    """Whether the process grows from game to game."""
    found = growth(measured)
    return max(found.kilobytes, found.blocks) > MOST_A_HUNDRED


def _level(measured: Sequence[Memory]) -> Memory:
    some = measured[:LEVEL_OVER]
    return replace(some[0], kilobytes=min(each.kilobytes for each in some), blocks=min(each.blocks for each in some))

"""A table of small numbers that does not hold its keys: about 2.5 bits for each two-bit value.

It is only ever asked for keys that were there when it was made; for any other key the answer means nothing. Three
cells belong to every key, and the exclusive or of the three is its value. To make it, keys that have a cell for
themselves are taken away one after the other until none is left; in the opposite order that cell is free to be set.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from itertools import count

# --- What a position is worth to the player to move -------------------------------------------------------------------


class GameValue(Enum):
    """The value of a position or an option under perfect play and perfect calling by both."""

    WIN = 1
    DRAW = 0
    LOSS = -1

    @property
    def reversed(self) -> GameValue:
        """The same seen by the opponent."""
        return GameValue(-self.value)

    @property
    def word(self) -> str:
        """The value as it stands in the interfaces: win, draw or loss."""
        return self.name.lower()


# --- A table of small numbers that does not hold its keys: about 2.5 bits for each two-bit value ----------------------

_WORD = 0xFFFFFFFFFFFFFFFF
# Below 1.23 cells for a key the keys no longer come apart.
_CELLS_PER_KEY = 1.24


@dataclass(frozen=True, slots=True)
class Retrieval:
    """Values from 0 to 3 for a set of whole numbers below 2**64."""

    seed: int
    segment: int
    cells: bytes

    def __getitem__(self, key: int) -> int:
        """The value that was kept for a key."""
        first, second, third = _places(key, self.seed, self.segment)
        cells = self.cells
        return (
            cells[first >> 2] >> 2 * (first & 3)
            ^ cells[second >> 2] >> 2 * (second & 3)
            ^ cells[third >> 2] >> 2 * (third & 3)
        ) & 3


def build_retrieval(values: Mapping[int, int]) -> Retrieval:
    """A table for these keys and values."""
    segment = int(len(values) * _CELLS_PER_KEY / 3) + 8
    for seed in count():
        order = _take_apart(values, seed, segment)
        if len(order) == len(values):
            return Retrieval(seed, segment, _fill(values, order, seed, segment))
    raise AssertionError


def _places(key: int, seed: int, segment: int) -> tuple[int, int, int]:
    """The three cells of a key, one in each segment."""
    mixed = (key + (seed + 1) * 0x9E3779B97F4A7C15) & _WORD
    mixed = ((mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9) & _WORD
    mixed = ((mixed ^ mixed >> 27) * 0x94D049BB133111EB) & _WORD
    mixed ^= mixed >> 31
    # 21 bits for each of the three are enough for books of two million positions.
    return (
        (mixed & 0x1FFFFF) * segment >> 21,
        segment + ((mixed >> 21 & 0x1FFFFF) * segment >> 21),
        2 * segment + ((mixed >> 42 & 0x1FFFFF) * segment >> 21),
    )


def _take_apart(values: Mapping[int, int], seed: int, segment: int) -> list[tuple[int, int]]:
    """The keys in the order in which each had a cell for itself, with that cell; some are missing where this fails."""
    users = [0] * (3 * segment)
    # The exclusive or of all keys that use a cell is, once it has a single user, that user.
    mixed_keys = [0] * (3 * segment)
    for key in values:
        for place in _places(key, seed, segment):
            users[place] += 1
            mixed_keys[place] ^= key
    order: list[tuple[int, int]] = []
    single = [place for place, number in enumerate(users) if number == 1]
    while single:
        place = single.pop()
        if users[place] != 1:
            continue
        key = mixed_keys[place]
        order.append((key, place))
        for other in _places(key, seed, segment):
            users[other] -= 1
            mixed_keys[other] ^= key
            if users[other] == 1:
                single.append(other)
    return order


def _fill(values: Mapping[int, int], order: list[tuple[int, int]], seed: int, segment: int) -> bytes:
    cells = [0] * (3 * segment)
    for key, place in reversed(order):
        value = values[key]
        for other in _places(key, seed, segment):
            value ^= cells[other]
        # The cell itself was still 0, so that this makes the three come out right.
        cells[place] = value
    cells += [0] * (-len(cells) % 4)
    quads = zip(*(cells[first::4] for first in range(4)), strict=True)
    return bytes(a | b << 2 | c << 4 | d << 6 for a, b, c, d in quads)

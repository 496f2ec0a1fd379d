"""Who can meet whom so that nobody is left over: matchings of a graph that is not parted in two (Edmonds' blossoms)."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

NOBODY = -1


def largest_matching(allowed: Sequence[set[int]], among: set[int], begun: Sequence[int] | None = None) -> list[int]:
    """For each of these who meets him, so that as many meet as can; `NOBODY` for the others.

    `allowed[one]` are all who may meet him, and `begun` is a matching to begin with, of which all stay who are in it.
    """
    mates = [NOBODY] * len(allowed)
    if begun is not None:
        for one in among:
            if begun[one] in among:
                mates[one] = begun[one]
    for one in sorted(among):
        if mates[one] == NOBODY:
            for other in sorted(allowed[one] & among):
                if mates[other] == NOBODY:
                    mates[one], mates[other] = other, one
                    break
    for one in sorted(among):
        if mates[one] == NOBODY:
            _lengthen(allowed, among, mates, one)
    return mates


def _lengthen(allowed: Sequence[set[int]], among: set[int], mates: list[int], root: int) -> None:
    """Find a path from somebody who is alone to another one, and have each on it meet the next one instead."""
    size = len(allowed)
    parent = [NOBODY] * size
    base = list(range(size))
    is_outer = [False] * size
    is_outer[root] = True
    queue = deque([root])
    while queue:
        one = queue.popleft()
        for other in allowed[one] & among:
            if base[one] == base[other] or mates[one] == other:
                continue
            if other == root or (mates[other] != NOBODY and parent[mates[other]] != NOBODY):
                in_circle, top = _circle(one, other, mates, parent, base)
                for each in sorted(among):
                    if base[each] in in_circle:
                        base[each] = top
                        if not is_outer[each]:
                            is_outer[each] = True
                            queue.append(each)
            elif parent[other] == NOBODY:
                parent[other] = one
                if mates[other] == NOBODY:
                    _turn_over(mates, parent, other)
                    return
                is_outer[mates[other]] = True
                queue.append(mates[other])


def _circle(one: int, other: int, mates: list[int], parent: list[int], base: list[int]) -> tuple[set[int], int]:
    """The circle of odd length that both close, which is one place from now on, and where it hangs on the tree."""
    top = _common(one, other, mates, parent, base)
    in_circle: set[int] = set()
    for start, child in ((one, other), (other, one)):
        at, below = start, child
        while base[at] != top:
            in_circle |= {base[at], base[mates[at]]}
            parent[at] = below
            below = mates[at]
            at = parent[mates[at]]
    return in_circle, top


def _common(one: int, other: int, mates: list[int], parent: list[int], base: list[int]) -> int:
    """Where the ways of both back to the root come together."""
    passed: set[int] = set()
    at = one
    while True:
        at = base[at]
        passed.add(at)
        if mates[at] == NOBODY:
            break
        at = parent[mates[at]]
    at = other
    while base[at] not in passed:
        at = parent[mates[base[at]]]
    return base[at]


def _turn_over(mates: list[int], parent: list[int], last: int) -> None:
    at = last
    while at != NOBODY:
        before = parent[at]
        after = mates[before]
        mates[at], mates[before] = before, at
        at = after

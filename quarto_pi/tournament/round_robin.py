"""Everyone meets everyone: the circle method, with the starters of the tables of Berger."""

from __future__ import annotations


def round_robin(players: int) -> tuple[tuple[tuple[int, int], ...], ...]:
    """All rounds for players 1 to n: of each pair the first gives first, and who is paired with 0 plays free.

    Everyone meets everyone once, and is first in as many as he is second, or in one more or less.

    >>> round_robin(4)
    (((1, 4), (2, 3)), ((4, 3), (1, 2)), ((2, 4), (3, 1)))
    """
    if players < 2:
        return ()
    seats = players + players % 2
    return tuple(_round(number, seats, players) for number in range(seats - 1))


def _round(number: int, seats: int, players: int) -> tuple[tuple[int, int], ...]:
    """One turn of the circle of all but the last, who stays where he is."""
    turning = seats - 1
    pairs: list[tuple[int, int]] = []
    free: list[tuple[int, int]] = []
    # The player who meets the last one in this round; the others meet at the same distance to both sides of him.
    middle = number * seats // 2 % turning
    for distance in range(seats // 2):
        one = (middle + distance) % turning + 1
        other = (middle - distance) % turning + 1 if distance else seats
        if other > players:
            free.append((one, 0))
        else:
            pairs.append(_in_order(one, other, seats))
    return (*pairs, *free)


def _in_order(one: int, other: int, seats: int) -> tuple[int, int]:
    """Who of both gives first."""
    small, large = min(one, other), max(one, other)
    is_small = small <= seats // 2 if large == seats else (small + large) % 2 == 1
    return (small, large) if is_small else (large, small)

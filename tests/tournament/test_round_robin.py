"""Everyone meets everyone, and gives first as often as not."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from quarto_pi.tournament.pairing import round_robin


@pytest.mark.parametrize("players", [*range(2, 14), 39, 40])
def test_everyone_meets_everyone_once_and_plays_once_a_round(players: int) -> None:
    rounds = round_robin(players)
    met = Counter(frozenset(pair) for each in rounds for pair in each if 0 not in pair)
    assert met == Counter(frozenset(pair) for pair in combinations(range(1, players + 1), 2))
    for each in rounds:
        assert sorted(number for pair in each for number in pair if number) == list(range(1, players + 1))
    assert len(rounds) == players - 1 + players % 2


@pytest.mark.parametrize("players", [*range(2, 14), 39, 40])
def test_everyone_gives_first_in_half_of_his_games(players: int) -> None:
    rounds = round_robin(players)
    balance: Counter[int] = Counter(range(1, players + 1))
    balance.subtract(range(1, players + 1))
    for first, second in (pair for each in rounds for pair in each if 0 not in pair):
        balance[first] += 1
        balance[second] -= 1
    assert max(abs(value) for value in balance.values()) <= (1 if players % 2 == 0 else 0)


@pytest.mark.parametrize("players", [3, 5, 7, 39])
def test_everyone_plays_free_once_where_the_number_is_odd(players: int) -> None:
    free = Counter(first for each in round_robin(players) for first, second in each if second == 0)
    assert free == Counter(range(1, players + 1))


def test_nobody_alone_has_a_round() -> None:
    assert round_robin(0) == round_robin(1) == ()

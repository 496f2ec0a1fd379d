"""Swiss rounds: nobody meets anybody twice while that can be avoided, and who plays free is fair."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from random import Random

import pytest

from quarto_pi.tournament import PairingSystem, RoundDrawn, next_round
from quarto_pi.tournament.pairing import NOBODY, SwissPlayer, largest_matching, swiss_round
from tests.tournament.organised import after, announced, by_chance, lower_wins, round_by_round


def all_pairings(players: tuple[int, ...]) -> Iterator[list[tuple[int, int]]]:
    """Every way to pair an even number of players."""
    if not players:
        yield []
        return
    for other in players[1:]:
        rest = tuple(each for each in players if each not in (players[0], other))
        for pairs in all_pairings(rest):
            yield [(players[0], other), *pairs]


def can_avoid(players: tuple[int, ...], met: set[frozenset[int]], free: Counter[int]) -> bool:
    """Whether there is a pairing without anybody who has met, with a free round for one who has had fewest."""
    fewest = min(free[player] for player in players)
    for out in players if len(players) % 2 else (0,):
        if out and free[out] > fewest:
            continue
        left = tuple(player for player in players if player != out)
        if any(all(frozenset(pair) not in met for pair in pairs) for pairs in all_pairings(left)):
            return True
    return False


@pytest.mark.parametrize("players", range(2, 9))
@pytest.mark.parametrize("seed", range(3))
def test_nobody_meets_anybody_again_while_that_can_be_avoided(players: int, seed: int) -> None:
    decisions = announced(PairingSystem.SWISS, players, rounds=players + 1)
    met: set[frozenset[int]] = set()
    free: Counter[int] = Counter()
    judge = by_chance(seed)
    for _ in range(players + 1):
        avoidable = can_avoid(tuple(range(1, players + 1)), met, free)
        decisions = round_by_round(decisions, 1, judge)
        tournament = after(decisions)
        drawn = [pairing for pairing in tournament.pairings if pairing.round == tournament.drawn]
        pairs = {frozenset((pairing.first, pairing.second)) for pairing in drawn if not pairing.is_free}
        assert len(pairs) == players // 2
        assert not (avoidable and pairs & met)
        met |= pairs
        free.update(pairing.first for pairing in drawn if pairing.is_free)
        assert max(free.values(), default=0) - min((free[n] for n in range(1, players + 1)), default=0) <= 1


@pytest.mark.parametrize("players", [5, 9, 17, 33])
def test_nobody_plays_free_twice(players: int) -> None:
    decisions = round_by_round(announced(PairingSystem.SWISS, players, rounds=5), 5, by_chance(players))
    free = Counter(pairing.first for pairing in after(decisions).pairings if pairing.is_free)
    assert set(free.values()) == {1}
    assert len(free) == 5


@pytest.mark.parametrize("players", [8, 9, 24])
def test_everyone_gives_first_about_as_often_as_not(players: int) -> None:
    tournament = after(round_by_round(announced(PairingSystem.SWISS, players, rounds=7), 7, by_chance(1)))
    balance: Counter[int] = Counter()
    for pairing in tournament.pairings:
        if not pairing.is_free:
            balance[pairing.first] += 1
            balance[pairing.second] -= 1
    assert max(abs(value) for value in balance.values()) <= 3


def test_the_better_ones_meet_after_the_first_round() -> None:
    decisions = round_by_round(announced(PairingSystem.SWISS, 8, rounds=3), 1, lower_wins)
    first = {frozenset((pairing.first, pairing.second)) for pairing in after(decisions).pairings}
    assert first == {frozenset(pair) for pair in ((1, 5), (2, 6), (3, 7), (4, 8))}
    second = {frozenset(pair) for pair in next_round(after(decisions))}
    assert second == {frozenset(pair) for pair in ((1, 3), (2, 4), (5, 7), (6, 8))}


def test_who_has_left_is_not_paired() -> None:
    players = [SwissPlayer(number, 0) for number in (1, 3)]
    assert swiss_round(players) == ((1, 3),)
    assert swiss_round(players[:1]) == ((1, 0),)


def test_two_hundred_players_are_paired_for_ten_rounds() -> None:
    players = 200
    met: list[list[int]] = [[] for _ in range(players + 1)]
    chance = Random(4)
    points = [0] * (players + 1)
    for _ in range(10):
        order = sorted(range(1, players + 1), key=lambda number: (-points[number], number))
        pairs = swiss_round([SwissPlayer(number, points[number], tuple(met[number])) for number in order])
        for one, other in pairs:
            assert other not in met[one]
            met[one].append(other)
            met[other].append(one)
            points[chance.choice((one, other))] += 2
    assert all(len(each) == 10 for each in met[1:])


@pytest.mark.parametrize("seed", range(60))
def test_as_many_meet_as_can(seed: int) -> None:
    chance = Random(seed)
    size = chance.randint(1, 8)
    allowed: list[set[int]] = [set() for _ in range(size)]
    for one, other in combinations(range(size), 2):
        if chance.random() < 0.35:
            allowed[one].add(other)
            allowed[other].add(one)
    mates = largest_matching(allowed, set(range(size)))
    for one, other in enumerate(mates):
        assert other == NOBODY or (other in allowed[one] and mates[other] == one)
    assert sum(other != NOBODY for other in mates) == 2 * most_pairs(allowed, frozenset(range(size)))


def most_pairs(allowed: list[set[int]], left: frozenset[int]) -> int:
    """How many pairs there can be, by trying all."""
    if not left:
        return 0
    one = min(left)
    rest = left - {one}
    return max(most_pairs(allowed, rest), *(1 + most_pairs(allowed, rest - {each}) for each in allowed[one] & rest), 0)


def test_a_round_that_is_drawn_stays_as_it_was_drawn() -> None:
    decisions = announced(PairingSystem.SWISS, 4, rounds=2)
    decisions.append(RoundDrawn(((4, 1), (2, 3))))
    assert [(pairing.first, pairing.second) for pairing in after(decisions).pairings] == [(4, 1), (2, 3)]

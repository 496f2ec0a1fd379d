"""Memory that grows is told from memory that has been filled once."""

from __future__ import annotations

import math

import pytest

from tests.cafe.day import day_without
from tests.cafe.memory import Memory, grows, growth

GAMES = range(1, 501)
KILOBYTES, BLOCKS = 50_000, 200_000


def memory(games: int, kilobytes: float = KILOBYTES, blocks: float = BLOCKS) -> Memory:
    return Memory(games, int(kilobytes), int(blocks), 0)


@pytest.mark.slow
def test_day_without_a_cut_is_measured_game_by_game() -> None:
    measured = day_without(3, shown=False)
    assert [each.games for each in measured] == [1, 2, 3]
    assert all(each.kilobytes > 0 and each.blocks > 0 for each in measured)
    assert not grows(measured[:1])


@pytest.mark.parametrize("left_behind", [8, 100])
def test_blocks_that_each_game_leaves_behind_are_growth(left_behind: int) -> None:
    assert grows([memory(games, blocks=BLOCKS + left_behind * games) for games in GAMES])


def test_kilobytes_that_each_game_leaves_behind_are_growth_even_if_python_knows_nothing_of_them() -> None:
    assert grows([memory(games, kilobytes=KILOBYTES + 1.8 * games) for games in GAMES])


def test_cache_that_has_been_filled_is_no_growth() -> None:
    assert not grows([memory(games, KILOBYTES + 2_000 * (1 - math.exp(-games / 40))) for games in GAMES])


def test_what_a_game_holds_only_while_it_is_played_is_no_growth() -> None:
    assert not grows([memory(games, blocks=BLOCKS + 900 * (games % 7 != 3)) for games in GAMES])


def test_growth_is_that_of_the_last_part_for_a_hundred_games() -> None:
    found = growth([memory(games, KILOBYTES + max(0, games - 301) * 5, BLOCKS) for games in GAMES])
    assert (found.begin, found.end, found.blocks) == (301, 491, 0.0)
    assert found.kilobytes == pytest.approx(0.01)


def test_day_of_few_games_is_compared_with_itself() -> None:
    assert not grows([memory(games, KILOBYTES * games) for games in range(1, 4)])

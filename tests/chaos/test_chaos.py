"""Whole games by simulated people; `make soak` plays ten thousand."""

from __future__ import annotations

import pytest

from tests.chaos.game import play_evening


@pytest.mark.parametrize("seed", range(5))
def test_a_game_is_judged_as_its_players_mean_it(seed: int) -> None:
    assert play_evening(seed).problems == []


@pytest.mark.slow
@pytest.mark.parametrize("block", range(2))
def test_more_games_through_chips_are_judged_as_their_players_mean_them(block: int) -> None:
    seeds = range(5 + 5 * block, 10 + 5 * block)
    assert {seed: problems for seed in seeds if (problems := play_evening(seed).problems)} == {}


@pytest.mark.parametrize("block", range(8))
def test_ten_games_without_chips_are_judged_as_their_players_mean_them(block: int) -> None:
    seeds = range(1000 + 10 * block, 1010 + 10 * block)
    assert {seed: problems for seed in seeds if (problems := play_evening(seed, chips=False).problems)} == {}

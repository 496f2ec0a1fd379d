"""Whole games by simulated people, each through the simulated chips; `make soak` plays ten thousand."""

from __future__ import annotations

import pytest

from tests.chaos.game import play_evening


@pytest.mark.parametrize("seed", range(10))
def test_a_game_is_judged_as_its_players_mean_it(seed: int) -> None:
    assert play_evening(seed).problems == []


@pytest.mark.slow
@pytest.mark.parametrize("block", range(19))
def test_ten_games_are_judged_as_their_players_mean_them(block: int) -> None:
    seeds = range(10 + 10 * block, 20 + 10 * block)
    assert {seed: problems for seed in seeds if (problems := play_evening(seed).problems)} == {}

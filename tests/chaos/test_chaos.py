"""Whole games by simulated people; `make soak` plays ten thousand."""

from __future__ import annotations

import pytest

from quarto_pi.referee import State
from quarto_pi.sensing.board import BoardState, Sensing, Sweep
from quarto_pi.sensing.events import BoardEvent, PieceLifted
from tests.chaos.game import play_evening


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, pytest.param(3, marks=pytest.mark.campaign)])
def test_a_game_is_judged_as_its_players_mean_it(seed: int) -> None:
    assert play_evening(seed).problems == []


@pytest.mark.slow
@pytest.mark.parametrize("block", [0, *(pytest.param(block, marks=pytest.mark.campaign) for block in (1, 2, 3))])
def test_games_without_chips_are_judged_as_their_players_mean_them(block: int) -> None:
    seeds = range(1000 + 10 * block, 1003 + 10 * block)
    assert {seed: problems for seed in seeds if (problems := play_evening(seed, chips=False).problems)} == {}


def test_a_sensing_layer_that_tells_of_no_piece_that_is_taken_up_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    fold = Sensing.fold

    def overlook(self: Sensing, state: BoardState, sweep: Sweep) -> tuple[BoardState, tuple[BoardEvent, ...]]:
        folded, events = fold(self, state, sweep)
        return folded, tuple(event for event in events if not isinstance(event, PieceLifted))

    monkeypatch.setattr(Sensing, "fold", overlook)
    assert play_evening(1000, chips=False).problems


def test_a_display_that_asks_for_a_piece_where_one_lies_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(State, "laid_before", None)
    problems = play_evening(7_420_008, chips=False).problems
    assert [problem for problem in problems if "the first piece is asked for" in problem]

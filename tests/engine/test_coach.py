"""The coach's judgement of moves."""

from functools import cache

import pytest

from quarto_pi.engine.coach import Judgement, Verdict, judge
from quarto_pi.engine.conversation import parse_best
from quarto_pi.engine.retrieval import GameValue
from quarto_pi.engine.solver import Solver
from quarto_pi.rules import NotationError, Options, parse_position


@cache
def solver() -> Solver:
    """One for all tests, when the first of them asks."""
    return Solver(Options(), table_mb=16)


def judged(position: str, move: str) -> Judgement:
    return judge(solver(), parse_position(position), parse_best(f"bestmove {move}"))


def test_a_best_move_is_praised() -> None:
    judgement = judged("126c/..../09../.4ba f", "c3 5")
    assert judgement.verdict is Verdict.BEST
    assert judgement.better is None


def test_a_win_on_the_board_that_was_not_taken_is_shown() -> None:
    judgement = judged("..../.f../..../048. 1", "a4 e")
    assert judgement.verdict is Verdict.OVERLOOKED_WIN
    assert judgement.before is GameValue.WIN
    assert f"{judgement.better}" == "d1 - call"


def test_a_winning_placement_that_was_not_called_is_worth_a_loss() -> None:
    judgement = judged("..../.f../..../048. 1", "d1 e")
    assert judgement.verdict is Verdict.OVERLOOKED_WIN
    assert judgement.after is GameValue.LOSS


def test_a_winning_placement_that_was_called_is_the_best_move() -> None:
    assert judged("..../.f../..../048. 1", "d1 - call").verdict is Verdict.BEST


def test_a_piece_that_wins_at_once_is_named_with_the_square() -> None:
    judgement = judged("..../..../9.../04.. 8", "c1 2")
    assert judgement.verdict is Verdict.GIFT
    assert f"{judgement.refutation}" == "d1"
    assert judgement.better is not None


def test_a_win_let_slip_without_a_gift_is_told_from_a_draw_let_slip() -> None:
    assert judged("126c/..../09../.4ba f", "a1 3").verdict is Verdict.WIN_LOST
    slipped = judged("126c/..../09../.4ba -", "- 7")
    assert slipped.verdict in (Verdict.DRAW_LOST, Verdict.GIFT)
    assert slipped.after is GameValue.LOSS


@pytest.mark.parametrize("move", ["a4 3", "c3 f", "- 3", "c3 -"])
def test_a_move_that_is_not_possible_is_refused(move: str) -> None:
    with pytest.raises(NotationError, match="is not possible"):
        judged("126c/..../09../.4ba f", move)

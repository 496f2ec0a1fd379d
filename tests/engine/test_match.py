"""Matches: scores, faults that lose a game, and a short ladder."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from quarto_pi.engine.conversation import EngineFailure
from quarto_pi.engine.match import LevelContestant, Played, Score, play_game, play_match
from quarto_pi.engine.solver import Move, Solver
from quarto_pi.rules import Alignment, Options, Player, Position, Reason, parse_digit, parse_square
from tests.bench.ladder import step

SOLVER = Solver(Options(), table_mb=16)


class Scripted:
    """A contestant that plays moves from a list: `a1 0` is a square and a piece, `call` and `-` as in the protocol."""

    name = "scripted"

    def __init__(self, *moves: str, calls: bool = False) -> None:
        self._moves = list(moves)
        self._calls = calls

    def begin(self, options: Options, seed: int) -> None:
        """Nothing to get ready."""

    def choose(self, position: Position) -> Move:
        assert position
        if not self._moves:
            raise EngineFailure("scripted has ended.")
        square, give, *call = self._moves.pop(0).split()
        return Move(
            None if square == "-" else parse_square(square), None if give == "-" else parse_digit(give), bool(call)
        )

    def calls(self, position: Position, alignments: Sequence[Alignment]) -> bool:
        assert position
        assert alignments
        return self._calls


def played(first: Scripted, second: Scripted) -> Played:
    return play_game((first, second), Options(), Player.A, seed=1)


def test_a_game_is_won_by_placing_and_calling() -> None:
    game = played(Scripted("- 0", "b1 4", "d1 - call"), Scripted("a1 2", "c1 8"))
    assert game.winner is Player.A
    assert game.fault is None


def test_an_alignment_left_uncalled_is_won_by_who_notices_it() -> None:
    moves = ("- 0", "b1 4", "d1 f"), ("a1 2", "c1 8", "a2 3")
    assert played(Scripted(*moves[0]), Scripted(*moves[1], calls=True)).winner is Player.B
    unnoticed = played(Scripted(*moves[0]), Scripted(*moves[1]))
    assert unnoticed.game.missed
    assert unnoticed.fault is not None


@pytest.mark.parametrize(
    ("moves", "said"),
    [
        (("- 0", "a1 4"), "a1 is taken"),
        (("- 0", "b1 0"), "did what is not allowed: LTRF stands on the board"),
        (("- 0", "- 4"), "did not place the piece in its hand"),
        (("- 0", "b1 -"), "neither gave a piece nor had anything to call"),
        (("- 0", "b1 - call"), "neither gave a piece nor had anything to call"),
        (("- 0",), "has ended"),
    ],
)
def test_who_fails_or_does_what_is_not_allowed_has_lost(moves: tuple[str, ...], said: str) -> None:
    game = played(Scripted(*moves), Scripted("a1 2", "c1 8"))
    assert game.winner is Player.B
    assert game.fault is not None
    assert said in game.fault


def test_both_start_in_turn_and_the_same_match_can_be_played_again() -> None:
    contestants = (LevelContestant(4, SOLVER), LevelContestant(2, SOLVER))
    starters: list[list[Player]] = []
    scores = []
    for _ in range(2):
        seen: list[Player] = []
        scores.append(
            play_match(contestants, Options(), 6, 5, lambda _, game, seen=seen: seen.append(game.game.starter))  # type: ignore[misc]
        )
        starters.append(seen)
    assert starters[0] == [Player.A, Player.B] * 3
    assert scores[0] == scores[1]


def test_a_level_of_other_rules_is_refused() -> None:
    with pytest.raises(ValueError, match="other rules"):
        LevelContestant(4, SOLVER).begin(Options(squares=True), 1)


def test_the_share_counts_a_draw_half_and_its_interval_contains_it() -> None:
    score = Score(wins=30, draws=10, losses=10)
    assert score.share == 0.7
    low, high = score.interval
    assert 0.5 < low < 0.7 < high < 0.9
    assert Score().interval == (0.0, 1.0)


def test_the_interval_gets_narrower_with_more_games() -> None:
    few, many = (Score(wins=count, losses=count).interval for count in (10, 1000))
    assert few[0] < many[0] < 0.5 < many[1] < few[1]


def test_the_strongest_level_does_not_lose() -> None:
    for lower in (1, 9):
        score = step(10, lower, 4, Options(), SOLVER)
        assert score.losses == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    "upper", [5, *(pytest.param(upper, marks=pytest.mark.campaign) for upper in (2, 3, 4, 6, 7, 8, 9, 10))]
)
def test_each_level_beats_the_one_below(upper: int) -> None:
    # A short ladder: with sixty games a level must not be behind; `make ladder` shows by how much it is ahead.
    score = step(upper, upper - 1, 60, Options(), SOLVER)
    assert score.share > 0.5


def test_a_finished_game_of_a_match_has_a_result() -> None:
    game = play_game((LevelContestant(9, SOLVER), LevelContestant(1, SOLVER)), Options(), Player.B, 3).game
    assert game.result is not None
    assert game.result.reason in (Reason.CALL, Reason.DRAW)

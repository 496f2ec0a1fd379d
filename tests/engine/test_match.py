"""Matches: scores, faults that lose a game, and a short ladder."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache

import pytest

from quarto_pi.engine.book import GameValue
from quarto_pi.engine.client import EngineFailure, EngineProcess
from quarto_pi.engine.match import (
    LevelContestant,
    Played,
    ProgramContestant,
    Score,
    draw_opening,
    elo_difference,
    play_game,
    play_match,
    play_openings,
)
from quarto_pi.engine.protocol import Limits
from quarto_pi.engine.solver import Budget, Move, Solver
from quarto_pi.engine.threats import threats_on, winning_squares
from quarto_pi.rules import (
    Alignment,
    Board,
    Game,
    Give,
    Options,
    Place,
    Player,
    Position,
    QuartoError,
    Reason,
    Trait,
    apply,
    parse_digit,
    parse_square,
)
from tests.bench.ladder import step
from tests.engine.test_conformance import MADE_UP

pytestmark = pytest.mark.slow


@cache
def solver() -> Solver:
    """One for all, made when it is first wanted: what it begins with takes a second to work out."""
    return Solver(Options(), table_mb=16)


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
    contestants = (LevelContestant(4, solver()), LevelContestant(2, solver()))
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


@pytest.mark.parametrize("options", [Options(), Options(squares=True), Options(traits=(Trait.TOP,))])
@pytest.mark.parametrize("placed", [0, 1, 6, 10])
def test_an_opening_is_fair_and_repeated_by_its_seed(options: Options, placed: int) -> None:
    openings = [draw_opening(options, placed, f"{seed}") for seed in range(5)]
    assert openings == [draw_opening(options, placed, f"{seed}") for seed in range(5)]
    assert placed < 2 or len(set(openings)) == 5
    for opening in openings:
        game = Game(options=options)
        for piece, square in opening:
            game = apply(apply(game, Give(piece)), Place(square))
            assert not game.open
        assert game.board.count == placed
        assert any(not winning_squares(threats_on(game.board, options), piece) for piece in game.board.pieces_left)


def test_an_opening_can_be_one_that_perfect_play_draws() -> None:
    for seed in range(5):
        board = Board.of({square: piece for piece, square in draw_opening(Options(), 7, f"{seed}", solver())})
        assert solver().value(Position(board, None), Budget()) is GameValue.DRAW


def test_rules_by_which_no_opening_is_drawn_are_told() -> None:
    class Won(Solver):
        """By its rules whoever begins wins."""

        def value(self, position: Position, budget: Budget) -> GameValue:
            assert position
            assert budget
            return GameValue.WIN

    with pytest.raises(QuartoError, match="no fair opening with 3 pieces placed"):
        draw_opening(Options(), 3, "1", Won(Options(), table_mb=1))


def test_each_opening_is_played_from_both_sides() -> None:
    opening = draw_opening(Options(), 7, "1")
    seen: list[Game] = []
    contestants = (LevelContestant(3, solver()), LevelContestant(2, solver()))
    play_openings(contestants, Options(), [opening, opening], 5, lambda _, played: seen.append(played.game))
    assert [game.starter for game in seen] == [Player.A, Player.B]
    for game in seen:
        assert tuple((turn.piece, turn.square) for turn in game.turns[:7]) == opening


def test_programs_play_openings_against_levels_and_each_other() -> None:
    opening = draw_opening(Options(squares=True), 9, "1")
    solver = Solver(Options(squares=True), table_mb=1)
    seen: list[Played] = []
    with EngineProcess(MADE_UP) as one, EngineProcess([*MADE_UP, "fickle"]) as other:
        program, second = (ProgramContestant(engine, Limits(nodes=10)) for engine in (one, other))
        for contestants in (program, LevelContestant(9, solver)), (program, second):
            play_openings(contestants, Options(squares=True), [opening] * 2, 1, lambda _, played: seen.append(played))
    assert [played.fault for played in seen] == [None] * 4
    assert seen[0].winner is seen[1].winner is Player.B


def test_a_program_that_plays_a_wrong_move_has_lost() -> None:
    with EngineProcess([*MADE_UP, "taken"]) as engine:
        program = ProgramContestant(engine, Limits(movetime_ms=1))
        played = play_game((program, LevelContestant(1, solver())), Options(), Player.B, 1)
    assert played.winner is Player.B
    assert played.fault is not None
    assert "did what is not allowed: a1 is taken" in played.fault


def test_elo_is_the_share_in_another_measure() -> None:
    even, ahead, perfect = Score(wins=5, losses=5), Score(wins=10, draws=4, losses=2), Score(wins=3)
    assert even.elo == 0
    assert ahead.elo == pytest.approx(190.85, abs=0.01)
    assert 0 < ahead.elo_interval[0] < ahead.elo < ahead.elo_interval[1]
    assert (perfect.elo, perfect.elo_interval[1]) == (math.inf, math.inf)
    assert Score(losses=3).elo == -math.inf
    for share in (0.01, 0.3, 0.5, 0.75):
        assert 1 / (1 + 10 ** (-elo_difference(share) / 400)) == pytest.approx(share)


def test_a_level_of_other_rules_is_refused() -> None:
    with pytest.raises(ValueError, match="other rules"):
        LevelContestant(4, solver()).begin(Options(squares=True), 1)


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
        score = step(10, lower, 4, Options(), solver())
        assert score.losses == 0


@pytest.mark.parametrize(
    "upper", [5, *(pytest.param(upper, marks=pytest.mark.campaign) for upper in (2, 3, 4, 6, 7, 8, 9, 10))]
)
def test_each_level_beats_the_one_below(upper: int) -> None:
    # A short ladder: with sixty games a level must not be behind; `make ladder` shows by how much it is ahead.
    score = step(upper, upper - 1, 60, Options(), solver())
    assert score.share > 0.5


def test_a_finished_game_of_a_match_has_a_result() -> None:
    game = play_game((LevelContestant(9, solver()), LevelContestant(1, solver())), Options(), Player.B, 3).game
    assert game.result is not None
    assert game.result.reason in (Reason.CALL, Reason.DRAW)

"""The coach's judgement of moves."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache

import pytest

from quarto_pi.engine.book import GameValue
from quarto_pi.engine.client import parse_best
from quarto_pi.engine.coach import Judgement, Verdict, judge, moves_of, plain_mistake
from quarto_pi.engine.solver import Budget, Move, Solver
from quarto_pi.rules import (
    PIECES,
    Call,
    Game,
    Give,
    NotationError,
    Options,
    Place,
    Player,
    Square,
    apply,
    parse_position,
    pass_time,
)
from quarto_pi.words import Words
from tests.engine import naive_search
from tests.engine.positions import naive_options, options_of, position_of, quiet_position


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


def test_a_quarto_that_was_overlooked_is_named_even_where_another_answer_wins_too() -> None:
    position = "..../.f../..../048. 1"
    wins = [option for option in solver().options(parse_position(position), Budget()) if option.value is GameValue.WIN]
    others = [option for option in wins if option.give is not None]
    for option in others:
        assert judged(position, f"{Move(option.square, option.give)}").verdict is Verdict.OVERLOOKED_WIN
    assert judged(position, "a4 e").better == Move(Square(3), None, call=True)


def test_game_that_is_handed_over_in_a_lost_position_is_no_good_move_and_what_cannot_be_helped_is_no_mistake() -> None:
    rng = random.Random("lost")
    lost: list[Drawn] = []
    while len(lost) < 3:
        drawn = Drawn(rng, 4, squares=False, traits=[0, 1, 2, 3])
        if max(drawn.values.values()) == -1:
            handing = [(at, give) for at, give in drawn.values if drawn.hands_over(at, give)]
            lost += [drawn] if 0 < len(handing) < len(drawn.values) else []
    for drawn in lost:
        for square, give in drawn.values:
            move = Move(None if square < 0 else Square(square), PIECES[give])
            judgement = judge(solver(), position_of(drawn.numbers), move)
            said = Words("en").judgement(judgement)
            if drawn.hands_over(square, give):
                assert said.startswith("The piece you gave wins on ")
            else:
                assert said == "This game was already lost."


def test_a_win_let_slip_without_a_gift_is_told_from_a_draw_let_slip() -> None:
    assert judged("126c/..../09../.4ba f", "a1 3").verdict is Verdict.WIN_LOST
    slipped = judged("126c/..../09../.4ba -", "- 7")
    assert slipped.verdict in (Verdict.DRAW_LOST, Verdict.GIFT)
    assert slipped.after is GameValue.LOSS


@pytest.mark.parametrize("move", ["a4 3", "c3 f", "- 3", "c3 -"])
def test_a_move_that_is_not_possible_is_refused(move: str) -> None:
    with pytest.raises(NotationError, match="is not possible"):
        judged("126c/..../09../.4ba f", move)


# --- the table of docs/library.md, by plain brute force ---------------------------------------------------------------


class Drawn:
    """A position without an alignment, looked at by the naive search alone."""

    def __init__(self, rng: random.Random, empties: int, squares: bool, traits: list[int]) -> None:
        board, hand = quiet_position(rng, empties, squares, traits)
        self.numbers = board, hand if rng.random() < 0.7 else -1
        hand = self.numbers[1]
        self._board = {at: naive_search.PIECES[number] for at, number in enumerate(board) if number >= 0}
        self._hand = None if hand < 0 else naive_search.PIECES[hand]
        self._kind = squares, traits
        self.values = naive_options(self.numbers, squares, traits)

    def completes(self, square: int) -> bool:
        """Whether the piece in hand completes an alignment on a square."""
        if self._hand is None or square < 0:
            return False
        return naive_search.wins({**self._board, square: self._hand}, square, *self._kind)

    def hands_over(self, square: int, give: int) -> bool:
        """Whether the piece given wins at once."""
        board = self._board if self._hand is None else {**self._board, square: self._hand}
        piece = naive_search.PIECES[give]
        return any(naive_search.wins({**board, at: piece}, at, *self._kind) for at in range(16) if at not in board)

    def verdict(self, square: int, give: int, *, call: bool) -> Verdict:
        """The verdict as the table has it."""
        before, after = max(self.values.values()), self.values[square, give]
        if any(self.completes(at) for at, _ in self.values):
            return Verdict.BEST if self.completes(square) and call else Verdict.OVERLOOKED_WIN
        if give >= 0 and self.hands_over(square, give):
            others = [option for option, value in self.values.items() if value == before]
            if any(other_give < 0 or not self.hands_over(at, other_give) for at, other_give in others):
                return Verdict.GIFT
        if after < before:
            return Verdict.WIN_LOST if before == 1 else Verdict.DRAW_LOST
        return Verdict.LOST if after == -1 else Verdict.BEST


@pytest.mark.parametrize(("squares", "traits"), [(False, [0, 1, 2, 3]), (True, [0, 1, 2, 3]), (False, [1, 3])])
@pytest.mark.parametrize("count", [25, pytest.param(600, marks=pytest.mark.campaign)])
def test_every_verdict_is_that_of_the_table(squares: bool, traits: list[int], count: int) -> None:
    rng, solver = random.Random(f"verdicts {squares} {traits}"), Solver(options_of(squares, traits), table_mb=16)
    seen: Counter[Verdict] = Counter()
    for number in range(count):
        drawn = Drawn(rng, 2 + number % 4, squares, traits)
        position = position_of(drawn.numbers)
        for square, give in drawn.values:
            for call in {False, drawn.completes(square)}:
                move = Move(
                    None if square < 0 else Square(square),
                    None if give < 0 else PIECES[give],
                    call=call,
                )
                judgement = judge(solver, position, move)
                assert judgement.verdict is drawn.verdict(square, give, call=call), (f"{position}", f"{move}")
                assert (judgement.better is None) == (judgement.verdict in (Verdict.BEST, Verdict.LOST))
                seen[judgement.verdict] += 1
    # The others take luck, or more positions: they have tests of their own.
    assert set(Verdict) - set(seen) <= {Verdict.WIN_LOST, Verdict.DRAW_LOST}


def careless(seed: int) -> Game:
    """A game of two who look at nothing, but for the call of what they have made."""
    rng, game = random.Random(seed), Game()
    while not game.over:
        game = apply(game, Give(rng.choice(game.board.pieces_left)))
        maker = game.receiver
        game = apply(game, Place(rng.choice(game.board.empty_squares)))
        if game.board.alignments() and not game.missed and rng.random() < 0.8:
            game = apply(game, Call(maker))
        elif game.board.count == 16:
            game = pass_time(game, game.now + game.options.final_call_ms)
    return game


def test_what_is_plain_without_looking_ahead_is_what_the_coach_calls_so() -> None:
    plain, late = (Verdict.OVERLOOKED_WIN, Verdict.GIFT), 10
    found = Counter[Verdict]()
    for seed in range(60):
        game = careless(seed)
        assert game.result is not None
        players = [game.starter, *(turn.player for turn in game.turns)]
        judgements = {
            index: judge(solver(), position, move).verdict
            for index, (position, move) in enumerate(moves_of(game))
            if position.board.count >= late and move.give is not None and players[index] is not game.result.winner
        }
        last = max((index for index, verdict in judgements.items() if verdict in plain), default=None)
        mistake = plain_mistake(game, tuple(Player))
        if last is None:
            assert mistake is None or mistake.move <= late or moves_of(game)[mistake.move][1].give is None
        elif mistake is not None and moves_of(game)[mistake.move][1].give is not None:
            assert (mistake.move, mistake.verdict) == (last, judgements[last])
            found[mistake.verdict] += 1
    assert min(found[verdict] for verdict in plain) >= 3

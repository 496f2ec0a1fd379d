"""The coach: was a move a mistake, what does it cost, what was better, and why; and what positions were worth."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from quarto_pi.engine.retrieval import GameValue
from quarto_pi.engine.solver import Budget, Move, Option, OutOfBudget, Solver, best_value
from quarto_pi.engine.threats import threats_on, winning_squares
from quarto_pi.rules import NotationError, Position, Square


class Verdict(Enum):
    """How good a move was, and what was wrong with it."""

    BEST = "best"
    OVERLOOKED_WIN = "overlooked win"
    GIFT = "gift"
    WIN_LOST = "win lost"
    DRAW_LOST = "draw lost"


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the coach thinks of a move: `refutation` is where the opponent wins at once, where that is so."""

    verdict: Verdict
    before: GameValue
    after: GameValue
    better: Move | None = None
    refutation: Square | None = None


@dataclass(frozen=True, slots=True)
class Worth:
    """What a position is worth to the player to move: of all `answers`, `safe` ones leave the opponent no forced win.

    Both are None where it is not an answer that decides, or where not all answers could be worked out.
    """

    value: GameValue
    safe: int | None = None
    answers: int | None = None


@dataclass(frozen=True, slots=True)
class Review:
    """A move looked at again: what is thought of it, and what the positions were worth to the player who made it.

    `before` is the one in which it was made, `placed` the one after its placement, before anything was given. None
    stands for what is not known.
    """

    judgement: Judgement | None
    before: Worth | None
    placed: Worth | None


def judge(solver: Solver, position: Position, move: Move, budget: Budget | None = None) -> Judgement:
    """The coach's judgement of a move; raises where the move is none that the position allows."""
    return _judgement(solver.options(position, budget or Budget()), solver, position, move)


def review(
    solver: Solver, position: Position, move: Move, nodes: int, stop: Callable[[], bool] = lambda: False
) -> Review:
    """All that can be said of a move within so many nodes for each of its questions, and until somebody says stop.

    What takes longer is left out.
    """
    try:
        options = solver.options(position, Budget(nodes, stop))
    except OutOfBudget:
        return Review(
            None,
            _value_alone(solver, position, Budget(nodes, stop)),
            _placed(solver, position, move, Budget(nodes, stop)),
        )
    try:
        judgement = _judgement(options, solver, position, move)
    except NotationError:
        # A game that ends before anything is given after a placement has a last move that is only half of one.
        judgement = None
    following = tuple(option for option in options if option.square == move.square)
    return Review(judgement, _worth_of(options), _worth_of(following) if move.square is not None else None)


def _value_alone(solver: Solver, position: Position, budget: Budget) -> Worth | None:
    """The value without the answers: where it stands in the book it is known even if they are not."""
    try:
        return Worth(solver.value(position, budget))
    except OutOfBudget:
        return None


def _placed(solver: Solver, position: Position, move: Move, budget: Budget) -> Worth | None:
    """What it is worth to have placed where the move did, before anything is given."""
    if move.square is None or position.hand is None:
        return None
    if _completes(solver, position, move.square):
        return Worth(GameValue.WIN)
    try:
        return _worth_of(solver.options(Position(position.board.place(move.square, position.hand)), budget))
    except OutOfBudget:
        return None


def _worth_of(options: tuple[Option, ...]) -> Worth | None:
    """The worth of a position with these options; None where it has none."""
    if not options:
        return None
    value = best_value(options)
    if all(option.give is None for option in options):
        return Worth(value)
    return Worth(value, sum(option.value is not GameValue.LOSS for option in options), len(options))


def _judgement(options: tuple[Option, ...], solver: Solver, position: Position, move: Move) -> Judgement:
    """What is thought of a move among these options; raises where it is none of them."""
    best = max(options, key=lambda option: option.value.value)
    made = _value_made(options, solver, position, move)
    if made is best.value:
        return Judgement(Verdict.BEST, best.value, made)
    better = Move(best.square, best.give, call=_completes(solver, position, best.square))
    square = _win_given_away(solver, position, move)
    if better.call:
        verdict = Verdict.OVERLOOKED_WIN
    elif square is not None:
        verdict = Verdict.GIFT
    else:
        verdict = Verdict.WIN_LOST if best.value is GameValue.WIN else Verdict.DRAW_LOST
    return Judgement(verdict, best.value, made, better, square)


def _value_made(options: tuple[Option, ...], solver: Solver, position: Position, move: Move) -> GameValue:
    """What the move was worth to the player who made it."""
    for option in options:
        if option.square == move.square and (option.give == move.give or option.give is None):
            if not _completes(solver, position, option.square):
                return option.value
            # Who does not call an alignment leaves it to the opponent, who will (R8).
            return GameValue.WIN if move.call else GameValue.LOSS
    raise NotationError(f"the move '{move}' is not possible in '{position}'.")


def _completes(solver: Solver, position: Position, square: Square | None) -> bool:
    if position.hand is None or square is None:
        return False
    return square in winning_squares(threats_on(position.board, solver.rules), position.hand)


def _win_given_away(solver: Solver, position: Position, move: Move) -> Square | None:
    """Where the piece given away wins at once."""
    if move.give is None:
        return None
    board = position.board
    if position.hand is not None and move.square is not None:
        board = board.place(move.square, position.hand)
    squares = winning_squares(threats_on(board, solver.rules), move.give)
    return squares[0] if squares else None

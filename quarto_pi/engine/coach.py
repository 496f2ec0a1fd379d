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
    """How good a move was, and what was wrong with it: the first of these that is so.

    `OVERLOOKED_WIN`: the piece in hand completed an alignment somewhere, and it was not placed there and called.
    `GIFT`: the piece given wins at once, and an answer that is worth what the position was gives none that does.
    `WIN_LOST`, `DRAW_LOST`: the position was worth more before than after.
    `LOST`: it was lost, and nothing could be done about it. `BEST`: no answer is worth more.
    """

    OVERLOOKED_WIN = "overlooked win"
    GIFT = "gift"
    WIN_LOST = "win lost"
    DRAW_LOST = "draw lost"
    LOST = "lost"
    BEST = "best"


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
    made, before = _value_made(options, solver, position, move), best_value(options)
    completing = _completing(solver, position)
    if completing:
        if move.square in completing and move.call:
            return Judgement(Verdict.BEST, before, made)
        square = move.square if move.square in completing else completing[0]
        return Judgement(Verdict.OVERLOOKED_WIN, before, made, Move(square, None, call=True))
    refutation = _refutation(solver, position, move)
    best = next(option for option in options if option.value is before)
    if refutation is not None:
        # In a lost position an answer that does not lose at once is better all the same.
        equal = (option for option in options if option.value is before)
        kept = next((option for option in equal if not _hands_over(solver, position, option)), None)
        if kept is not None:
            return Judgement(Verdict.GIFT, before, made, Move(kept.square, kept.give), refutation)
    if made is before:
        return Judgement(Verdict.LOST if made is GameValue.LOSS else Verdict.BEST, before, made)
    verdict = Verdict.WIN_LOST if before is GameValue.WIN else Verdict.DRAW_LOST
    return Judgement(verdict, before, made, Move(best.square, best.give), refutation)


def _value_made(options: tuple[Option, ...], solver: Solver, position: Position, move: Move) -> GameValue:
    """What the move was worth to the player who made it."""
    for option in options:
        if option.square == move.square and (option.give == move.give or option.give is None):
            if not _completes(solver, position, option.square):
                return option.value
            # Who does not call an alignment leaves it to the opponent, who will (R8).
            return GameValue.WIN if move.call else GameValue.LOSS
    raise NotationError(f"the move '{move}' is not possible in '{position}'.")


def _completing(solver: Solver, position: Position) -> tuple[Square, ...]:
    """The squares on which the piece in hand completes an alignment."""
    if position.hand is None:
        return ()
    return tuple(winning_squares(threats_on(position.board, solver.rules), position.hand))


def _completes(solver: Solver, position: Position, square: Square | None) -> bool:
    return square in _completing(solver, position)


def _hands_over(solver: Solver, position: Position, option: Option) -> bool:
    return _refutation(solver, position, Move(option.square, option.give)) is not None


def _refutation(solver: Solver, position: Position, move: Move) -> Square | None:
    """Where the piece given wins at once."""
    if move.give is None:
        return None
    board = position.board
    if position.hand is not None and move.square is not None:
        board = board.place(move.square, position.hand)
    squares = winning_squares(threats_on(board, solver.rules), move.give)
    return squares[0] if squares else None

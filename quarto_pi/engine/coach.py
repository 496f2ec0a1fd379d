"""The coach: was a move a mistake, what does it cost, what was better, and why."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from quarto_pi.engine.retrieval import GameValue
from quarto_pi.engine.solver import Budget, Move, Option, Solver
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


def judge(solver: Solver, position: Position, move: Move, budget: Budget | None = None) -> Judgement:
    """The coach's judgement of a move; raises where the move is none that the position allows."""
    options = solver.options(position, budget or Budget())
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

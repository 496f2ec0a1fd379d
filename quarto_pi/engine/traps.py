"""Where the other player can go wrong: the strongest level's choice among moves of equal value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from quarto_pi.engine.budget import Budget
from quarto_pi.engine.move import Move
from quarto_pi.engine.solver import Solver, best_value
from quarto_pi.engine.threats import Threat, threats_on
from quarto_pi.rules import Board, Options, Piece, Position, Square


@dataclass(frozen=True, slots=True)
class Candidate:
    """A move that does not win at once, and the position that it leaves to the other player."""

    move: Move
    left: Position


def candidates(position: Position) -> list[Candidate]:
    """Every move from a position but the call: each empty square with each piece to give."""
    boards: list[tuple[Square | None, Board]] = [(None, position.board)]
    if position.hand is not None:
        boards = [(square, position.board.place(square, position.hand)) for square in position.board.empty_squares]
    return [
        Candidate(Move(square, piece), Position(board, piece))
        for square, board in boards
        for piece in board.pieces_left or (None,)
    ]


def immediate_traps(left: Position, options: Options) -> float:
    """The share of the other player's answers that give away a win at once."""
    if left.hand is None:
        return 0.0
    pieces = [piece for piece in left.board.pieces_left if piece != left.hand]
    squares = left.board.empty_squares
    if not pieces or not squares:
        return 0.0
    given_away = 0
    for square in squares:
        threats = threats_on(left.board.place(square, left.hand), options)
        given_away += sum(1 for piece in pieces if _wins(threats, piece))
    return given_away / (len(squares) * len(pieces))


def worked_out_traps(left: Position, solver: Solver, budget: Budget) -> float:
    """The share of the other player's answers that are worse than the best one, to the end of the game."""
    answers = solver.options(left, budget)
    best = best_value(answers)
    return sum(1 for answer in answers if answer.value is not best) / len(answers)


def _wins(threats: Sequence[Threat], piece: Piece) -> bool:
    return any(threat.completed_by(piece) for threat in threats)

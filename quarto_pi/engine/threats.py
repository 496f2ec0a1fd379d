"""Lines that a single piece more would complete: what a player looks for before placing and giving."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from quarto_pi.engine.solver import Budget, Move, Option, Solver, best_value
from quarto_pi.rules import Board, Line, Options, Piece, Position, Square, lines_in_play, traits_mask


@dataclass(frozen=True, slots=True)
class Threat:
    """Three pieces on a line that agree in at least one trait in play, and the square that is still empty.

    `ones` and `zeros` are the bits of a piece's number in which all three pieces have a 1 or all have a 0.
    """

    line: Line
    square: Square
    ones: int
    zeros: int

    def completed_by(self, piece: Piece) -> int:
        """The bits of the traits that this piece would share with the other three; 0 if it completes nothing."""
        return (piece.number & self.ones) | (~piece.number & self.zeros)

    def without(self, bits: int) -> Threat | None:
        """The threat as it looks to somebody who overlooks some traits; None if nothing is left of it."""
        ones, zeros = self.ones & ~bits, self.zeros & ~bits
        return Threat(self.line, self.square, ones, zeros) if ones | zeros else None


def threats_on(board: Board, options: Options) -> tuple[Threat, ...]:
    """Every threat on a board."""
    mask = traits_mask(options.traits)
    found = (_threat(board, line, mask) for line in lines_in_play(options.squares))
    return tuple(threat for threat in found if threat is not None)


def winning_squares(threats: tuple[Threat, ...], piece: Piece) -> tuple[Square, ...]:
    """The squares on which a piece completes an alignment."""
    return tuple(dict.fromkeys(threat.square for threat in threats if threat.completed_by(piece)))


def _threat(board: Board, line: Line, mask: int) -> Threat | None:
    empty: Square | None = None
    ones, zeros = mask, mask
    for square in line:
        piece = board[square]
        if piece is not None:
            ones &= piece.number
            zeros &= ~piece.number
        elif empty is None:
            empty = square
        else:
            return None
    return Threat(line, empty, ones, zeros) if empty is not None and ones | zeros else None


# --- Where the other player can go wrong: the strongest level's choice among moves of equal value ---------------------


@dataclass(frozen=True, slots=True)
class CandidateMove:
    """A move that does not win at once, and the position that it leaves to the other player."""

    move: Move
    left: Position


def candidates(position: Position) -> list[CandidateMove]:
    """Every move from a position but the call: each empty square with each piece to give."""
    boards: list[tuple[Square | None, Board]] = [(None, position.board)]
    if position.hand is not None:
        boards = [(square, position.board.place(square, position.hand)) for square in position.board.empty_squares]
    return [
        CandidateMove(Move(square, piece), Position(board, piece))
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


def traps_ahead(left: Position, solver: Solver, budget: Budget) -> float:
    """The chance to go wrong now, or, after a right answer and the hardest move that follows, the next time."""
    answers = solver.options(left, budget)
    best = best_value(answers)
    right = [answer for answer in answers if answer.value is best]
    now = 1 - len(right) / len(answers)
    following = [_hardest_reply(left, answer, solver, budget) for answer in right]
    return now + (1 - now) * sum(following) / len(following)


def _hardest_reply(left: Position, answer: Option, solver: Solver, budget: Budget) -> float:
    """After an answer of the other player: the most traps that a best move leaves; none where the game is over."""
    if answer.square is None or answer.give is None or left.hand is None:
        return 0.0
    position = Position(left.board.place(answer.square, left.hand), answer.give)
    options = solver.options(position, budget)
    best = best_value(options)
    most = 0.0
    for option in options:
        if option.value is best and option.square is not None and option.give is not None and position.hand is not None:
            after = Position(position.board.place(option.square, position.hand), option.give)
            most = max(most, worked_out_traps(after, solver, budget))
    return most


def _wins(threats: Sequence[Threat], piece: Piece) -> bool:
    return any(threat.completed_by(piece) for threat in threats)

"""Lines that a single piece more would complete: what a player looks for before placing and giving."""

from __future__ import annotations

from dataclasses import dataclass

from quarto_pi.engine.solver import Move
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


# --- Every move -------------------------------------------------------------------------------------------------------


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

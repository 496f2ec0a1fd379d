"""Lines that a single piece more would complete: what a player looks for, and which of them people overlook.

People look along the edges first, and at colour before anything else. The levels err by this, and the strongest level
reckons with it in the person whom it plays against.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from quarto_pi.engine.solver import Move
from quarto_pi.rules import Board, Line, Options, Piece, Position, Square, Trait, lines_in_play, traits_mask
from quarto_pi.rules.board import COLUMNS, DIAGONALS, ROWS


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


# --- How people see a board: which alignments somebody overlooks in a turn --------------------------------------------

# How much harder than a row or column of one colour an alignment is to see.
_HARDER_LINE = {**dict.fromkeys(ROWS + COLUMNS, 1.0), **dict.fromkeys(DIAGONALS, 1.7)}
_HARDER_BLOCK = 1.4
_HARDER_TRAIT = {Trait.COLOUR: 0.7, Trait.HEIGHT: 0.9, Trait.SHAPE: 1.0, Trait.TOP: 1.4}
_NEVER_BLINDER = 0.97


def chance_to_overlook(blindness: float, line: Line, trait: Trait) -> float:
    """The chance that one trait on one line is overlooked for a turn by somebody of this blindness, from 0 to 1."""
    return min(blindness * _HARDER_LINE.get(line, _HARDER_BLOCK) * _HARDER_TRAIT[trait], _NEVER_BLINDER)


@dataclass(frozen=True, slots=True)
class Sight:
    """What is seen during one turn: `overlooked` has the bits of the traits that are missed on each line."""

    options: Options
    overlooked: dict[Line, int]

    @classmethod
    def drawn(cls, blindness: float, options: Options, random: Random) -> Sight:
        """What somebody of this blindness happens to see this time."""
        lines = lines_in_play(options.squares)
        return cls(options, {line: _overlooked(blindness, line, options, random) for line in lines})

    def threats(self, board: Board) -> tuple[Threat, ...]:
        """The threats on a board that are seen."""
        seen = (threat.without(self.overlooked.get(threat.line, 0)) for threat in threats_on(board, self.options))
        return tuple(threat for threat in seen if threat is not None)

    def sees(self, line: Line, traits: tuple[Trait, ...]) -> bool:
        """Whether an alignment on a line is seen by at least one of the traits that it shares."""
        overlooked = self.overlooked.get(line, 0)
        return any(not trait.bit & overlooked for trait in traits)


def _overlooked(blindness: float, line: Line, options: Options, random: Random) -> int:
    """The bits of the traits that are missed on one line."""
    missed = (t.bit for t in options.traits if random.random() < chance_to_overlook(blindness, line, t))
    return sum(missed)

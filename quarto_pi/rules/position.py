"""A position: the board and the piece in hand, without how it came about."""

from __future__ import annotations

from dataclasses import dataclass, field

from quarto_pi.rules.board import Board
from quarto_pi.rules.errors import PieceNotAvailable
from quarto_pi.rules.piece import Piece


@dataclass(frozen=True, slots=True)
class Position:
    """A board and the piece that the player to move holds; None where a piece is still to be chosen."""

    board: Board = field(default_factory=Board)
    hand: Piece | None = None

    def __post_init__(self) -> None:
        if self.hand is None:
            return
        if self.hand in self.board.cells:
            raise PieceNotAvailable(f"{self.hand} is in hand and on the board; every piece exists once.")

    def __str__(self) -> str:
        ranks = ("".join(_digit(cell) for cell in self.board.cells[start : start + 4]) for start in (12, 8, 4, 0))
        return f"{'/'.join(ranks)} {self.hand.digit if self.hand else '-'}"


def _digit(cell: Piece | None) -> str:
    return "." if cell is None else cell.digit

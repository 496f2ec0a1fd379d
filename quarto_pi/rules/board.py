"""The board: which piece stands where, and which alignments stand on it (R4 to R6)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from quarto_pi.rules.errors import PieceNotAvailable, SquareEmpty, SquareTaken
from quarto_pi.rules.piece import ALL_TRAITS, PIECES, Piece, Trait, TraitValue
from quarto_pi.rules.square import SQUARES, Line, Square, lines_in_play, lines_through

BoardCells = tuple[Piece | None, ...]


@dataclass(frozen=True, slots=True)
class Alignment:
    """Four pieces on a line, and every value that they share."""

    squares: Line
    values: tuple[TraitValue, ...]

    @property
    def traits(self) -> tuple[Trait, ...]:
        """The traits that the four pieces agree in."""
        return tuple(value.trait for value in self.values)


@dataclass(frozen=True, slots=True)
class Board:
    """An immutable board of sixteen cells.

    >>> board = Board().place(SQUARES[5], PIECES[7])
    >>> board[SQUARES[5]], board.count
    (Piece(number=7), 1)
    """

    cells: BoardCells = (None,) * 16
    # The numbers of the pieces that stand, one bit each: asking it is much faster than comparing sixteen cells.
    _standing: int = field(init=False, repr=False, compare=False, default=0)

    def __post_init__(self) -> None:
        if len(self.cells) != 16:
            raise ValueError(f"a board has 16 cells, not {len(self.cells)}.")
        standing = [piece for piece in self.cells if piece is not None]
        if len(set(standing)) != len(standing):
            doubled = next(piece for piece in standing if standing.count(piece) > 1)
            raise PieceNotAvailable(f"{doubled} stands on the board twice; every piece exists once.")
        object.__setattr__(self, "_standing", sum(1 << piece.number for piece in standing))

    @classmethod
    def of(cls, pieces: Mapping[Square, Piece]) -> Board:
        """A board with these pieces on these squares."""
        return cls(tuple(pieces.get(square) for square in SQUARES))

    def __getitem__(self, square: Square) -> Piece | None:
        return self.cells[square.index]

    @property
    def count(self) -> int:
        """How many pieces stand on the board."""
        return self._standing.bit_count()

    @property
    def empty_squares(self) -> tuple[Square, ...]:
        """The squares without a piece, a1 first."""
        return tuple(square for square in SQUARES if self.cells[square.index] is None)

    @property
    def pieces(self) -> dict[Square, Piece]:
        """The pieces that stand on the board, by square."""
        return {square: piece for square, piece in zip(SQUARES, self.cells, strict=True) if piece is not None}

    @property
    def pieces_left(self) -> tuple[Piece, ...]:
        """The pieces that are not on the board, lowest number first."""
        standing = set(self.cells)
        return tuple(piece for piece in PIECES if piece not in standing)

    def place(self, square: Square, piece: Piece) -> Board:
        """This board with one piece more."""
        if self.cells[square.index] is not None:
            raise SquareTaken(f"{square} is taken by {self.cells[square.index]}: choose an empty square.")
        if self._standing >> piece.number & 1:
            raise PieceNotAvailable(f"{piece} already stands on {SQUARES[self.cells.index(piece)]}.")
        return self._with(square, piece, self._standing | 1 << piece.number)

    def lift(self, square: Square) -> Board:
        """This board without the piece on a square."""
        piece = self.cells[square.index]
        if piece is None:
            raise SquareEmpty(f"{square} is empty: there is nothing to lift.")
        return self._with(square, None, self._standing & ~(1 << piece.number))

    def alignments(self, squares: bool = False, traits: Iterable[Trait] = ALL_TRAITS) -> tuple[Alignment, ...]:
        """Every alignment that stands on the board, open or lapsed."""
        return self._aligned(lines_in_play(squares), traits_mask(traits))

    def alignments_through(
        self, square: Square, squares: bool = False, traits: Iterable[Trait] = ALL_TRAITS
    ) -> tuple[Alignment, ...]:
        """Every alignment that contains a square: those which a placement there has completed."""
        return self._aligned(lines_through(square, squares), traits_mask(traits))

    def _aligned(self, lines: Iterable[Line], mask: int) -> tuple[Alignment, ...]:
        cells = self.cells
        found = []
        for line in lines:
            first, second, third, fourth = line
            one, two = cells[first.index], cells[second.index]
            if one is None or two is None:
                continue
            three, four = cells[third.index], cells[fourth.index]
            if three is None or four is None:
                continue
            number = one.number
            shared = mask & ~((number ^ two.number) | (number ^ three.number) | (number ^ four.number))
            if shared:
                found.append(Alignment(line, tuple(one.value(trait) for trait in ALL_TRAITS if trait.bit & shared)))
        return tuple(found)

    def _with(self, square: Square, piece: Piece | None, standing: int) -> Board:
        # The checks of __post_init__ are for boards that come from outside: this one is known to be sound.
        board = object.__new__(Board)
        index = square.index
        object.__setattr__(board, "cells", (*self.cells[:index], piece, *self.cells[index + 1 :]))
        object.__setattr__(board, "_standing", standing)
        return board


def traits_mask(traits: Iterable[Trait]) -> int:
    """The bits of a piece's number that belong to these traits."""
    if traits is ALL_TRAITS:
        return 15
    mask = 0
    for trait in traits:
        mask |= _BIT_OF[trait]
    return mask


# Looking a trait's bit up here instead of through its property makes the check of a placement markedly faster.
_BIT_OF = {trait: trait.bit for trait in Trait}

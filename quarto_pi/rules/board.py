"""The board: its squares and lines of four; which piece stands where, and which alignments stand on it (R4 to R6)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from quarto_pi.rules.errors import PieceNotAvailable, SquareEmpty, SquareTaken
from quarto_pi.rules.piece import ALL_TRAITS, PIECES, Piece, Trait, TraitValue


@dataclass(frozen=True, slots=True, order=True)
class Square:
    """A square, told by its index: a1 is 0, b1 is 1, … d4 is 15.

    >>> [square.name for square in (Square(0), Square(1), Square(4), Square(15))]
    ['a1', 'b1', 'a2', 'd4']
    """

    index: int

    def __post_init__(self) -> None:
        if not 0 <= self.index <= 15:
            raise ValueError(f"square number {self.index} does not exist: squares are numbered 0 to 15.")

    @property
    def name(self) -> str:
        """The square's name: a to d from the left, 1 to 4 from the side with the button."""
        return f"{'abcd'[self.column]}{self.row + 1}"

    @property
    def column(self) -> int:
        """0 for the a column to 3 for the d column."""
        return self.index % 4

    @property
    def row(self) -> int:
        """0 for the row next to the button to 3 for the farthest."""
        return self.index // 4

    def __str__(self) -> str:
        return self.name


SQUARES = tuple(Square(index) for index in range(16))

Line = tuple[Square, Square, Square, Square]


def _line(*indices: int) -> Line:
    first, second, third, fourth = (SQUARES[index] for index in indices)
    return first, second, third, fourth


ROWS = tuple(_line(*range(4 * row, 4 * row + 4)) for row in range(4))
COLUMNS = tuple(_line(*range(column, 16, 4)) for column in range(4))
DIAGONALS = (_line(0, 5, 10, 15), _line(12, 9, 6, 3))
BLOCKS = tuple(
    _line(corner, corner + 1, corner + 4, corner + 5) for row in range(3) for corner in range(4 * row, 4 * row + 3)
)

PLAIN_LINES = ROWS + COLUMNS + DIAGONALS
"""The ten lines of the plain game."""

ALL_LINES = PLAIN_LINES + BLOCKS
"""The nineteen lines of the variant `squares`: the nine 2x2 blocks count as well."""


def lines_in_play(squares: bool) -> tuple[Line, ...]:
    """Every line that counts, with or without the variant `squares`."""
    return ALL_LINES if squares else PLAIN_LINES


_THROUGH = {
    squares: tuple(tuple(line for line in lines_in_play(squares) if square in line) for square in SQUARES)
    for squares in (False, True)
}


def lines_through(square: Square, squares: bool) -> tuple[Line, ...]:
    """The lines that count and contain a square."""
    return _THROUGH[squares][square.index]


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

"""The sixteen squares, and the lines of four that can become alignments (R4, R5)."""

from __future__ import annotations

from dataclasses import dataclass


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

"""Which cells touch: only there can an antenna hear a tag that is not its own."""

from __future__ import annotations

from typing import Final

from quarto_pi.sensing.readings import CELLS, OFFER, SQUARES


def _touches(cell: str, other: str) -> bool:
    if cell == other:
        return False
    if OFFER in (cell, other):
        # where the offer place lies is the builder's choice, so it may be near any square
        return True
    return squares_touch(cell, other)


def squares_touch(square: str, other: str) -> bool:
    """Whether two squares touch, at a side or a corner; a square touches itself."""
    (row, column), (other_row, other_column) = (divmod(SQUARES.index(name), 4) for name in (square, other))
    return abs(row - other_row) <= 1 and abs(column - other_column) <= 1


NEIGHBOURS: Final = {cell: tuple(other for other in CELLS if _touches(cell, other)) for cell in CELLS}
"""The cells that touch a cell, at a side or a corner."""

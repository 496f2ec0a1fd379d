"""A deliberately naive full search: pieces as tuples, lines recomputed at every step, nothing kept."""

from __future__ import annotations

import itertools
from functools import cache

Piece = tuple[int, int, int, int]
PIECES: list[Piece] = [(n >> 3 & 1, n >> 2 & 1, n >> 1 & 1, n & 1) for n in range(16)]
TRAITS = {"colour": 0, "height": 1, "shape": 2, "top": 3}


@cache
def lines_through(square: int, squares: bool) -> list[list[int]]:
    """Return the lines that go through a square, as their squares."""
    lines = [[(r, f) for f in range(4)] for r in range(4)] + [[(r, f) for r in range(4)] for f in range(4)]
    lines += [[(i, i) for i in range(4)], [(i, 3 - i) for i in range(4)]]
    if squares:
        lines += [[(r, f), (r, f + 1), (r + 1, f), (r + 1, f + 1)] for r in range(3) for f in range(3)]
    return [[4 * rank + file for rank, file in line] for line in lines if divmod(square, 4) in line]


def wins(board: dict[int, Piece], square: int, squares: bool, traits: list[int]) -> bool:
    """Tell whether the piece on this square stands in an alignment."""
    for line in lines_through(square, squares):
        pieces = [board[at] for at in line if at in board]
        for trait in traits:
            if len(pieces) == 4 and len({piece[trait] for piece in pieces}) == 1:
                return True
    return False


def options(
    board: dict[int, Piece], hand: Piece | None, squares: bool, traits: list[int]
) -> dict[tuple[int | None, Piece | None], int]:
    """Return the value of every option."""
    pool = [piece for piece in PIECES if piece not in board.values() and piece != hand]
    if hand is None:
        return {(None, piece): -value(board, piece, squares, traits) for piece in pool}
    found: dict[tuple[int | None, Piece | None], int] = {}
    for square in range(16):
        if square in board:
            continue
        after = {**board, square: hand}
        if wins(after, square, squares, traits):
            found[square, None] = 1
        elif not pool:
            found[square, None] = 0
        else:
            for piece in pool:
                found[square, piece] = -value(after, piece, squares, traits)
    return found


def value(board: dict[int, Piece], hand: Piece | None, squares: bool, traits: list[int]) -> int:
    """Return the value for the player to move."""
    return max(options(board, hand, squares, traits).values(), default=0)


def subsets() -> list[list[int]]:
    """Return every choice of traits in play."""
    return [list(chosen) for size in range(1, 5) for chosen in itertools.combinations(range(4), size)]

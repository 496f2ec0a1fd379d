"""Pieces and boards drawn with characters, so that all four traits are seen at a glance.

A tall piece is two rows high, a short one one; a round one stands in ( ), a square one in [ ]; a dark one is filled;
the dot on top is solid or hollow.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from quarto_pi.rules import PIECES, SQUARES, Board, Piece, Square, Trait, TraitValue

_BLANK = " " * 5
_FRAME = "   +" + "-------+" * 4


@dataclass(frozen=True, slots=True)
class Ink:
    """The characters that pictures are drawn with."""

    solid: str
    hollow: str
    filling: str


FINE = Ink(solid="●", hollow="○", filling="▒")
PLAIN = Ink(solid="*", hollow="o", filling="#")


def ink_for(encoding: str | None) -> Ink:
    """The finest ink that an output of this encoding can show."""
    try:
        f"{FINE.solid}{FINE.hollow}{FINE.filling}".encode(encoding or "ascii")
    except (LookupError, UnicodeEncodeError):
        return PLAIN
    return FINE


def draw_piece(piece: Piece, ink: Ink) -> tuple[str, str]:
    """The two rows of a piece's picture, each five characters wide."""
    left, right = "()" if piece.value(Trait.SHAPE) is TraitValue.ROUND else "[]"
    filling = ink.filling if piece.value(Trait.COLOUR) is TraitValue.DARK else " "
    mark = ink.solid if piece.value(Trait.TOP) is TraitValue.SOLID else ink.hollow
    top = f"{left}{filling}{mark}{filling}{right}"
    if piece.value(Trait.HEIGHT) is TraitValue.SHORT:
        return _BLANK, top
    return top, f"{left}{filling * 3}{right}"


def draw_board(board: Board, ink: Ink, marked: Collection[Square] = ()) -> str:
    """The board with its coordinates; marked squares are shown between arrows."""
    rows = [_FRAME]
    for row in (3, 2, 1, 0):
        cells = [_draw_cell(board, square, ink, square in marked) for square in SQUARES[4 * row : 4 * row + 4]]
        upper, lower = ("|".join(part) for part in zip(*cells, strict=True))
        rows += [f" {row + 1} |{upper}|", f"   |{lower}|", _FRAME]
    return "\n".join([*rows, "       a       b       c       d"])


def draw_shelf(pieces: Collection[Piece], ink: Ink) -> str:
    """All sixteen places beside the board, light above dark, with the pieces that are still there and their codes."""
    rows: list[str] = []
    for shelf in (PIECES[:8], PIECES[8:]):
        pictures = [draw_piece(piece, ink) if piece in pieces else (_BLANK, _BLANK) for piece in shelf]
        rows.append("  ".join(upper for upper, _ in pictures))
        rows.append("  ".join(lower for _, lower in pictures))
        rows.append("  ".join(f"{piece.letters if piece in pieces else '':^5}" for piece in shelf))
    return "\n".join(f"    {row}".rstrip() for row in rows)


def _draw_cell(board: Board, square: Square, ink: Ink, marked: bool) -> tuple[str, str]:
    piece = board[square]
    upper, lower = (_BLANK, _BLANK) if piece is None else draw_piece(piece, ink)
    left, right = "><" if marked else "  "
    return f"{left}{upper}{right}", f"{left}{lower}{right}"

"""Pieces and boards drawn with characters, so that all four traits are seen at a glance, with colours and without.

A tall piece is two rows high, a short one one row; a round one stands in ( ), a square one in [ ]; a dark one is
filled; the dot on top is solid or hollow. Where the terminal has colours, dark pieces are blue and light ones yellow,
which nearly everybody can tell apart; nothing is told by a colour alone.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Final
from unicodedata import combining, east_asian_width

from quarto_pi.rules import PIECES, SQUARES, Board, Piece, Square, Trait, TraitValue

# --- Columns: a Chinese character takes two ---------------------------------------------------------------------------


def columns_of(text: str) -> int:
    """How many columns of a terminal a text takes.

    >>> columns_of("dark"), columns_of("深色")
    (4, 4)
    """
    return sum(0 if combining(letter) else 2 if east_asian_width(letter) in "WF" else 1 for letter in text)


def padded(text: str, columns: int) -> str:
    """A text with as many spaces behind it as it needs to take so many columns."""
    return text + " " * (columns - columns_of(text))


# --- Ink --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Ink:
    """The characters that pictures are drawn with, and what switches the terminal's colours."""

    solid: str
    hollow: str
    filling: str
    light: str = ""
    dark: str = ""
    plain: str = ""


FINE: Final = Ink(solid="●", hollow="○", filling="▒")
PLAIN_INK: Final = Ink(solid="*", hollow="o", filling="#")

_YELLOW: Final = "\x1b[33m"
_BRIGHT_BLUE: Final = "\x1b[94m"
_PLAIN: Final = "\x1b[0m"


def ink_for(
    encoding: str | None,
    environment: Mapping[str, str] | None = None,
    language: str = "en",
    *,
    is_terminal: bool = False,
) -> Ink:
    """The finest ink for an output of this encoding, and for a terminal what it and its environment allow.

    The dots and the filling of the finest are as wide as a Chinese character on many screens that show Chinese: there,
    as where the locale knows nothing but ASCII, the plain ink is taken, which is one column wide everywhere.
    """
    environment = environment or {}
    locale = locale_in(environment)
    is_wide = any(name.startswith(("zh", "ja", "ko")) for name in (locale, language))
    ink = FINE if not (is_wide or locale in ASCII_LOCALES) and _can_show(FINE, encoding) else PLAIN_INK
    if not is_terminal or environment.get("NO_COLOR") or environment.get("TERM", "dumb") == "dumb":
        return ink
    return replace(ink, light=_YELLOW, dark=_BRIGHT_BLUE, plain=_PLAIN)


ASCII_LOCALES: Final = ("C", "POSIX")


def locale_in(environment: Mapping[str, str]) -> str:
    """The locale of whoever sits at a terminal, such as `de_DE.UTF-8`; empty if there is none."""
    return next((environment[name] for name in ("LC_ALL", "LC_CTYPE", "LANG") if environment.get(name)), "")


def _can_show(ink: Ink, encoding: str | None) -> bool:
    try:
        f"{ink.solid}{ink.hollow}{ink.filling}".encode(encoding or "ascii")
    except (LookupError, UnicodeEncodeError):
        return False
    return True


# --- Pictures ---------------------------------------------------------------------------------------------------------

PIECE_COLUMNS: Final = 5
_BLANK = " " * PIECE_COLUMNS
_FRAME = "   +" + "-------+" * 4


def draw_piece(piece: Piece, ink: Ink) -> tuple[str, str]:
    """The two rows of a piece's picture, each five columns wide."""
    left, right = "()" if piece.value(Trait.SHAPE) is TraitValue.ROUND else "[]"
    is_dark = piece.value(Trait.COLOUR) is TraitValue.DARK
    filling, colour = (ink.filling, ink.dark) if is_dark else (" ", ink.light)
    mark = ink.solid if piece.value(Trait.TOP) is TraitValue.SOLID else ink.hollow
    top = f"{colour}{left}{filling}{mark}{filling}{right}{ink.plain}"
    if piece.value(Trait.HEIGHT) is TraitValue.SHORT:
        return _BLANK, top
    return top, f"{colour}{left}{filling * 3}{right}{ink.plain}"


def draw_board(board: Board, ink: Ink, marked: Collection[Square] = ()) -> str:
    """The board with its coordinates; marked squares are shown between arrows."""
    rows = [_FRAME]
    for row in (3, 2, 1, 0):
        cells = [_draw_cell(board, square, ink, square in marked) for square in SQUARES[4 * row : 4 * row + 4]]
        upper, lower = ("|".join(part) for part in zip(*cells, strict=True))
        rows += [f" {row + 1} |{upper}|", f"   |{lower}|", _FRAME]
    return "\n".join([*rows, "       a       b       c       d"])


def draw_shelf(pieces: Collection[Piece], ink: Ink) -> str:
    """All sixteen places beside the board, light above dark; under the pieces still there their letters and numbers."""
    rows: list[str] = []
    for shelf in (PIECES[:8], PIECES[8:]):
        pictures = [draw_piece(piece, ink) if piece in pieces else (_BLANK, _BLANK) for piece in shelf]
        rows.append("   ".join(upper for upper, _ in pictures))
        rows.append("   ".join(lower for _, lower in pictures))
        names = (f"{piece.letters} {piece.digit}" if piece in pieces else "" for piece in shelf)
        rows.append("  ".join(f"{name:<6}" for name in names))
    return "\n".join(f"    {row}".rstrip() for row in rows)


def draw_values(named: Mapping[TraitValue, str], ink: Ink) -> str:
    """What each letter of a piece means: a picture of a piece that is so, the letter, and the word for it."""
    pictures = [draw_piece(_example(value), ink) for value in named]
    widths = [max(PIECE_COLUMNS, columns_of(word)) for word in named.values()]
    rows = (
        [padded(upper, columns + _unseen(upper)) for (upper, _), columns in zip(pictures, widths, strict=True)],
        [padded(lower, columns + _unseen(lower)) for (_, lower), columns in zip(pictures, widths, strict=True)],
        [padded(f"  {value.letter}", columns) for value, columns in zip(named, widths, strict=True)],
        [padded(word, columns) for word, columns in zip(named.values(), widths, strict=True)],
    )
    return "\n".join(f"  {'  '.join(row)}".rstrip() for row in rows)


def _example(value: TraitValue) -> Piece:
    """A piece with this value that is light, tall, round and solid otherwise."""
    first = PIECES[0]
    return Piece.of(*(value if value.trait is usual.trait else usual for usual in first.values))


def _unseen(text: str) -> int:
    """How many characters of a picture switch colours and take no column."""
    return columns_of(text) - PIECE_COLUMNS


def _draw_cell(board: Board, square: Square, ink: Ink, marked: bool) -> tuple[str, str]:
    piece = board[square]
    upper, lower = (_BLANK, _BLANK) if piece is None else draw_piece(piece, ink)
    left, right = "><" if marked else "  "
    return f"{left}{upper}{right}", f"{left}{lower}{right}"

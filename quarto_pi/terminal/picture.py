"""Pieces and boards drawn with characters, so that all four traits are seen at a glance.

A tall piece is two rows high, a short one one; a round one stands in ( ), a square one in [ ]; a dark one is filled;
the dot on top is solid or hollow.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from quarto_pi.rules import (
    PIECES,
    SQUARES,
    Alignment,
    Board,
    Called,
    Ended,
    Event,
    Given,
    Latched,
    Missed,
    Piece,
    Placed,
    Player,
    Reason,
    Result,
    Shifted,
    Square,
    Trait,
    TraitValue,
    Undone,
)

# --- What has happened, in words, at the terminal ---------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Names:
    """What the players are called."""

    given: Mapping[Player, str] = field(default_factory=dict)

    def of(self, player: Player) -> str:
        """A player's name."""
        return self.given.get(player, f"Player {player.value + 1}")


def tell(event: Event, names: Names) -> str | None:
    """One thing that has happened, in words."""
    match event:
        case Given(piece=piece, by=player):
            return f"{names.of(player)} gives {describe(piece)}."
        case Placed(square=square, piece=piece, player=player) | Shifted(square=square, piece=piece, player=player):
            return f"{names.of(player)} places {piece} on {square}."
        case Latched(player=player):
            return f"{names.of(player)} called QUARTO! Now place the piece and show us."
        case Called(player=player, valid=False):
            return f"{names.of(player)}: that QUARTO doesn't count. Play on!"
        case Missed(alignments=alignments):
            return f"Missed! {_lines(alignments)}. Nobody called in time, so it no longer counts."
        case Undone(square=square, piece=piece):
            return f"The move is undone: {piece} is off {square} again, and not given yet."
        case Ended(result=result):
            return _tell_result(result, names)
    return None


def _tell_result(result: Result, names: Names) -> str:
    if result.reason is Reason.DRAW:
        return "The game is a draw."
    if result.winner is None:
        return "The game is left unfinished."
    if result.reason is Reason.FORFEIT:
        return f"That QUARTO doesn't count. {names.of(result.winner)} wins!"
    return f"QUARTO! {_lines(result.alignments)}. {names.of(result.winner)} wins!"


def _lines(alignments: tuple[Alignment, ...]) -> str:
    return "; ".join(
        f"{' '.join(square.name for square in alignment.squares)} all {' and '.join(v.word for v in alignment.values)}"
        for alignment in alignments
    )


def describe(piece: Piece) -> str:
    """A piece by its traits and its code."""
    return f"the {' '.join(piece.words)} piece {piece}"


# --- Pieces and boards drawn with characters, so that all four traits are seen at a glance ----------------------------

_BLANK = " " * 5
_FRAME = "   +" + "-------+" * 4


@dataclass(frozen=True, slots=True)
class Ink:
    """The characters that pictures are drawn with."""

    solid: str
    hollow: str
    filling: str


FINE = Ink(solid="●", hollow="○", filling="▒")
PLAIN_INK = Ink(solid="*", hollow="o", filling="#")


def ink_for(encoding: str | None) -> Ink:
    """The finest ink that an output of this encoding can show."""
    try:
        f"{FINE.solid}{FINE.hollow}{FINE.filling}".encode(encoding or "ascii")
    except (LookupError, UnicodeEncodeError):
        return PLAIN_INK
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

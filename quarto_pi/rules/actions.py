"""What can be done in a game: the actions that `apply` takes."""

from __future__ import annotations

from dataclasses import dataclass

from quarto_pi.rules.piece import Piece
from quarto_pi.rules.player import Player
from quarto_pi.rules.square import Square


@dataclass(frozen=True, slots=True)
class Give:
    """The player whose turn it is gives a piece (R3); until it is placed it may be exchanged for another."""

    piece: Piece


@dataclass(frozen=True, slots=True)
class Place:
    """The receiver's piece has come to rest on a square (R3); name the piece to have it checked (D6)."""

    square: Square
    piece: Piece | None = None


@dataclass(frozen=True, slots=True)
class Shift:
    """The player moves the piece just placed to another empty square (D5)."""

    square: Square


@dataclass(frozen=True, slots=True)
class Call:
    """A player says QUARTO! (R7); where it is not `sure` who did, it may win, but nobody answers for it (D14)."""

    player: Player
    sure: bool = True


@dataclass(frozen=True, slots=True)
class Undo:
    """The players agree to take back the last placement and the give before it (D9)."""


@dataclass(frozen=True, slots=True)
class Pause:
    """Time stands still until the game is resumed."""


@dataclass(frozen=True, slots=True)
class Resume:
    """Time runs on after a pause."""


@dataclass(frozen=True, slots=True)
class Clear:
    """The players clear the board: a draw after the sixteenth piece (D3), before it an unfinished game."""


Action = Give | Place | Shift | Call | Undo | Pause | Resume | Clear

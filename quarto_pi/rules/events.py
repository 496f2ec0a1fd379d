"""What has happened in a game: the news that `apply` leaves behind."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from quarto_pi.rules.board import Alignment, Square
from quarto_pi.rules.piece import Piece, Player


class Reason(Enum):
    """Why a game has ended."""

    CALL = "call"
    AUTO = "auto"
    DRAW = "draw"
    FORFEIT = "forfeit"
    UNFINISHED = "unfinished"


@dataclass(frozen=True, slots=True)
class Result:
    """How a game has ended."""

    winner: Player | None
    reason: Reason
    alignments: tuple[Alignment, ...] = ()


@dataclass(frozen=True, slots=True)
class Given:
    """A piece was given, or exchanged for the one given before."""

    piece: Piece
    by: Player


@dataclass(frozen=True, slots=True)
class Placed:
    """The given piece was placed."""

    square: Square
    piece: Piece
    player: Player


@dataclass(frozen=True, slots=True)
class Shifted:
    """The piece just placed was moved to another square (D5)."""

    origin: Square
    square: Square
    piece: Piece
    player: Player


@dataclass(frozen=True, slots=True)
class Latched:
    """A call is waiting for its placement (D1)."""

    player: Player
    until: int


@dataclass(frozen=True, slots=True)
class Called:
    """A call was decided: it stood with these alignments, or it was false (D2).

    `placed` and `given` tell its moment: how many pieces stood, and whether the next was in the receiver's hand.
    """

    player: Player
    valid: bool
    alignments: tuple[Alignment, ...]
    placed: int
    given: bool


@dataclass(frozen=True, slots=True)
class Doubted:
    """A call was false, and it is not sure that this player made it: nobody answers for it (D14)."""

    player: Player


@dataclass(frozen=True, slots=True)
class Missed:
    """Alignments lapsed that nobody had called (R8)."""

    alignments: tuple[Alignment, ...]


@dataclass(frozen=True, slots=True)
class Undone:
    """A placement and the give before it were taken back (D9)."""

    square: Square
    piece: Piece
    player: Player


@dataclass(frozen=True, slots=True)
class TimedOut:
    """A player has used up the time for the move (D4)."""

    player: Player


@dataclass(frozen=True, slots=True)
class GamePaused:
    """Time stands still."""


@dataclass(frozen=True, slots=True)
class GameResumed:
    """Time runs again."""


@dataclass(frozen=True, slots=True)
class Ended:
    """The game is over."""

    result: Result


Event = (
    Given
    | Placed
    | Shifted
    | Latched
    | Called
    | Doubted
    | Missed
    | Undone
    | TimedOut
    | GamePaused
    | GameResumed
    | Ended
)

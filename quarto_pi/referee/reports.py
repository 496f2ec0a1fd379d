"""What is told about a game to whoever keeps a log, beside the news of the rules themselves."""

from __future__ import annotations

from dataclasses import dataclass

from quarto_pi import rules
from quarto_pi.rules import Piece, Position, Square
from quarto_pi.sensing.events import Thing


@dataclass(frozen=True, slots=True)
class Lifted:
    """A piece of the game has left its square."""

    square: Square
    piece: Piece


@dataclass(frozen=True, slots=True)
class Fix:
    """A cell on which the table is not as the game has it: what is found there, and what is expected."""

    cell: str
    found: Thing | tuple[Thing, ...] | None
    expected: Piece | None


@dataclass(frozen=True, slots=True)
class Mismatch:
    """Table and game have differed for too long to wait any more."""

    fixes: tuple[Fix, ...]


@dataclass(frozen=True, slots=True)
class Resolved:
    """Table and game agree again."""


@dataclass(frozen=True, slots=True)
class ReaderFault:
    """A cell's reader is lost."""

    cell: str


@dataclass(frozen=True, slots=True)
class ReaderRecovered:
    """A cell's reader works again."""

    cell: str


@dataclass(frozen=True, slots=True)
class Ended:
    """A game has ended, in this position."""

    result: rules.Result
    position: Position


Report = (
    rules.Given
    | rules.Placed
    | rules.Shifted
    | rules.Called
    | rules.Missed
    | rules.Undone
    | rules.TimedOut
    | Lifted
    | Mismatch
    | Resolved
    | ReaderFault
    | ReaderRecovered
    | Ended
)

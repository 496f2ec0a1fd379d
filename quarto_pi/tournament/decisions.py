"""All that may be decided in a tournament, one after the other; nothing is ever taken out of the list."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

MOST_PLAYERS: Final = 200
MOST_OF_ROUND_ROBIN: Final = 40
MOST_ROUNDS: Final = 30
MOST_BEST_OF: Final = 9
MOST_TABLES: Final = 100
LONGEST_LABEL: Final = 20
LONGEST_TITLE: Final = 40


class PairingSystem(Enum):
    """How it is found out who meets whom."""

    ROUND_ROBIN = "round robin"
    SWISS = "swiss"


class GameOutcome(Enum):
    """How one game of a pairing ended."""

    FIRST = "first"
    SECOND = "second"
    DRAW = "draw"


class MatchVerdict(Enum):
    """What the organiser says about a whole pairing, whatever was played."""

    FIRST = "first"
    SECOND = "second"
    DRAW = "draw"
    FIRST_ABSENT = "first absent"
    SECOND_ABSENT = "second absent"
    BOTH_ABSENT = "both absent"


@dataclass(frozen=True, slots=True)
class Announced:
    """A tournament begins: always the first decision. `rounds` matters for Swiss alone, and is 0 otherwise."""

    title: str
    system: PairingSystem
    best_of: int = 1
    rounds: int = 0


@dataclass(frozen=True, slots=True)
class PlayerEntered:
    """Somebody takes part, and gets the next number; the label is for who looks at the hub's page alone."""

    label: str = ""


@dataclass(frozen=True, slots=True)
class PlayerRelabelled:
    """A player has another label from now on."""

    player: int
    label: str


@dataclass(frozen=True, slots=True)
class PlayerWithdrawn:
    """A player plays no more: what is not decided of his pairings the others have won."""

    player: int


@dataclass(frozen=True, slots=True)
class TablesSet:
    """Which board each table has, from table 1; an empty name is a table without one."""

    boards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RoundDrawn:
    """The pairings of the next round: who is player 1 at the table, and who player 2; 0 is nobody, and plays free."""

    pairs: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class SeatGiven:
    """A pairing plays at a table from now on.

    Games of the table's board count for it by themselves where `history` is not empty: those of that history after
    `after_game`, and all of a newer history.
    """

    pairing: int
    table: int
    history: str = ""
    after_game: int = 0


@dataclass(frozen=True, slots=True)
class SeatTaken:
    """A pairing plays at no table any more, until the organiser gives it one."""

    pairing: int


@dataclass(frozen=True, slots=True)
class GameAtTable:
    """A game was settled at the table where a pairing plays: board, history and number are what it is known by."""

    pairing: int
    board: str
    history: str
    game: int
    outcome: GameOutcome


@dataclass(frozen=True, slots=True)
class GameCorrected:
    """The organiser says how a game of a pairing ended: one that is there, or the next; None strikes it."""

    pairing: int
    place: int
    outcome: GameOutcome | None


@dataclass(frozen=True, slots=True)
class VerdictGiven:
    """The organiser decides a whole pairing; None takes back what he has decided, and the games count again."""

    pairing: int
    verdict: MatchVerdict | None


@dataclass(frozen=True, slots=True)
class TournamentClosed:
    """The tournament is over: nothing more is decided, and boards show it no more."""


Decision = (
    Announced
    | PlayerEntered
    | PlayerRelabelled
    | PlayerWithdrawn
    | TablesSet
    | RoundDrawn
    | SeatGiven
    | SeatTaken
    | GameAtTable
    | GameCorrected
    | VerdictGiven
    | TournamentClosed
)


@dataclass(frozen=True, slots=True)
class TournamentEntry:
    """A decision with who decided it and when, in seconds since 1970; nobody is the hub itself."""

    at: float
    by: str
    decision: Decision

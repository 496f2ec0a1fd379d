"""All that may be decided in a tournament, one after the other; nothing is ever taken out of the list.

As JSON, as they are kept, what was written once is read by every later version.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import Enum
from typing import Final, TypeVar

from quarto_pi.rules import QuartoError

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


# --- Decisions as JSON, as they are kept: what was written once is read by every later version ------------------------

_NAMES: Final[dict[type[Decision], str]] = {
    Announced: "announced",
    PlayerEntered: "entered",
    PlayerRelabelled: "relabelled",
    PlayerWithdrawn: "withdrawn",
    TablesSet: "tables",
    RoundDrawn: "round",
    SeatGiven: "seat given",
    SeatTaken: "seat taken",
    GameAtTable: "game",
    GameCorrected: "corrected",
    VerdictGiven: "verdict",
    TournamentClosed: "closed",
}
_W = TypeVar("_W", bound=Enum)

JsonDecision = Mapping[str, object]


class DecisionUnreadable(QuartoError, ValueError):
    """A decision that this version cannot read."""


def decision_as_json(decision: Decision) -> dict[str, object]:
    """A decision by its name and fields."""
    return {
        "decision": _NAMES[type(decision)],
        **{field.name: _plain(getattr(decision, field.name)) for field in fields(decision)},
    }


def decision_of(told: JsonDecision) -> Decision:  # noqa: C901, PLR0912 - one case for each kind
    """The decision that was written so; `DecisionUnreadable` says what is wrong with it."""
    match told.get("decision"):
        case "announced":
            system = _word(told, "system", PairingSystem)
            return Announced(_text(told, "title"), system, _whole(told, "best_of"), _whole(told, "rounds"))
        case "entered":
            return PlayerEntered(_text(told, "label"))
        case "relabelled":
            return PlayerRelabelled(_whole(told, "player"), _text(told, "label"))
        case "withdrawn":
            return PlayerWithdrawn(_whole(told, "player"))
        case "tables":
            return TablesSet(tuple(_texts(told, "boards")))
        case "round":
            return RoundDrawn(_pairs(told, "pairs"))
        case "seat given":
            return SeatGiven(
                _whole(told, "pairing"), _whole(told, "table"), _text(told, "history"), _whole(told, "after_game")
            )
        case "seat taken":
            return SeatTaken(_whole(told, "pairing"))
        case "game":
            return GameAtTable(
                _whole(told, "pairing"),
                _text(told, "board"),
                _text(told, "history"),
                _whole(told, "game"),
                _word(told, "outcome", GameOutcome),
            )
        case "corrected":
            outcome = None if told.get("outcome") is None else _word(told, "outcome", GameOutcome)
            return GameCorrected(_whole(told, "pairing"), _whole(told, "place"), outcome)
        case "verdict":
            verdict = None if told.get("verdict") is None else _word(told, "verdict", MatchVerdict)
            return VerdictGiven(_whole(told, "pairing"), verdict)
        case "closed":
            return TournamentClosed()
        case other:
            raise DecisionUnreadable(f"there is no decision '{other}' here: upgrade quarto-pi.")


def _plain(value: object) -> object:
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    return value


def _text(told: JsonDecision, key: str) -> str:
    value = told.get(key)
    if not isinstance(value, str):
        raise DecisionUnreadable(f"'{key}' of a decision is no text.")
    return value


def _whole(told: JsonDecision, key: str) -> int:
    value = told.get(key)
    if type(value) is not int or value < 0:
        raise DecisionUnreadable(f"'{key}' of a decision is no whole number from 0.")
    return value


def _word(told: JsonDecision, key: str, words: type[_W]) -> _W:
    value = told.get(key)
    found = next((word for word in words if word.value == value), None)
    if found is None:
        raise DecisionUnreadable(f"'{key}' of a decision is none of {', '.join(str(word.value) for word in words)}.")
    return found


def _texts(told: JsonDecision, key: str) -> list[str]:
    value = told.get(key)
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise DecisionUnreadable(f"'{key}' of a decision is no list of texts.")
    return value


def _pairs(told: JsonDecision, key: str) -> tuple[tuple[int, int], ...]:
    value = told.get(key)
    if not isinstance(value, list) or not all(_is_pair(each) for each in value):
        raise DecisionUnreadable(f"'{key}' of a decision is no list of pairs of whole numbers.")
    return tuple((first, second) for first, second in value)


def _is_pair(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(type(each) is int and each >= 0 for each in value)

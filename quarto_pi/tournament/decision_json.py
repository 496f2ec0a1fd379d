"""Decisions as JSON, as they are kept: what was written once is read by every later version."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from enum import Enum
from typing import Final, TypeVar

from quarto_pi.rules import QuartoError
from quarto_pi.tournament.decisions import (
    Announced,
    Decision,
    GameAtTable,
    GameCorrected,
    GameOutcome,
    MatchVerdict,
    PairingSystem,
    PlayerEntered,
    PlayerRelabelled,
    PlayerWithdrawn,
    RoundDrawn,
    SeatGiven,
    SeatTaken,
    TablesSet,
    TournamentClosed,
    VerdictGiven,
)

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

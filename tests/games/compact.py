"""Events and messages in the few words of an evening's file; nothing of them is left out."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields
from enum import Enum

from quarto_pi.referee.messages import PlacedUnheard, Spoken, StandsThere
from quarto_pi.referee.settings import Seat
from quarto_pi.rules import Alignment, Piece, Player, Square

_PLAYERS = "AB"


def event_as_text(event: Mapping[str, object]) -> str:
    """An event of a replay, as `quarto-pi replay --json` prints it, without its time."""
    rest = {key: value for key, value in event.items() if key not in ("t", "event")}
    name = str(event["event"])
    text = f"{name} {_WRITERS[name](rest)}".strip()
    if rest:
        raise AssertionError(f"{name} says more than interfaces know: {rest}")
    return text


def message_as_text(message: Spoken | PlacedUnheard) -> str:
    """A prompt or a notice: its name, and what it says."""
    said = {field.name: getattr(message, field.name) for field in fields(message)}
    # What goes without saying is left out: that a piece is given on the give place, where there is one.
    usual = {field.name: field.default for field in fields(message)}
    values = (_value(value) for name, value in said.items() if value != usual[name])
    return " ".join((type(message).__name__, *(value for value in values if value)))


def matches(expected: str, found: str) -> bool:
    """Whether a text is the expected one, in which `*` stands for any word and a final `...` for any rest."""
    words = " ".join(expected.split())
    pattern = re.escape(words.removesuffix("...").rstrip()).replace(r"\*", r"\S+")
    return re.fullmatch(pattern + (".*" if words.endswith("...") else ""), found) is not None


def _alignments(value: object) -> str:
    assert isinstance(value, list)
    return "; ".join(f"{' '.join(each['squares'])} ({', '.join(each['traits'])})" for each in value)


def _player(value: object) -> str:
    assert isinstance(value, int)
    return _PLAYERS[value]


def _take(event: dict[str, object], *keys: str) -> str:
    return " ".join(str(event.pop(key)) for key in keys)


def _called(event: dict[str, object]) -> str:
    alignments = _alignments(event.pop("alignments"))
    return f"by {_player(event.pop('player'))}: {alignments if event.pop('valid') else 'false' + alignments}"


def _mismatch(event: dict[str, object]) -> str:
    fixes = event.pop("fix")
    assert isinstance(fixes, list)
    return "; ".join(sorted(_fix(fix) for fix in fixes))


def _fix(fix: dict[str, object]) -> str:
    assert set(fix) == {"square", "found", "expected"}
    found = fix["found"]
    things = sorted(found) if isinstance(found, list) else [found or "nothing"]
    return f"{fix['square']}: {' and '.join(map(str, things))}, not {fix['expected'] or 'nothing'}"


def _result(event: dict[str, object]) -> str:
    winner, reason, position = event.pop("winner"), event.pop("reason"), event.pop("position")
    alignments = _alignments(event.pop("alignments"))
    ending = f"{reason}" if winner is None else f"{_player(winner)} by {reason}"
    return f"{ending}, {position}" + (f", {alignments}" if alignments else "")


_WRITERS = {
    "placed": lambda event: f"{_take(event, 'piece', 'square')} by {_player(event.pop('player'))}",
    "undone": lambda event: f"{_take(event, 'piece', 'square')} by {_player(event.pop('player'))}",
    "lifted": lambda event: _take(event, "piece", "square"),
    "given": lambda event: f"{_take(event, 'piece')} by {_player(event.pop('by'))}",
    "called": _called,
    "missed": lambda event: _alignments(event.pop("alignments")),
    "mismatch": _mismatch,
    "resolved": lambda _: "",
    "reader_fault": lambda event: _take(event, "square"),
    "reader_recovered": lambda event: _take(event, "square"),
    "timeout": lambda event: f"by {_player(event.pop('player'))}",
    "result": _result,
}


def _value(value: object) -> str:  # noqa: C901 - one case for each kind of value
    match value:
        case None:
            return "-"
        case Player():
            return _PLAYERS[value.value]
        case Piece():
            return value.letters
        case Square():
            return value.name
        case Alignment():
            squares = " ".join(square.name for square in value.squares)
            return f"{squares} ({', '.join(trait.value for trait in value.traits)})"
        case StandsThere() | PlacedUnheard():
            return message_as_text(value)
        case Seat():
            return "person" if value.level is None else f"computer {value.level}"
        case Enum():
            return str(value.value)
        case bool():
            return "yes" if value else "no"
        case tuple():
            between = "; " if value and isinstance(value[0], Alignment) else " "
            return between.join(_value(each) for each in value)
    return str(value)


def value_as_text(value: object) -> str:
    """A value of the menu."""
    return _value(value)

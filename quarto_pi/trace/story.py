"""What is told of an evening: each report as a line of JSON, or as a line for people."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, assert_never

from quarto_pi import rules
from quarto_pi.referee.effects import (
    Fix,
    GameFinished,
    Lifted,
    Mismatch,
    ReaderFault,
    ReaderFaultGone,
    Report,
    Resolved,
)
from quarto_pi.rules import Alignment, Piece, Player
from quarto_pi.sensing.events import Thing

ReportJson = dict[str, object]

DURABLE_EVENTS: Final = ("given", "placed", "called", "missed", "undone", "timeout", "result")
"""The events that are written with the game as it stands after them, before anybody is told; others follow later."""


def as_json(at: int, report: Report) -> ReportJson:
    """A report as the object that other programs read."""
    return {"t": at, **_fields(report)}


def _fields(report: Report) -> ReportJson:  # noqa: C901 - one case for each report
    match report:
        case rules.Placed(square, piece, player) | rules.Shifted(_, square, piece, player):
            return {"event": "placed", "square": square.name, "piece": piece.letters, "player": player.value}
        case rules.Given(piece, by):
            return {"event": "given", "piece": piece.letters, "by": by.value}
        case rules.Called(player, valid, alignments):
            return {
                "event": "called",
                "player": player.value,
                "valid": valid,
                "alignments": alignments_as_json(alignments),
            }
        case rules.Missed(alignments):
            return {"event": "missed", "alignments": alignments_as_json(alignments)}
        case rules.Undone(square, piece, player):
            return {"event": "undone", "square": square.name, "piece": piece.letters, "player": player.value}
        case rules.TimedOut(player):
            return {"event": "timeout", "player": player.value}
        case Lifted(square, piece):
            return {"event": "lifted", "square": square.name, "piece": piece.letters}
        case Mismatch(fixes):
            return {"event": "mismatch", "fix": [_fix_as_json(fix) for fix in fixes]}
        case Resolved():
            return {"event": "resolved"}
        case ReaderFault(cell):
            return {"event": "reader_fault", "square": cell}
        case ReaderFaultGone(cell):
            return {"event": "reader_recovered", "square": cell}
        case GameFinished(result, position):
            return {
                "event": "result",
                "winner": None if result.winner is None else result.winner.value,
                "reason": result.reason.value,
                "position": str(position),
                "alignments": alignments_as_json(result.alignments),
            }
    assert_never(report)


def alignments_as_json(alignments: Iterable[Alignment]) -> list[ReportJson]:
    """Alignments as other programs read them."""
    return [
        {
            "squares": [square.name for square in alignment.squares],
            "traits": [trait.value for trait in alignment.traits],
        }
        for alignment in alignments
    ]


def as_text(report: Report) -> str:  # noqa: C901, PLR0912 - one case for each report
    """A report as a line for people who read the log."""
    match report:
        case rules.Placed(square, piece, player):
            return f"{_player(player)} places {piece} on {square}"
        case rules.Shifted(origin, square, piece, player):
            return f"{_player(player)} moves {piece} from {origin} to {square}"
        case rules.Given(piece, by):
            return f"{_player(by)} gives {piece}"
        case rules.Called(player, valid, alignments):
            why = _lines(alignments) if valid else "It doesn't count."
            return f"{_player(player)} calls QUARTO! {why}"
        case rules.Missed(alignments):
            return f"missed: {_lines(alignments)}"
        case rules.Undone(square, piece, player):
            return f"{piece} of {_player(player).lower()} on {square} is undone"
        case rules.TimedOut(player):
            return f"the time of {_player(player).lower()} is up"
        case Lifted(square, piece):
            return f"{piece} is lifted from {square}"
        case Mismatch(fixes):
            return f"please fix: {', '.join(_fix_as_text(fix) for fix in fixes)}"
        case Resolved():
            return "fixed"
        case ReaderFault(cell):
            return f"{cell}: its reader does not answer"
        case ReaderFaultGone(cell):
            return f"{cell}: its reader works again"
        case GameFinished(result, position):
            return f"{_result(result)}   {position}"
    assert_never(report)


def _result(result: rules.Result) -> str:
    if result.winner is None:
        return "A draw." if result.reason is rules.Reason.DRAW else "The game was not finished."
    why = {rules.Reason.CALL: "by a call", rules.Reason.AUTO: "", rules.Reason.FORFEIT: "by forfeit"}[result.reason]
    lines = _lines(result.alignments)
    return f"{_player(result.winner)} wins{f' {why}' if why else ''}{f': {lines}' if lines else '.'}"


def _lines(alignments: Iterable[Alignment]) -> str:
    return "; ".join(
        f"{' '.join(square.name for square in alignment.squares)}"
        f" ({', '.join(value.word for value in alignment.values)})"
        for alignment in alignments
    )


def _fix_as_json(fix: Fix) -> ReportJson:
    found = [_thing(thing) for thing in fix.found] if isinstance(fix.found, tuple) else _thing(fix.found)
    return {"square": fix.cell, "found": found, "expected": _thing(fix.expected)}


def _fix_as_text(fix: Fix) -> str:
    things = fix.found if isinstance(fix.found, tuple) else (fix.found,)
    found = " and ".join(f"{_thing(thing)}" for thing in things if thing is not None)
    if fix.expected is None:
        return f"take {found} off {fix.cell}"
    return f"take {found} off {fix.cell}, put {fix.expected} there" if found else f"put {fix.expected} on {fix.cell}"


def _thing(thing: Thing | None) -> str | None:
    return thing.letters if isinstance(thing, Piece) else thing


def _player(player: Player) -> str:
    return f"Player {player.value + 1}"

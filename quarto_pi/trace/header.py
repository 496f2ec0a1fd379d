"""The first line of a trace: the rules, the tags, who plays, and what the board has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final, TypeVar

from quarto_pi.referee import PERSON, Seat, Settings, Starter
from quarto_pi.rules import Calling, FalseCall, Options, QuartoError, TimeOut, hint, parse_traits
from quarto_pi.sensing.tags import TagTable
from quarto_pi.trace.errors import TraceError

VERSION: Final = 1
COMPUTER: Final = "ai"
HUMAN: Final = "human"

_KEYS: Final = ("trace", "rules", "tags", "players", "starter", "offer_reader", "buttons", "undo")
_RULES: Final = ("squares", "traits", "calling", "clock_seconds", "false_call", "time_out")
_LEVELS: Final = {f"{level}": level for level in range(1, 11)}
_E = TypeVar("_E", bound=Enum)


@dataclass(frozen=True, slots=True)
class Header:
    """What a trace says before its first sweep."""

    settings: Settings
    tags: TagTable


def header_of(settings: Settings, tags: TagTable, starter: int) -> dict[str, object]:
    """The first line of a trace of a game that this player starts."""
    rules = settings.rules
    clock = rules.clock_ms
    return {
        "trace": VERSION,
        "rules": {
            "squares": rules.squares,
            "traits": [trait.value for trait in rules.traits],
            "calling": rules.calling.value,
            "clock_seconds": None if clock is None else clock // 1000 if clock % 1000 == 0 else clock / 1000,
            "false_call": rules.false_call.value,
            "time_out": rules.time_out.value,
        },
        "tags": {uid: piece.letters for uid, piece in tags.pieces.items()},
        "players": [_seat_as_text(seat) for seat in settings.seats],
        "starter": starter,
        "offer_reader": settings.offer_reader,
        "buttons": settings.buttons,
        "undo": settings.undo,
    }


def read_header(line: Mapping[str, object], defaults: Settings, default_level: int) -> Header:
    """What the first line says; what it leaves out is as the controller has it."""
    if line.get("trace") != VERSION or isinstance(line.get("trace"), bool):
        raise TraceError('this is no header: the first line of a trace begins {"trace":1,…}.')
    check_keys(line, _KEYS)
    starter = _one_of(line, "starter", (0, 1), None)
    settings = replace(
        defaults,
        rules=_read_rules(line.get("rules", {}), defaults.rules),
        seats=_read_seats(line["players"], default_level) if "players" in line else defaults.seats,
        starter=defaults.starter if starter is None else (Starter.A, Starter.B)[starter],
        offer_reader=_truth(line, "offer_reader", default=defaults.offer_reader),
        buttons=_one_of(line, "buttons", (1, 2), defaults.buttons) or 1,
        undo=_truth(line, "undo", default=defaults.undo),
    )
    return Header(settings, _read_tags(line.get("tags", {})))


def check_keys(line: Mapping[str, object], known: Sequence[str], where: str = "") -> None:
    """Make sure that nothing is in a line that nobody reads."""
    for key in line:
        if key not in known:
            raise TraceError(f"{where}'{key}' is not a key here: {hint(key, known)}")


def _read_rules(value: object, defaults: Options) -> Options:
    if not isinstance(value, dict):
        raise TraceError(f'"rules" is {_shown(value)}: write the rules in braces, such as {{"squares":false}}.')
    check_keys(value, _RULES, "rules: ")
    traits = value.get("traits", [trait.value for trait in defaults.traits])
    if not isinstance(traits, list) or not all(isinstance(trait, str) for trait in traits):
        raise TraceError(f'rules: "traits" is {_shown(traits)}: write a list such as ["colour","height"].')
    try:
        chosen = parse_traits(",".join(traits))
    except QuartoError as error:
        raise TraceError(f"rules: {error}") from error
    return replace(
        defaults,
        squares=_truth(value, "squares", default=defaults.squares),
        traits=chosen,
        calling=_word(value, "calling", Calling, defaults.calling),
        clock_ms=_read_clock(value.get("clock_seconds"), defaults) if "clock_seconds" in value else defaults.clock_ms,
        false_call=_word(value, "false_call", FalseCall, defaults.false_call),
        time_out=_word(value, "time_out", TimeOut, defaults.time_out),
    )


def _read_clock(value: object, _defaults: Options) -> int | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= 86_400:
        raise TraceError(f'rules: "clock_seconds" is {_shown(value)}: write seconds above 0, or null for no clock.')
    return max(1, round(value * 1000))


def _read_tags(value: object) -> TagTable:
    if not isinstance(value, dict) or not value:
        raise TraceError('"tags" names no tag: write which UID is which piece, such as {"04A1B2C3":"LTRF"}.')
    try:
        return TagTable.from_codes(value)
    except (QuartoError, AttributeError, TypeError) as error:
        said = error if isinstance(error, QuartoError) else "every UID is given a piece of four letters, such as LTRF."
        raise TraceError(f"tags: {said}") from error


def _read_seats(value: object, default_level: int) -> tuple[Seat, Seat]:
    if not isinstance(value, list) or len(value) != 2:
        raise TraceError(f'"players" is {_shown(value)}: write two, such as ["human","{COMPUTER}"].')
    first, second = (_read_seat(player, default_level) for player in value)
    return first, second


def _read_seat(value: object, default_level: int) -> Seat:
    """A player is "human", "ai", or "ai" with a level, such as "ai 5", or as an object, {"level":5}."""
    if value == HUMAN:
        return PERSON
    if isinstance(value, dict):
        check_keys(value, ("level",), "players: ")
        level = value.get("level")
        if isinstance(level, int) and not isinstance(level, bool) and f"{level}" in _LEVELS:
            return Seat(level)
        raise TraceError(f'players: "level" is {_shown(level)}: write a number from 1 to 10, such as {{"level":5}}.')
    if isinstance(value, str) and value.split()[:1] == [COMPUTER]:
        words = value.split()[1:] or [str(default_level)]
        if len(words) == 1 and words[0] in _LEVELS:
            return Seat(_LEVELS[words[0]])
    raise TraceError(f'players: {_shown(value)} is no player: write "human", "{COMPUTER}" or "{COMPUTER} 5" (1 to 10).')


def _seat_as_text(seat: Seat) -> str:
    return HUMAN if seat.level is None else f"{COMPUTER} {seat.level}"


def _truth(line: Mapping[str, object], key: str, *, default: bool) -> bool:
    value = line.get(key, default)
    if not isinstance(value, bool):
        raise TraceError(f'"{key}" is {_shown(value)}: write true or false.')
    return value


def _one_of(line: Mapping[str, object], key: str, allowed: tuple[int, int], default: int | None) -> int | None:
    if key not in line:
        return default
    value = line[key]
    if isinstance(value, bool) or not isinstance(value, int) or value not in allowed:
        raise TraceError(f'"{key}" is {_shown(value)}: write {allowed[0]} or {allowed[1]}.')
    return value


def _word(line: Mapping[str, object], key: str, words: type[_E], default: _E) -> _E:
    value = line.get(key, default.value)
    known = [str(word.value) for word in words]
    if not isinstance(value, str) or value not in known:
        raise TraceError(f'"{key}" is {_shown(value)}: {hint(str(value), known)}')
    return words(value)


def _shown(value: object) -> str:
    text = f'"{value}"' if isinstance(value, str) else str(value)
    return text if len(text) <= 40 else f"{text[:39]}…"

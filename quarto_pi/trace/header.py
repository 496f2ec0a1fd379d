"""The first line of a trace: the rules, the tags, who plays, and what the board has."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from quarto_pi.referee import Settings, Starter
from quarto_pi.referee.all_settings import COMPUTER, HUMAN, IN_TRACE, IN_TRACE_RULES, PLAYERS
from quarto_pi.rules import QuartoError, hint
from quarto_pi.rules.kinds import Medium, ValueRefused
from quarto_pi.rules.options import LEVEL
from quarto_pi.rules.setting import Row
from quarto_pi.sensing.tags import TagTable

# --- What is wrong with a trace ---------------------------------------------------------------------------------------


class TraceError(QuartoError, ValueError):
    """A trace that cannot be replayed; the text names the line, says what is wrong with it and what it should be."""


# --- The first line of a trace: the rules, the tags, who plays, and what the board has --------------------------------

TRACE_VERSION: Final = 1

_KEYS: Final = ("trace", "rules", "tags", "players", "starter", *(row.key for row in IN_TRACE))


@dataclass(frozen=True, slots=True)
class Header:
    """What a trace says before its first sweep."""

    settings: Settings
    tags: TagTable


def header_of(settings: Settings, tags: TagTable, starter: int) -> dict[str, object]:
    """The first line of a trace of a game that this player starts."""
    return {
        "trace": TRACE_VERSION,
        "rules": _written(settings, IN_TRACE_RULES),
        "tags": {uid: piece.letters for uid, piece in tags.pieces.items()},
        "players": [row.write(settings, Medium.TRACE) for row in PLAYERS],
        "starter": starter,
        **_written(settings, IN_TRACE),
    }


def read_header(line: Mapping[str, object], defaults: Settings, default_level: int) -> Header:
    """What the first line says; what it leaves out is as the controller has it."""
    if line.get("trace") != TRACE_VERSION or isinstance(line.get("trace"), bool):
        raise TraceError('this is no header: the first line of a trace begins {"trace":1,…}.')
    check_keys(line, _KEYS)
    settings = _read_rules(line.get("rules", {}), defaults)
    if "players" in line:
        settings = _read_players(line["players"], settings, default_level)
    if "starter" in line:
        settings = replace(settings, starter=_read_starter(line["starter"]))
    settings = _read(IN_TRACE, line, settings)
    return Header(settings, _read_tags(line.get("tags", {})))


def check_keys(line: Mapping[str, object], known: Sequence[str], where: str = "") -> None:
    """Make sure that nothing is in a line that nobody reads."""
    for key in line:
        if key not in known:
            raise TraceError(f"{where}'{key}' is not a key here: {hint(key, known)}")


def _written(settings: Settings, rows: Iterable[Row[Settings]]) -> dict[str, object]:
    return {row.key: row.write(settings, Medium.TRACE) for row in rows}


def _read(rows: Iterable[Row[Settings]], line: Mapping[str, object], settings: Settings, where: str = "") -> Settings:
    """The settings with what stands in the line."""
    for row in rows:
        if row.key in line:
            try:
                settings = row.read(settings, line[row.key], Medium.TRACE)
            except ValueRefused as error:
                raise TraceError(f'{where}"{row.key}" is {_shown(line[row.key])}: {error.todo}') from error
    return settings


def _read_rules(value: object, defaults: Settings) -> Settings:
    if not isinstance(value, dict):
        raise TraceError(f'"rules" is {_shown(value)}: write the rules in braces, such as {{"squares":false}}.')
    check_keys(value, [row.key for row in IN_TRACE_RULES], "rules: ")
    return _read(IN_TRACE_RULES, value, defaults, "rules: ")


def _read_starter(value: object) -> Starter:
    """Who has given the first piece of this game: not a setting, but what came of one."""
    if isinstance(value, bool) or not isinstance(value, int) or value not in (0, 1):
        raise TraceError(f'"starter" is {_shown(value)}: write 0 or 1.')
    return (Starter.A, Starter.B)[value]


def _read_tags(value: object) -> TagTable:
    if not isinstance(value, dict) or not value:
        raise TraceError('"tags" names no tag: write which UID is which piece, such as {"04A1B2C3":"LTRF"}.')
    try:
        return TagTable.from_codes(value)
    except (QuartoError, AttributeError, TypeError) as error:
        said = error if isinstance(error, QuartoError) else "every UID is given a piece of four letters, such as LTRF."
        raise TraceError(f"tags: {said}") from error


def _read_players(value: object, settings: Settings, default_level: int) -> Settings:
    """The settings with these two players."""
    if not isinstance(value, list) or len(value) != len(PLAYERS):
        raise TraceError(f'"players" is {_shown(value)}: write two, such as ["{HUMAN}","{COMPUTER}"].')
    for row, player in zip(PLAYERS, value, strict=True):
        try:
            settings = row.read(settings, _in_words(player, default_level), Medium.TRACE)
        except ValueRefused as error:
            raise TraceError(f"players: {_shown(player)} is no player: {error.todo}") from error
    return settings


def _in_words(player: object, default_level: int) -> object:
    """A computer as an object, {"level":5}, or without a level, in words: "ai 5"; everything else as it is."""
    if isinstance(player, str) and player.split() == [COMPUTER]:
        return f"{COMPUTER} {default_level}"
    if not isinstance(player, dict):
        return player
    check_keys(player, ("level",), "players: ")
    try:
        return f"{COMPUTER} {LEVEL.read(player.get('level'), Medium.TRACE)}"
    except ValueRefused as error:
        raise TraceError(f'players: "level" is {_shown(player.get("level"))}: {error.todo}') from error


def _shown(value: object) -> str:
    text = f'"{value}"' if isinstance(value, str) else str(value)
    return text if len(text) <= 40 else f"{text[:39]}…"

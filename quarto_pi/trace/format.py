"""Table traces as lines: the first one with rules, tags and players, and reading all of them before a replay."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from quarto_pi.referee import Button, ButtonName, Settings, Starter
from quarto_pi.referee.all_settings import COMPUTER, FOLLOWING, HUMAN, IN_TRACE, IN_TRACE_RULES, PLAYERS
from quarto_pi.rules import QuartoError, hint
from quarto_pi.rules.kinds import Medium, ValueRefused
from quarto_pi.rules.options import LEVEL, Row
from quarto_pi.sensing.board import Sweep
from quarto_pi.sensing.tags import TagTable, garbled_form_of

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
    game = rules_and_players(settings, starter)
    return {
        "trace": TRACE_VERSION,
        "rules": game.pop("rules"),
        "tags": {uid: piece.letters for uid, piece in tags.pieces.items()},
        **game,
        **_written(settings, IN_TRACE),
    }


def rules_and_players(settings: Settings, starter: int) -> dict[str, object]:
    """A game that this player starts, in the words of a trace's first line."""
    return {
        "rules": _written(settings, IN_TRACE_RULES),
        "players": [row.write(settings, Medium.TRACE) for row in PLAYERS],
        "starter": starter,
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
    if player.get("level") == FOLLOWING:
        return f"{COMPUTER} {FOLLOWING}"
    try:
        return f"{COMPUTER} {LEVEL.read(player.get('level'), Medium.TRACE)}"
    except ValueRefused as error:
        raise TraceError(f'players: "level" is {_shown(player.get("level"))}: {error.todo}') from error


def _shown(value: object) -> str:
    text = f'"{value}"' if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 40 else f"{text[:39]}…"


LAST_MOMENT_MS: Final = 2**53
MOST_DIGITS: Final = 60
_BUTTONS: Final = tuple(name.value for name in ButtonName)


@dataclass(frozen=True, slots=True)
class Trace:
    """A trace that has been read: its header, and what came in, in order."""

    header: Header
    lines: tuple[Sweep | Button, ...]


class TraceReader:
    """Reads a trace line by line; the first thing that is wrong raises a `TraceError` which names its line.

    Where the header names tags of all sixteen pieces, any other belongs to something that is no piece, as on the table.
    Where it leaves some out, another tag is such a mistake, unless it is a named one read wrongly, or `foreign` tags
    are expected.
    """

    def __init__(self, defaults: Settings, default_level: int, *, foreign: bool = False) -> None:
        self._defaults = defaults
        self._default_level = default_level
        self._foreign = foreign
        self._header: Header | None = None
        self._number = 0
        self._at = 0

    @property
    def header(self) -> Header:
        """What the first line says; that there was none is wrong too."""
        if self._header is None:
            raise TraceError('line 1: the trace is empty: it begins with a header, {"trace":1,…}.')
        return self._header

    def read(self, text: str) -> Sweep | Button | None:
        """What the next line tells; nothing if it is the header, or blank."""
        self._number += 1
        if not text.strip():
            return None
        try:
            line = _as_object(text)
            if self._header is None:
                self._header = read_header(line, self._defaults, self._default_level)
                return None
            received = _read_line(line)
            if received.at < self._at:
                raise TraceError(f"{received.at} ms comes after {self._at} ms: times must not run backwards.")
            self._at = received.at
            if isinstance(received, Sweep) and self._header.tags.missing and not self._foreign:
                _check_tags(received, self._header.tags)
        except QuartoError as error:
            raise TraceError(f"line {self._number}: {error}") from error
        return received


def read_trace(lines: Iterable[str], defaults: Settings, default_level: int, *, foreign: bool = False) -> Trace:
    """The trace in these lines, read as by a `TraceReader`."""
    reader = TraceReader(defaults, default_level, foreign=foreign)
    taken = tuple(received for received in map(reader.read, lines) if received is not None)
    return Trace(reader.header, taken)


def _as_object(text: str) -> dict[str, object]:
    try:
        value = json.loads(text, object_pairs_hook=_without_doubles, parse_constant=_refuse_constant, parse_int=_int)
    except (json.JSONDecodeError, RecursionError) as error:
        position = f" at character {error.pos + 1}" if isinstance(error, json.JSONDecodeError) else ""
        ending = "." if text.endswith("\n") else "; is the trace cut off here?"
        raise TraceError(f"this is not a whole line of JSON (it breaks off{position}){ending}") from error
    if not isinstance(value, dict):
        raise TraceError('this is no line of a trace: each is an object in braces, such as {"t":0,"sweep":{}}.')
    return value


def _without_doubles(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for key, value in pairs:
        if key in found:
            raise TraceError(f"'{key}' stands twice in this line: write it once.")
        found[key] = value
    return found


def _int(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise TraceError(f"a number of {len(digits)} digits is none that a trace can have.")
    return int(digits)


def _refuse_constant(name: str) -> object:
    raise TraceError(f"{name} is no number that a trace can have.")


def _read_line(line: dict[str, object]) -> Sweep | Button:
    if "trace" in line:
        raise TraceError("this is a second header: a trace has one, in its first line.")
    if "sweep" in line:
        check_keys(line, ("t", "sweep"))
        cells = line["sweep"]
        if not isinstance(cells, dict):
            raise TraceError('"sweep" names its cells in braces, such as {"b2":"04A1B2C3"}.')
        return Sweep.from_trace(_read_time(line), cells)
    if "button" in line:
        check_keys(line, ("t", "button", "down"))
        return Button(_read_time(line), _read_button(line["button"]), _read_down(line))
    check_keys(line, ("t", "sweep", "button", "down"))
    raise TraceError('a line needs "sweep" or "button", such as {"t":0,"sweep":{}}.')


def _check_tags(sweep: Sweep, tags: TagTable) -> None:
    for reading in sweep.readings:
        for uid in reading.uids:
            if uid not in tags.pieces and garbled_form_of(uid, tags.pieces) is None:
                raise TraceError(
                    f"the tag {uid} on {reading.cell} is none of the header's tags, which leave pieces out: name its "
                    "piece there, or replay with --foreign if something lay there that is no piece."
                )


def _read_time(line: dict[str, object]) -> int:
    if "t" not in line:
        raise TraceError('the time "t" is missing: write the milliseconds, such as {"t":1500,…}.')
    value = line["t"]
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= LAST_MOMENT_MS:
        raise TraceError(f'"t" is {json.dumps(value)}: write milliseconds from 0 on, such as 1500.')
    return round(value)


def _read_button(value: object) -> ButtonName:
    if not isinstance(value, str) or value not in _BUTTONS:
        raise TraceError(f"{json.dumps(value)} is not a button: {hint(str(value), _BUTTONS)}")
    return ButtonName(value)


def _read_down(line: dict[str, object]) -> bool:
    value = line.get("down")
    if not isinstance(value, bool):
        raise TraceError('"down" is missing or no truth value: write true as the button goes down, else false.')
    return value

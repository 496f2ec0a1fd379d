"""The engine's line protocol, in the manner of UCI: lines to commands, and answers to lines. Nothing here searches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from quarto_pi.engine.levels import LEVELS, STRONGEST
from quarto_pi.engine.move import Move, Progress
from quarto_pi.rules import EMPTY_BOARD, Options, Position, QuartoError, hint, parse_position, parse_traits

MOST_DIGITS = 100
"""Whatever is longer is no number that anybody means, be it with zeros before it."""


class ProtocolError(QuartoError, ValueError):
    """A line that is not of the protocol, or comes at the wrong time."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What `setoption` has set."""

    level: int = STRONGEST
    options: Options = field(default_factory=Options)
    seed: int | None = None


@dataclass(frozen=True, slots=True)
class Limits:
    """How long a search may take; None where it may take what it needs."""

    movetime_ms: int | None = None
    nodes: int | None = None


@dataclass(frozen=True, slots=True)
class Hello:
    """`qep`: the engine is to say who it is."""


@dataclass(frozen=True, slots=True)
class IsReady:
    """`isready`: the engine is to say that it listens."""


@dataclass(frozen=True, slots=True)
class NewGame:
    """`newgame`: what comes next has nothing to do with what was."""


@dataclass(frozen=True, slots=True)
class SetOption:
    """`setoption name NAME value VALUE`."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class SetPosition:
    """`position RANKS HAND`."""

    position: Position


@dataclass(frozen=True, slots=True)
class Go:
    """`go [movetime MS] [nodes N]`: find a move for the position."""

    limits: Limits


@dataclass(frozen=True, slots=True)
class Stop:
    """`stop`: answer at once with the best so far."""


@dataclass(frozen=True, slots=True)
class Quit:
    """`quit`: end."""


Command = Hello | IsReady | NewGame | SetOption | SetPosition | Go | Stop | Quit

_PLAIN: dict[str, Command] = {
    "qep": Hello(),
    "isready": IsReady(),
    "newgame": NewGame(),
    "stop": Stop(),
    "quit": Quit(),
}

GREETING = (
    "option name Level type spin default 10 min 1 max 10",
    "option name Squares type check default false",
    "option name Traits type string default colour,height,shape,top",
    "option name Seed type spin default 0 min 0 max 18446744073709551615",
    "qepok",
)
"""What follows the engine's name: the options it knows, and that it understands the protocol."""


def parse_command(line: str) -> Command:
    """The command in a line that is not blank."""
    word, *rest = line.split()
    if word in _WITH_WORDS:
        return _WITH_WORDS[word](rest)
    if word not in _PLAIN:
        raise ProtocolError(f"'{word}' is not a command: {hint(word, (*_PLAIN, *_WITH_WORDS))}")
    if rest:
        raise ProtocolError(f"'{word}' stands alone: leave out '{' '.join(rest)}'.")
    return _PLAIN[word]


def change_settings(settings: Settings, command: SetOption) -> Settings:
    """The settings after a `setoption`."""
    name = command.name.capitalize()
    if name not in _SETTERS:
        raise ProtocolError(f"there is no option '{command.name}': {hint(name, tuple(_SETTERS))}")
    return _SETTERS[name](settings, command.value)


def format_progress(progress: Progress) -> str:
    """An `info` line."""
    value = "unknown" if progress.value is None else progress.value.word
    pv = " ".join(str(move) for move in progress.line)
    effort = f"depth {progress.depth} nodes {progress.nodes} time {progress.milliseconds}"
    return f"info {effort} value {value} pv {pv}".rstrip()


def format_best(move: Move) -> str:
    """The `bestmove` line."""
    return f"bestmove {move}"


def _parse_position(words: list[str]) -> Command:
    if not words:
        raise ProtocolError(f"'position' needs the ranks and the piece in hand, such as 'position {EMPTY_BOARD}'.")
    return SetPosition(parse_position(" ".join(words)))


def _parse_go(words: list[str]) -> Command:
    limits: dict[str, int | None] = {"movetime": None, "nodes": None}
    if len(words) % 2:
        raise ProtocolError(f"'{words[-1]}' has no number after it: go movetime 1000, or go nodes 100000.")
    for name, number in zip(words[::2], words[1::2], strict=True):
        if name not in limits:
            raise ProtocolError(f"'{name}' is not a limit: {hint(name, tuple(limits))}")
        limits[name] = _whole_number(name, number, 1, 2**63 - 1)
    return Go(Limits(limits["movetime"], limits["nodes"]))


def _parse_setoption(words: list[str]) -> Command:
    match words:
        case ["name", name, "value", *value] if value:
            return SetOption(name, " ".join(value))
    raise ProtocolError("an option is set like this: 'setoption name Level value 5'.")


def _set_level(settings: Settings, value: str) -> Settings:
    return replace(settings, level=_whole_number("Level", value, min(LEVELS), max(LEVELS)))


def _set_seed(settings: Settings, value: str) -> Settings:
    return replace(settings, seed=_whole_number("Seed", value, 0, 2**64 - 1))


def _set_squares(settings: Settings, value: str) -> Settings:
    if value not in ("true", "false"):
        raise ProtocolError(f"the option Squares is true or false, not '{value}'.")
    return replace(settings, options=replace(settings.options, squares=value == "true"))


def _set_traits(settings: Settings, value: str) -> Settings:
    return replace(settings, options=replace(settings.options, traits=parse_traits(value)))


def _whole_number(name: str, text: str, lowest: int, highest: int) -> int:
    # The length first: thousands of digits are more than Python makes a number of.
    number = int(text) if text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS else None
    if number is None or not lowest <= number <= highest:
        raise ProtocolError(f"{name} is a whole number from {lowest} to {highest}, not '{text}'.")
    return number


_WITH_WORDS: dict[str, Callable[[list[str]], Command]] = {
    "setoption": _parse_setoption,
    "position": _parse_position,
    "go": _parse_go,
}
_SETTERS: dict[str, Callable[[Settings, str], Settings]] = {
    "Level": _set_level,
    "Squares": _set_squares,
    "Traits": _set_traits,
    "Seed": _set_seed,
}

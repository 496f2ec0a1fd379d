"""The engine's line protocol, in the manner of UCI: lines to commands, and answers to lines. Nothing here searches."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from quarto_pi.engine.opponent import STRONGEST
from quarto_pi.engine.solver import Move, Progress
from quarto_pi.rules import EMPTY_BOARD, Options, Position, QuartoError, hint, parse_position
from quarto_pi.rules.kinds import Medium, Truth, ValueRefused, WholeNumber
from quarto_pi.rules.options import LEVEL, VARIANTS, Row, Setting, Within

LONGEST_LINE: Final = 10_000
"""How many characters of a line are read; no command needs a tenth of them."""


class ProtocolError(QuartoError, ValueError):
    """A line that is not of the protocol, or comes at the wrong time."""


@dataclass(frozen=True, slots=True)
class EngineSettings:
    """What `setoption` has set."""

    level: int = STRONGEST
    options: Options = field(default_factory=Options)
    seed: int | None = None


@dataclass(frozen=True, slots=True)
class Limits:
    """How long a search may take; None where it may take what it needs. An infinite one goes on until `stop`."""

    movetime_ms: int | None = None
    nodes: int | None = None
    infinite: bool = False


@dataclass(frozen=True, slots=True)
class Hello:
    """`qep`: the engine is to say who it is."""


@dataclass(frozen=True, slots=True)
class IsReady:
    """`isready`: the engine is to say that it listens."""


@dataclass(frozen=True, slots=True)
class NewGame:
    """`newgame`: what comes next has nothing to do with what was; what `setoption` has set stays."""


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
    """`go [movetime MS] [nodes N]` or `go infinite`: find a move for the position."""

    limits: Limits


@dataclass(frozen=True, slots=True)
class Stop:
    """`stop`: answer at once with the best so far."""


@dataclass(frozen=True, slots=True)
class Quit:
    """`quit`: end."""


EngineCommand = Hello | IsReady | NewGame | SetOption | SetPosition | Go | Stop | Quit

_PLAIN: dict[str, EngineCommand] = {
    "qep": Hello(),
    "isready": IsReady(),
    "newgame": NewGame(),
    "stop": Stop(),
    "quit": Quit(),
}

_OPTIONS: Final[tuple[Row[EngineSettings], ...]] = (
    Setting[EngineSettings, int](
        "level",
        "how well it plays",
        LEVEL,
        lambda settings: settings.level,
        lambda settings, value: replace(settings, level=value),
    ),
    *(
        Within[EngineSettings, Options](
            row,
            lambda settings: settings.options,
            lambda settings, options: replace(settings, options=options),
        )
        for row in VARIANTS
    ),
    Setting[EngineSettings, int](
        "seed",
        "repeats a game",
        WholeNumber(0, 2**64 - 1),
        lambda settings: settings.seed or 0,
        lambda settings, value: replace(settings, seed=value),
    ),
)
"""What `setoption` can set."""


def _described(row: Row[EngineSettings]) -> str:
    """The line that tells of an option."""
    usual = f"default {row.write(EngineSettings(), Medium.ENGINE)}"
    match row.kind:
        case WholeNumber(lowest=lowest, highest=highest):
            form = f"type spin {usual} min {lowest} max {highest}"
        case Truth():
            form = f"type check {usual}"
        case _:
            form = f"type string {usual}"
    return f"option name {row.name(Medium.ENGINE)} {form}"


GREETING: Final = (*map(_described, _OPTIONS), "qepok")
"""What follows the engine's name: the options it knows, and that it understands the protocol."""


def bounded_lines(readline: Callable[[int], str]) -> Iterator[str]:
    """The lines that `readline` reads, of each no more than is needed to see that it is too long."""
    while line := readline(LONGEST_LINE + 2):
        rest = line
        while rest and not rest.endswith("\n"):
            rest = readline(LONGEST_LINE)
        yield line


def parse_command(line: str) -> EngineCommand:
    """The command in a line that is not blank."""
    if len(line.rstrip("\r\n")) > LONGEST_LINE:
        raise ProtocolError(f"a line has at most {LONGEST_LINE:,} characters: send commands one by one.")
    word, *rest = line.split()
    if word in _WITH_WORDS:
        return _WITH_WORDS[word](rest)
    if word not in _PLAIN:
        raise ProtocolError(f"'{word}' is not a command: {hint(word, (*_PLAIN, *_WITH_WORDS))}")
    if rest:
        raise ProtocolError(f"'{word}' stands alone: leave out '{' '.join(rest)}'.")
    return _PLAIN[word]


def change_settings(settings: EngineSettings, command: SetOption) -> EngineSettings:
    """The settings after a `setoption`."""
    name = command.name.capitalize()
    options = {row.name(Medium.ENGINE): row for row in _OPTIONS}
    if name not in options:
        raise ProtocolError(f"there is no option '{command.name}': {hint(name, tuple(options))}")
    try:
        return options[name].read(settings, command.value, Medium.ENGINE)
    except ValueRefused as error:
        raise ProtocolError(error.of(name)) from error


def format_progress(progress: Progress) -> str:
    """An `info` line."""
    value = "unknown" if progress.value is None else progress.value.word
    pv = " ".join(str(move) for move in progress.line)
    effort = f"depth {progress.depth} nodes {progress.nodes} time {progress.milliseconds}"
    return f"info {effort} value {value} pv {pv}".rstrip()


def format_go(limits: Limits) -> str:
    """The `go` line for these limits."""
    words = ["go", *["infinite"] * limits.infinite]
    for name, limit in ("movetime", limits.movetime_ms), ("nodes", limits.nodes):
        words += [] if limit is None else [name, f"{limit}"]
    return " ".join(words)


def format_best(move: Move) -> str:
    """The `bestmove` line."""
    return f"bestmove {move}"


def _parse_position(words: list[str]) -> EngineCommand:
    if not words:
        raise ProtocolError(f"'position' needs the ranks and the piece in hand, such as 'position {EMPTY_BOARD}'.")
    return SetPosition(parse_position(" ".join(words)))


def _parse_go(words: list[str]) -> EngineCommand:
    if words == ["infinite"]:
        return Go(Limits(infinite=True))
    if "infinite" in words:
        raise ProtocolError("'infinite' has no other limit beside it: go infinite ends with 'stop'.")
    limits: dict[str, int | None] = {"movetime": None, "nodes": None}
    if len(words) % 2:
        raise ProtocolError(f"'{words[-1]}' has no number after it: go movetime 1000, or go nodes 100000.")
    for name, number in zip(words[::2], words[1::2], strict=True):
        if name not in limits:
            raise ProtocolError(f"'{name}' is not a limit: {hint(name, (*limits, 'infinite'))}")
        limits[name] = _limit(name, number)
    return Go(Limits(limits["movetime"], limits["nodes"]))


def _limit(name: str, number: str) -> int:
    try:
        return WholeNumber(1, 2**63 - 1).read(number, Medium.ENGINE)
    except ValueRefused as error:
        raise ProtocolError(error.of(name)) from error


def _parse_setoption(words: list[str]) -> EngineCommand:
    match words:
        case ["name", name, "value", *value] if value:
            return SetOption(name, " ".join(value))
    raise ProtocolError("an option is set like this: 'setoption name Level value 5'.")


_WITH_WORDS: dict[str, Callable[[list[str]], EngineCommand]] = {
    "setoption": _parse_setoption,
    "position": _parse_position,
    "go": _parse_go,
}

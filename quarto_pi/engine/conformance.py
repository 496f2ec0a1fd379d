"""Whether a program keeps to the engine protocol, point by point: `quarto-pi conformance`.

Nothing is said about how well it plays. What does not come is waited for as long as the caller wants; what
must not come is looked for before the answer to the next `isready`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from enum import Enum
from typing import Final

from quarto_pi.engine.client import EngineFailure, EngineProcess, parse_best
from quarto_pi.engine.solver import Move
from quarto_pi.rules import (
    EMPTY_BOARD,
    Call,
    Game,
    Give,
    NotationError,
    Options,
    Phase,
    Place,
    Position,
    QuartoError,
    Trait,
    apply,
    parse_position,
)


class PointResult(Enum):
    """What has come of a point."""

    PASSED = "pass"
    FAILED = "FAIL"
    NOT_TRIED = "skip"

    @property
    def told(self) -> str:
        """As it is counted."""
        return {"pass": "passed", "FAIL": "failed", "skip": "not tried"}[self.value]


@dataclass(frozen=True, slots=True)
class ConformanceFinding:
    """What has come of one point: what was expected, and what was seen instead or is not there to be tried."""

    point: str
    result: PointResult
    expected: str
    seen: str = ""


@dataclass(frozen=True, slots=True)
class Waits:
    """How long, in seconds, an answer is waited for, and for how long one that must not come is listened for."""

    answer: float = 30.0
    silence: float = 0.2


USUAL_WAITS: Final = Waits()


class _Unlike(Exception):
    """The program does something else than the protocol says."""


class _NotThere(Exception):
    """The program has not what the point is about."""


class _Talk:
    """A conversation with the program; whatever breaks it off is `_Unlike`."""

    def __init__(self, engine: EngineProcess, waits: Waits) -> None:
        self.engine = engine
        self.waits = waits
        self.options: dict[str, dict[str, str]] = {}

    def say(self, *lines: str) -> None:
        for line in lines:
            try:
                self.engine.send(line)
            except EngineFailure as failure:
                raise _Unlike(f"it has ended before '{line}'") from failure

    def line(self, after: str) -> str:
        """The next line, which has to come."""
        try:
            return self.engine.line(self.waits.answer)
        except EngineFailure as failure:
            raise _Unlike(f"after '{after}': {failure}") from failure

    def until(self, word: str, after: str) -> list[str]:
        """What it says up to a line that begins with a word."""
        lines = [self.line(after)]
        while lines[-1].split()[:1] != [word]:
            lines.append(self.line(after))
        return lines

    def answers(self, *lines: str) -> list[str]:
        """What it says to lines that it answers at once."""
        self.say(*lines, "isready")
        return self.until("readyok", lines[-1] if lines else "isready")[:-1]

    def silent(self, *lines: str) -> None:
        """Say what has no answer."""
        said = self.answers(*lines)
        if said:
            raise _Unlike(f"after '{lines[-1] if lines else 'isready'}': {_told(said)}")

    def refused(self, line: str) -> None:
        """Say what is answered with a single line that begins with `error`."""
        said = self.answers(line)
        if len(said) != 1 or not re.fullmatch(r"error \S.*", said[0]):
            raise _Unlike(f"after '{_short(line)}': {_told(said)}")

    def search(self, position: str, go: str, options: Options | None = None) -> str:
        """Have it think to the end; its answer, which is a legal move."""
        self.silent(f"position {position}")
        self.say(go)
        return self.answer(position, go, options)

    def stopped(self, position: str, go: str) -> str:
        """Have it think, and stop it; its answer."""
        self.silent(f"position {position}")
        self.say(go, "stop")
        return self.answer(position, "stop")

    def answer(self, position: str, after: str, options: Options | None = None) -> str:
        """The end of a search: its `info` lines and its move are right, and it says no more."""
        *infos, best = self.until("bestmove", after)
        for line in infos:
            if not _INFO.fullmatch(line):
                raise _Unlike(f"after '{after}': '{line}'")
        wrong = _wrong_with(best, parse_position(position), options or Options())
        if wrong:
            raise _Unlike(f"after 'position {position}' and '{after}': '{best}': {wrong}")
        self.silent()
        return best


_WORDS = r"[^\s]+"
_PLY = r"(?:[a-d][1-4] (?:[0-9a-f]|-)|- [0-9a-f])(?: call)?"
_INFO = re.compile(rf"info depth \d+ nodes \d+ time \d+ value (?:win|draw|loss|unknown) pv(?: {_PLY})*")
_OPTION = re.compile(rf"option name ({_WORDS}) type (spin|check|string)((?: (?:default|min|max) {_WORDS})*)")

_THINKING: Final = "..../.7../..../.... c"
_LAST_PIECE: Final = "0123/4567/89ab/cde. f"
_WIN: Final = "..../..../..../048. 1"
_POSITIONS: Final = (
    f"{EMPTY_BOARD}",
    "..../..../..../.... 0",
    _THINKING,
    _WIN,
    "126c/..../09../.4ba f",
    "126c/..../09../.4ba -",
    # An alignment that nobody called stands on the first rank.
    "..../..../..../0481 c",
    # A square of four counts only as a variant.
    "..../..../4.../08.. 1",
    _LAST_PIECE,
    # The last piece completes nothing.
    "2dc./b7a9/650f/183e 4",
)


def _told(lines: list[str]) -> str:
    return ", ".join(f"'{_short(line)}'" for line in lines) or "nothing"


def _short(line: str) -> str:
    return line if len(line) <= 100 else f"{line[:100]}…"


def _wrong_with(best: str, position: Position, options: Options) -> str:
    """What is wrong with an answer to a position; nothing where it is a legal move."""
    try:
        move = parse_best(best)
        _play(move, Game.from_position(position, options))
    except (NotationError, QuartoError) as error:
        return str(error)
    return ""


def _play(move: Move, game: Game) -> None:
    """Carry a move out; raise a `QuartoError` where that is against the rules, or something of it does not apply."""
    if game.phase is Phase.PLACE:
        if move.square is None:
            raise QuartoError("the piece in hand is not placed.")
        player = game.receiver
        game = apply(game, Place(move.square))
        if move.call:
            if not game.open:
                raise QuartoError("nothing that could be called is completed.")
            if move.give is not None:
                raise QuartoError("who calls gives nothing.")
            apply(game, Call(player))
            return
    elif move.square is not None or move.call:
        raise QuartoError("there is no piece in hand.")
    if game.phase is not Phase.GIVE:
        if move.give is not None:
            raise QuartoError("no piece is left to be given.")
        return
    if move.give is None:
        raise QuartoError("no piece is given.")
    apply(game, Give(move.give))


# --- The points -------------------------------------------------------------------------------------------------------


def _greeting(talk: _Talk) -> None:
    talk.say("qep")
    first, *rest, _ = talk.until("qepok", "qep")
    if not re.fullmatch(r"id name \S.*", first):
        raise _Unlike(f"first '{first}'")
    for line in rest:
        match = _OPTION.fullmatch(line)
        if match:
            words = match[3].split()
            talk.options[match[1]] = {"type": match[2], **dict(zip(words[::2], words[1::2], strict=True))}
        elif not line.startswith("id "):
            raise _Unlike(f"'{line}'")
    for name, option in talk.options.items():
        bounds = [option.get(bound, "") for bound in ("default", "min", "max")]
        if option["type"] == "spin" and not all(re.fullmatch(r"-?\d+", bound) for bound in bounds):
            raise _Unlike(f"the option {name} is a number without default, min and max")


def _ready(talk: _Talk) -> None:
    for _ in range(2):
        talk.silent()


def _blank_lines(talk: _Talk) -> None:
    talk.silent("", "   ", "\t")


def _line_ends(talk: _Talk) -> None:
    talk.say("  isready \r")
    said = talk.line("isready with spaces and a carriage return")
    if said != "readyok":
        raise _Unlike(f"'{said}'")


def _unknown_word(talk: _Talk) -> None:
    talk.refused("hello there")


def _long_line(talk: _Talk) -> None:
    talk.refused(f"position {'.' * 100_000}")


def _wrong_position(talk: _Talk) -> None:
    position = "..../.7../..../.... c"
    talk.silent(f"position {position}")
    for wrong in ("", "..../..../.... -", "..../.7../..../.... 7", "7.../.7../..../.... c", "..../.x../..../.... c"):
        talk.refused(f"position {wrong}".rstrip())
    talk.say("go nodes 100")
    talk.answer(position, "go nodes 100")


def _wrong_limits(talk: _Talk) -> None:
    talk.silent(f"position {_THINKING}")
    for wrong in ("go movetime", "go nodes -1", "go nodes many", "go sideways 5", "go infinite nodes 5"):
        talk.refused(wrong)


def _options(talk: _Talk) -> None:
    talk.refused("setoption name NoSuchOption value 1")
    talk.refused("setoption Level 5")
    if not talk.options:
        raise _NotThere("it has no options")
    right: tuple[str, ...]
    wrong: tuple[str, ...]
    for name, option in talk.options.items():
        usual = option.get("default")
        match option["type"]:
            case "spin":
                # The most of it could be more than the machine has.
                right = (option["min"],)
                wrong = (f"{int(option['max']) + 1}", f"{int(option['min']) - 1}", "many")
            case "check":
                right, wrong = ("true", "false"), ("maybe",)
            case _:
                right, wrong = (), ()
        for value in right:
            talk.silent(f"setoption name {name} value {value}")
        for value in wrong:
            talk.refused(f"setoption name {name} value {value}")
        if usual is not None:
            talk.silent(f"setoption name {name} value {usual}")


def _moves(talk: _Talk) -> None:
    for position in _POSITIONS:
        talk.search(position, "go nodes 1000")


def _go_again(talk: _Talk) -> None:
    talk.search(_THINKING, "go nodes 100")
    talk.say("go nodes 100")
    talk.answer(_THINKING, "go nodes 100")


def _limits(talk: _Talk) -> None:
    for go in ("go nodes 1", "go nodes 5000", "go movetime 1", "go movetime 50", "go movetime 50 nodes 5000"):
        talk.search(_THINKING, go)


def _no_limits(talk: _Talk) -> None:
    for position in _WIN, _LAST_PIECE:
        talk.search(position, "go")


def _full_board(talk: _Talk) -> None:
    talk.silent("position 0123/4567/89ab/cdef -")
    talk.refused("go nodes 100")


def _stop(talk: _Talk) -> None:
    for go in "go", "go infinite":
        talk.stopped(_THINKING, go)
    talk.silent("stop", "stop")


def _infinite(talk: _Talk) -> None:
    talk.silent(f"position {_LAST_PIECE}")
    talk.say("go infinite")
    said = [line for _ in range(3) for line in talk.answers()]
    try:
        while True:
            said.append(talk.engine.line(talk.waits.silence))
    except EngineFailure:
        pass
    early = [line for line in said if not _INFO.fullmatch(line)]
    if early:
        raise _Unlike(f"before 'stop': {_told(early)}")
    talk.say("stop")
    talk.answer(_LAST_PIECE, "stop")


def _while_thinking(talk: _Talk) -> None:
    talk.silent(f"position {_THINKING}")
    talk.say("go infinite")
    for line in ("position ..../..../..../.... -", "go nodes 100", "newgame", "setoption name Level value 1"):
        said = [answer for answer in talk.answers(line) if not _INFO.fullmatch(answer)]
        if len(said) != 1 or not said[0].startswith("error "):
            raise _Unlike(f"after 'go infinite' and '{line}': {_told(said)}")
    talk.say("stop")
    talk.answer(_THINKING, "stop")


def _new_game(talk: _Talk) -> None:
    talk.search(_THINKING, "go nodes 100")
    talk.silent("newgame")
    talk.say("go nodes 100")
    talk.answer(f"{EMPTY_BOARD}", "newgame, go nodes 100")


def _seed(talk: _Talk) -> None:
    if "Seed" not in talk.options:
        raise _NotThere("it has no option Seed")
    answers = set()
    for _ in range(2):
        talk.silent("newgame", "setoption name Seed value 7")
        answers.add(talk.search(_THINKING, "go nodes 2000"))
    if len(answers) > 1:
        raise _Unlike(f"with the same seed {_told(sorted(answers))}")


def _variants(talk: _Talk) -> None:
    if not {"Squares", "Traits"} <= set(talk.options):
        raise _NotThere("it has no options Squares and Traits")
    square, row = "..../..../4.../08.. 2", "..../..../..../048. 9"
    try:
        talk.silent("setoption name Squares value true", "setoption name Traits value top,colour")
        talk.refused("setoption name Traits value weight")
        for position in square, row:
            rules = Options(squares=True, traits=(Trait.COLOUR, Trait.TOP))
            talk.search(position, "go nodes 1000", rules)
    finally:
        talk.silent("setoption name Squares value false", "setoption name Traits value colour,height,shape,top")


def _quit(talk: _Talk) -> None:
    talk.silent(f"position {_THINKING}")
    talk.say("go infinite", "quit")
    _ends(talk, "quit")


def _end_of_input(talk: _Talk) -> None:
    talk.silent(f"position {_THINKING}")
    talk.say("go infinite")
    talk.engine.end_input()
    _ends(talk, "the end of its input")


def _ends(talk: _Talk, after: str) -> None:
    """Make sure that it answers a search that was under way, and ends well."""
    *_, best = talk.until("bestmove", after)
    wrong = _wrong_with(best, parse_position(_THINKING), Options())
    if wrong:
        raise _Unlike(f"'{best}': {wrong}")
    try:
        code = talk.engine.wait(talk.waits.answer)
    except EngineFailure as failure:
        raise _Unlike(f"after {after}: {failure}") from failure
    if code:
        raise _Unlike(f"its exit code is {code}")


@dataclass(frozen=True, slots=True)
class Demand:
    """One thing that the protocol asks for; after one that is `last` the program has ended."""

    name: str
    expected: str
    tried: Callable[[_Talk], None]
    last: bool = False


DEMANDS: Final = (
    Demand("greeting", "'qep': 'id name NAME' first, a line for each option, 'qepok' last", _greeting),
    Demand("ready", "'isready': 'readyok' and nothing else", _ready),
    Demand("blank lines", "a blank line has no answer", _blank_lines),
    Demand("line ends", "spaces around a command and a carriage return behind it are passed over", _line_ends),
    Demand("unknown word", "a word that is no command: one 'error' line, and it goes on", _unknown_word),
    Demand("long line", "a line of 100,000 characters: one 'error' line, and it goes on", _long_line),
    Demand("wrong position", "a position that cannot be: one 'error' line, and the one before stays", _wrong_position),
    Demand("wrong limits", "limits that cannot be: one 'error' line, and no search", _wrong_limits),
    Demand(
        "options",
        "each option takes what it may be in silence, and refuses what is beyond its bounds with 'error'",
        _options,
    ),
    Demand("moves", "a legal move in every kind of position, with 'call' or '-' where that applies", _moves),
    Demand("go again", "the position stays after a search", _go_again),
    Demand("limits", "'go nodes N', 'go movetime MS' and both: 'info' lines in their form, one 'bestmove'", _limits),
    Demand("no limits", "'go': one 'bestmove'", _no_limits),
    Demand("full board", "'go' with sixteen pieces placed: one 'error' line", _full_board),
    Demand("stop", "'stop': one 'bestmove'; nothing where no search is under way", _stop),
    Demand("infinite", "'go infinite': no 'bestmove' before 'stop', and one after it", _infinite),
    Demand(
        "while thinking", "'readyok' while it thinks; what changes something is refused with 'error'", _while_thinking
    ),
    Demand("new game", "'newgame' has no answer, and the position is the empty board", _new_game),
    Demand("seed", "the same Seed, position and nodes after 'newgame': the same move", _seed),
    Demand("variants", "legal moves with Squares and fewer Traits", _variants),
    Demand("quit", "'quit' while it thinks: its 'bestmove', and it ends with exit code 0", _quit, last=True),
    Demand("end of input", "its input ends while it thinks: the same", _end_of_input, last=True),
)


def conformance_of(
    start: Callable[[], EngineProcess], waits: Waits = USUAL_WAITS, points: Sequence[Demand] = DEMANDS
) -> Iterator[ConformanceFinding]:
    """What comes of each point, as it is tried; raises `EngineFailure` where the program cannot be started."""
    with ExitStack() as stack:
        talk: _Talk | None = None
        for point in points:
            if talk is None:
                talk = _Talk(stack.enter_context(start()), waits)
                if point.tried is not _greeting:
                    _greet_again(talk)
            finding = _finding(point, talk)
            yield finding
            if point.last or finding.result is PointResult.FAILED:
                talk.engine.kill()
                talk = None


def _greet_again(talk: _Talk) -> None:
    """Take down the options of a program that was started anew; what is wrong with its greeting has been told."""
    try:
        _greeting(talk)
    except _Unlike:
        return


def _finding(point: Demand, talk: _Talk) -> ConformanceFinding:
    try:
        point.tried(talk)
    except _Unlike as unlike:
        return ConformanceFinding(point.name, PointResult.FAILED, point.expected, str(unlike))
    except _NotThere as missing:
        return ConformanceFinding(point.name, PointResult.NOT_TRIED, point.expected, str(missing))
    return ConformanceFinding(point.name, PointResult.PASSED, point.expected)

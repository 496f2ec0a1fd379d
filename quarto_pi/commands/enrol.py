"""`quarto-pi enrol`: give every piece its tag, one after another, and write the tags file."""

from __future__ import annotations

import argparse
import json
import os
import select
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import fields
from typing import TYPE_CHECKING, Final, TypeVar

from quarto_pi.commands.options import Command, add_board, config_of, tell_missing_words, without_node
from quarto_pi.config import Config
from quarto_pi.controller.first_start import GuideLoop, GuideOutput
from quarto_pi.enrolment import Gesture, Gestured, GuideEffect, GuideView, ShowGuide, Task
from quarto_pi.enrolment.state import AllKnown, GuideMessage
from quarto_pi.rules import PIECES, Piece, parse_piece
from quarto_pi.sensing.readings import TagsError
from quarto_pi.sensing.tags import TagTable
from quarto_pi.terminal.table import QUIT_ORDERS, order_in
from quarto_pi.wiring.guide import TagsFile, known_so_far, open_guide, tags_file_of
from quarto_pi.wiring.platform import Platform, real_hardware, simulated_hardware
from quarto_pi.words import Words
from quarto_pi.words.catalogue import SOURCE

if TYPE_CHECKING:
    from quarto_pi.simulation.board import SimulatedBoard

# --- The guide as lines: sentences for people at a terminal, objects for other programs -------------------------------


class GuideLines:
    """Prints every question and everything that is told, in the language of the guide, when it changes."""

    def __init__(self) -> None:
        self._words = Words()
        self._view: GuideView | None = None

    def perform(self, effect: GuideEffect) -> None:
        """Print what is new."""
        if not isinstance(effect, ShowGuide):
            return
        view, before = effect.view, self._view
        self._view = view
        if view.language != self._words.language:
            self._words = Words(view.language)
        if view.notice is not None and (before is None or view.notice != before.notice):
            print(self._words.guide(view.notice), flush=True)
        if before is None or view.prompt != before.prompt:
            print(self._line(view, before), flush=True)

    def tick(self, now: int) -> None:
        """Nothing: a line that is printed stays."""

    def _line(self, view: GuideView, before: GuideView | None) -> str:
        prompt = view.prompt
        if isinstance(prompt, AllKnown) and before is not None and isinstance(before.prompt, AllKnown):
            return f"{prompt.seen}/16"
        help_text = self._words.guide_help(prompt)
        return f"{self._words.guide(prompt)} ({help_text})" if help_text else self._words.guide(prompt)


class GuideObjects:
    """Prints the same as one JSON object a line."""

    def __init__(self) -> None:
        self._view: GuideView | None = None

    def perform(self, effect: GuideEffect) -> None:
        """Print what is new."""
        if not isinstance(effect, ShowGuide):
            return
        view, before = effect.view, self._view
        self._view = view
        if view.notice is not None and (before is None or view.notice != before.notice):
            print_message("told", view.notice)
        if before is None or view.prompt != before.prompt:
            print_message("asked", view.prompt)

    def tick(self, now: int) -> None:
        """Nothing: a line that is printed stays."""


def print_message(event: str, message: GuideMessage) -> None:
    """Print a message of the guide as an object: its kind, and what it names."""
    about = {each.name: _plain(getattr(message, each.name)) for each in fields(message)}
    print(json.dumps({"event": event, "kind": type(message).__name__, **about}, separators=(",", ":")), flush=True)


def _plain(value: object) -> object:
    return value.letters if isinstance(value, Piece) else value


# --- `quarto-pi enrol`: give every piece its tag, one after another, and write the tags file --------------------------

_T = TypeVar("_T")

TYPED_GESTURES: Final = {"": Gesture.PRESS, "h": Gesture.HOLD}
"""What is typed for a press and for holding the button."""


def _options(parser: argparse.ArgumentParser) -> None:
    """Tell what `enrol` can be asked for."""
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--replace", type=_piece, metavar="PIECE", help="give this piece, such as DTRH, a new tag")
    which.add_argument("--anew", action="store_true", help="forget what was enrolled before, and ask for all pieces")
    parser.add_argument("--json", action="store_true", help="print one JSON object for each question and event")
    add_board(parser)
    parser.epilog = (
        "Answers come from the board's button, or from the keyboard: Enter is a press, h and Enter is holding it, help "
        "says so, and quit, Ctrl-C or Ctrl-D leave; what was enrolled is kept. "
        "With --simulated, simulated hands put the pieces down, and the tags go to a file of their own."
    )


def _run(arguments: argparse.Namespace) -> int:
    """Guide through the pieces until all have a tag, or until Ctrl-C."""
    config = config_of(arguments)
    tell_missing_words()
    file = tags_file_of(config, simulated=arguments.simulated)
    table, task = _beginning(file, arguments)
    platform, board = _below_of(arguments, config)
    lines: GuideOutput = GuideObjects() if arguments.json else GuideLines()
    stop = _Stop()
    with ExitStack() as stack:
        waiting: list[Gesture] = []
        outputs: Sequence[GuideOutput] = (lines, _Answers(waiting, stop, arguments))
        if board is not None:
            # Hands need a simulated table, whose packages a real board may not have.
            from quarto_pi.wiring.playground import DemonstratingHands

            outputs = (*outputs, DemonstratingHands(board, table, waiting.append))
        loop = open_guide(config, platform, stack, task, table, file, config.game.language, outputs)
        stop.listen()
        loop.run(lambda: not stop.asked and not _pass_on(waiting, loop))
        _conclude(loop, file, arguments)
    return 1 if loop.complaint else 0


def _beginning(file: TagsFile, arguments: argparse.Namespace) -> tuple[TagTable, Task]:
    if arguments.replace is not None:
        if not file.exists():
            raise TagsError(f"there is no tags file {file.path} yet: enrol all pieces first, without --replace.")
        table = _readable(file.read)
        return table, Task(replace=arguments.replace, current=table)
    if arguments.anew:
        file.forget_part()
        return TagTable(), Task()
    table, current = _readable(lambda: known_so_far(file))
    return table, Task(current=current)


def _readable(read: Callable[[], _T]) -> _T:
    """What is read, or what to do about a file that cannot be."""
    try:
        return read()
    except TagsError as error:
        raise TagsError(f"{error} Put it right, or begin with 'quarto-pi enrol --anew'.") from error


def _below_of(arguments: argparse.Namespace, config: Config) -> tuple[Platform, SimulatedBoard | None]:
    if not arguments.simulated:
        return real_hardware(), None
    without_node(config)
    return simulated_hardware(config=config)


def _pass_on(waiting: list[Gesture], loop: GuideLoop) -> bool:
    """Hand on what was answered elsewhere than at the button; never a reason to stop."""
    while waiting:
        gesture = waiting.pop(0)
        loop.post(_moved(gesture))
    return False


def _moved(gesture: Gesture) -> Callable[[int], Gestured]:
    return lambda at: Gestured(at, gesture)


def _conclude(loop: GuideLoop, file: TagsFile, arguments: argparse.Namespace) -> None:
    """Say what is kept, and where."""
    table = loop.state.roll.table
    known = len(PIECES) - len(table.missing)
    place = file.part if table.missing else file.path
    if arguments.json:
        ended = {"event": "ended", "pieces": known, "complete": not table.missing, "file": str(place)}
        print(json.dumps({**ended, "stored": not loop.complaint}, separators=(",", ":")), flush=True)
    if loop.complaint:
        print(f"quarto-pi enrol: the tags could not be stored: {loop.complaint}.", file=sys.stderr)
    elif not table.missing:
        print(f"The tags of all sixteen pieces are in {place}.", file=sys.stderr)
    elif known:
        print(f"{known} of 16 pieces are kept in {place}: 'quarto-pi enrol' goes on there.", file=sys.stderr)
    else:
        print("No piece has been enrolled.", file=sys.stderr)


class _Stop:
    """Knows whether Ctrl-C was pressed, or the program told to end."""

    def __init__(self) -> None:
        self.asked = False

    def listen(self) -> None:
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._ask)

    def _ask(self, _signal: int, _frame: object) -> None:
        self.asked = True


class _Answers:
    """Looks at the keyboard now and then, where there is one."""

    def __init__(self, waiting: list[Gesture], stop: _Stop, arguments: argparse.Namespace) -> None:
        self._waiting = waiting
        self._stop = stop
        self._typed = not arguments.simulated and sys.stdin is not None and sys.stdin.isatty()
        self._language = SOURCE

    def perform(self, effect: GuideEffect) -> None:
        """Note the language; who types is asked by others."""
        if isinstance(effect, ShowGuide):
            self._language = effect.view.language

    def tick(self, now: int) -> None:
        """Take down what was typed; at the end of the input nobody is there any more."""
        del now
        while self._typed and select.select([sys.stdin], [], [], 0)[0]:
            line = os.read(sys.stdin.fileno(), 4096).decode("utf-8", "replace")
            self._typed = bool(line)
            order = order_in(line)
            if not line or order in QUIT_ORDERS:
                self._stop.asked = True
            elif order in TYPED_GESTURES:
                self._waiting.append(TYPED_GESTURES[order])
            else:
                print(Words(self._language).typed().guide_keys(), file=sys.stderr, flush=True)


def _piece(text: str) -> Piece:
    try:
        return parse_piece(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error).rstrip(".")) from error


ENROL_COMMAND: Final = Command(
    "enrol", "enrol the pieces: which tag is in which piece, one after another", _options, _run
)

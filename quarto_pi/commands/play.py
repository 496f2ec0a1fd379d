"""`quarto-pi play`: games in the terminal."""

from __future__ import annotations

import argparse
import os
import random
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Final, TypeVar

from quarto_pi.commands.options import Command, add_language, add_variants, language_of, variants_of, whole_number
from quarto_pi.engine.opponent import Opponent
from quarto_pi.engine.solver import Solver
from quarto_pi.languages import LANGUAGE_NAMES
from quarto_pi.rules import PIECES, SQUARES, Calling, FalseCallRule, Options, Player, QuartoError, Record
from quarto_pi.rules.options import LEVEL
from quarto_pi.terminal.picture import Ink, ink_for
from quarto_pi.terminal.table import (
    HELP_ORDERS,
    QUIT_ORDERS,
    ComputerPlayer,
    TerminalGame,
    help_text,
    order_in,
    quoted,
)
from quarto_pi.words import Words

STARTERS: Final = {"1": Player.A, "2": Player.B, "a": Player.A, "b": Player.B}
"""What names the player who gives the first piece; the letters are those of earlier versions."""

CURSOR: Final = "> "

_T = TypeVar("_T")


def _options(parser: argparse.ArgumentParser) -> None:
    """Tell what `play` can be asked for."""
    add_variants(parser)
    parser.add_argument("--auto", action="store_true", help="the board declares the win itself, nobody has to call")
    parser.add_argument("--forfeit", action="store_true", help="a false call loses the game")
    parser.add_argument(
        "--level",
        type=whole_number(LEVEL.lowest, LEVEL.highest),
        metavar="N",
        help="play against the computer, 1 to 10",
    )
    parser.add_argument(
        "--starter",
        choices=tuple(STARTERS),
        metavar="1|2",
        help="which player gives the first piece; against the computer you are player 1 (default: drawn at random)",
    )
    add_language(parser)
    parser.epilog = (
        "help and quit can be typed at every question, and Ctrl-C or the end of the input leave as well. "
        "Pictures have colours at a terminal, unless NO_COLOR is set."
    )


def _run(arguments: argparse.Namespace) -> int:
    """Play one game after another; the record of each is shown at its end."""
    rules = replace(
        variants_of(arguments),
        calling=Calling.AUTO if arguments.auto else Calling.BUTTON,
        false_call=FalseCallRule.FORFEIT if arguments.forfeit else FalseCallRule.REFUSE,
    )
    language = language_of(arguments, os.environ)
    _make_sure_it_is_shown(language)
    evening = Evening(rules, Words(language), _ink(language))
    # Drawing lots for a board game needs no cryptographic randomness.
    starter = random.choice(list(Player)) if arguments.starter is None else STARTERS[arguments.starter]  # noqa: S311
    try:
        level = evening.ask_level() if arguments.level is None and _is_asked() else arguments.level
        evening.play(level, starter)
        while _is_asked():
            evening.ask_again()
            starter = starter.other
            evening.play(level, starter)
    except HasLeft:
        pass
    return 0


class HasLeft(Exception):
    """The player has left: by `quit`, Ctrl-C or the end of the input."""


class Evening:
    """Games at one keyboard, in one language; every question raises `HasLeft` where somebody leaves instead."""

    def __init__(self, rules: Options, words: Words, ink: Ink) -> None:
        self._rules = rules
        self._words = words
        self._typed = words.typed()
        self._ink = ink

    def ask_level(self) -> int | None:
        """The level of the computer that is to be played against; None for two people."""
        known = whole_number(LEVEL.lowest, LEVEL.highest)
        while True:
            answer = self._ask(self._typed.ask_level())
            if not answer:
                return None
            with suppress(argparse.ArgumentTypeError):
                return known(answer)
            print(self._typed.no_level(quoted(answer)))

    def ask_again(self) -> None:
        """Whether there is to be another game."""
        while answer := self._ask(self._typed.ask_again()):
            print(self._typed.not_known(quoted(answer)))

    def play(self, level: int | None, starter: Player) -> None:
        """One game, to its end; its record is shown even where it is left before."""
        table = TerminalGame(self._rules, starter, self._ink, _computer(self._rules, level), self._words)
        try:
            self._leaving(lambda: print(table.welcome()))
            while not table.closed:
                self._leaving(lambda: print(table.hear(_answer_to(table.prompt))))
        finally:
            if table.game.turns:
                print(f"\n{self._typed.record()}\n\n{Record(table.game)}")
        if not table.game.over:
            raise HasLeft

    def _ask(self, question: str) -> str:
        """What is answered to a question that is no part of a game."""
        while True:
            answer = self._leaving(lambda: order_in(_answer_to(question)))
            if answer in QUIT_ORDERS:
                print(self._typed.goodbye())
                raise HasLeft
            if answer not in HELP_ORDERS:
                return answer
            print(help_text(self._typed, self._rules, self._ink, PIECES[-1], SQUARES[0]))

    def _leaving(self, step: Callable[[], _T]) -> _T:
        """A step of the evening, which Ctrl-C and the end of the input turn into leaving."""
        try:
            return step()
        except (EOFError, KeyboardInterrupt):
            print(f"\n{self._typed.goodbye()}")
            raise HasLeft from None


def _answer_to(question: str) -> str:
    """The line that is typed at a question; EOFError at the end of the input, be it closed from the beginning."""
    print(f"{question}\n{CURSOR}", end="", flush=True)
    line = "" if sys.stdin is None else sys.stdin.readline()
    if not line:
        raise EOFError
    return line


def _is_asked() -> bool:
    """Whether somebody sits there to be asked for more than the moves of one game."""
    return sys.stdin is not None and sys.stdin.isatty()


def _make_sure_it_is_shown(language: str) -> None:
    """Make sure that the output has the letters of a language; one that is closed has no use for any."""
    encoding = "utf-8" if sys.stdout is None else sys.stdout.encoding or "ascii"
    try:
        f"{LANGUAGE_NAMES[language]}{Words(language).typed().hint()}".encode(encoding)
    except UnicodeEncodeError as error:
        raise QuartoError(
            f"this terminal's encoding, {encoding}, has not all letters of the language {language}: "
            "take --language en, or a locale with UTF-8."
        ) from error


def _ink(language: str) -> Ink:
    if sys.stdout is None:
        return ink_for(None)
    return ink_for(sys.stdout.encoding, os.environ, language, is_terminal=sys.stdout.isatty())


def _computer(rules: Options, level: int | None) -> ComputerPlayer | None:
    """The computer as the second player, where a level was asked for."""
    if level is None:
        return None
    return ComputerPlayer(Player.B, Opponent(level, Solver(rules), random.getrandbits(32)))


PLAY_COMMAND: Final = Command("play", "play a game in the terminal", _options, _run)

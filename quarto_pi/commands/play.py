"""`quarto-pi play`: a game in the terminal."""

from __future__ import annotations

import argparse
import random
import sys
from dataclasses import replace
from typing import Final

from quarto_pi.commands.options import Command, add_variants, variants_of, whole_number
from quarto_pi.engine.opponent import Opponent
from quarto_pi.engine.solver import Solver
from quarto_pi.rules import Calling, FalseCallRule, Options, Player, Record
from quarto_pi.rules.options import LEVEL
from quarto_pi.terminal.picture import ink_for
from quarto_pi.terminal.table import ComputerPlayer, TerminalGame


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
    parser.add_argument("--starter", choices=("a", "b"), help="who gives the first piece (default: drawn at random)")


def _run(arguments: argparse.Namespace) -> int:
    """Play one game; its record is shown at the end."""
    chosen = replace(
        variants_of(arguments),
        calling=Calling.AUTO if arguments.auto else Calling.BUTTON,
        false_call=FalseCallRule.FORFEIT if arguments.forfeit else FalseCallRule.REFUSE,
    )
    # Drawing lots for a board game needs no cryptographic randomness.
    level = _ask_for_level() if arguments.level is None and sys.stdin.isatty() else arguments.level
    starter = {"a": Player.A, "b": Player.B, None: random.choice(list(Player))}[arguments.starter]  # noqa: S311
    table = TerminalGame(chosen, starter, ink_for(sys.stdout.encoding), _computer(chosen, level))
    print(table.welcome())
    while not table.closed:
        try:
            line = input(table.prompt)
        except (EOFError, KeyboardInterrupt):
            line = "quit"
            print()
        print(table.hear(line))
    if table.game.turns:
        print(f"\nThe game as text:\n\n{Record(table.game)}")
    return 0


def _ask_for_level() -> int | None:
    """The level of the computer that is to be played against; None for two people, also where nobody answers."""
    known = whole_number(LEVEL.lowest, LEVEL.highest)
    while True:
        try:
            answer = input(
                "Against the computer? Its level, 1 (beginner) to 10 (never loses), or Enter for two people: "
            )
            return known(answer) if answer.strip() else None
        except argparse.ArgumentTypeError as error:
            print(f"{error}.")
        except (EOFError, KeyboardInterrupt):
            return None


def _computer(rules: Options, level: int | None) -> ComputerPlayer | None:
    """The computer as player B, where a level was asked for."""
    if level is None:
        return None
    return ComputerPlayer(Player.B, Opponent(level, Solver(rules), random.getrandbits(32)))


PLAY_COMMAND: Final = Command("play", "play a game in the terminal", _options, _run)

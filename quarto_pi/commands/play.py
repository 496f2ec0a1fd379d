"""`quarto-pi play`: a game in the terminal."""

from __future__ import annotations

import argparse
import random
import sys

from quarto_pi.commands.rules_options import add_variants
from quarto_pi.rules import Calling, FalseCall, Options, Player, Record
from quarto_pi.terminal.picture import ink_for
from quarto_pi.terminal.table import Table

SUMMARY = "play a game in the terminal"


def options(parser: argparse.ArgumentParser) -> None:
    """Tell what `play` can be asked for."""
    add_variants(parser)
    parser.add_argument("--auto", action="store_true", help="the board declares the win itself, nobody has to call")
    parser.add_argument("--forfeit", action="store_true", help="a false call loses the game")
    parser.add_argument("--starter", choices=("a", "b"), help="who gives the first piece (default: drawn at random)")


def run(arguments: argparse.Namespace) -> int:
    """Play one game; its record is shown at the end."""
    chosen = Options(
        squares=arguments.squares,
        traits=arguments.traits,
        calling=Calling.AUTO if arguments.auto else Calling.BUTTON,
        false_call=FalseCall.FORFEIT if arguments.forfeit else FalseCall.REFUSE,
    )
    # Drawing lots for a board game needs no cryptographic randomness.
    starter = {"a": Player.A, "b": Player.B, None: random.choice(list(Player))}[arguments.starter]  # noqa: S311
    table = Table(chosen, starter, ink_for(sys.stdout.encoding))
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

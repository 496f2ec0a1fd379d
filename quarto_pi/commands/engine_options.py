"""What every command that searches can be asked for."""

from __future__ import annotations

import argparse

from quarto_pi.commands.board_options import add_config, config_of
from quarto_pi.config import TABLE_MB, EngineConfig
from quarto_pi.engine.solver import Solver
from quarto_pi.rules import Options
from quarto_pi.rules.kinds import Medium, ValueRefused, WholeNumber


def add_search(parser: argparse.ArgumentParser) -> None:
    """Let a command be asked for the size of its table and to do without the book."""
    add_config(parser)
    parser.add_argument(
        "--table-mb",
        type=whole_number(TABLE_MB.lowest, TABLE_MB.highest),
        metavar="N",
        help=f"megabytes for what the search remembers (default: the configuration's, or {EngineConfig().table_mb})",
    )
    parser.add_argument("--no-book", action="store_true", help="search also what stands in the opening book")


def new_solver(options: Options, arguments: argparse.Namespace) -> Solver:
    """A solver as the command line and the configuration ask for it."""
    table_mb = arguments.table_mb or config_of(arguments).engine.table_mb
    return Solver(options, table_mb=table_mb, use_book=not arguments.no_book)


class whole_number:  # noqa: N801 - argparse names a type by what it is called
    """The type of an argument that is a whole number within limits."""

    def __init__(self, lowest: int, highest: int) -> None:
        self._kind = WholeNumber(lowest, highest)

    def __call__(self, text: str) -> int:
        """The number in a text."""
        try:
            return self._kind.read(text, Medium.COMMAND)
        except ValueRefused as error:
            raise argparse.ArgumentTypeError(str(error).rstrip(".")) from error

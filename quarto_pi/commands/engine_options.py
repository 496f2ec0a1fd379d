"""What every command that searches can be asked for."""

from __future__ import annotations

import argparse

from quarto_pi.engine.solver import DEFAULT_TABLE_MB, Solver
from quarto_pi.rules import Options


def add_search(parser: argparse.ArgumentParser) -> None:
    """Let a command be asked for the size of its table and to do without the book."""
    parser.add_argument(
        "--table-mb",
        type=whole_number(1, 16384),
        default=DEFAULT_TABLE_MB,
        metavar="N",
        help="memory for what the search remembers, in megabytes (default: %(default)s)",
    )
    parser.add_argument(
        "--no-book", action="store_true", help="search everything, also what stands in the opening book"
    )


def new_solver(options: Options, arguments: argparse.Namespace) -> Solver:
    """A solver as the command line asks for it."""
    return Solver(options, table_mb=arguments.table_mb, use_book=not arguments.no_book)


class whole_number:  # noqa: N801 - argparse names a type by what it is called
    """The type of an argument that is a whole number within limits."""

    def __init__(self, lowest: int, highest: int) -> None:
        self._lowest, self._highest = lowest, highest

    def __call__(self, text: str) -> int:
        """The number in a text."""
        if not text.isascii() or not text.isdigit() or not self._lowest <= int(text) <= self._highest:
            raise argparse.ArgumentTypeError(f"'{text}' is not a whole number from {self._lowest} to {self._highest}")
        return int(text)

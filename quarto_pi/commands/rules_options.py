"""The words that choose the variants, the same for every command (R5, R6)."""

from __future__ import annotations

import argparse

from quarto_pi.rules import Options
from quarto_pi.rules.kinds import Medium, Truth, ValueRefused
from quarto_pi.rules.options import VARIANTS
from quarto_pi.rules.setting import Row


def add_variants(parser: argparse.ArgumentParser) -> None:
    """Let a command be asked for `--squares` and `--traits`."""
    for row in VARIANTS:
        name = f"--{row.name(Medium.COMMAND)}"
        if isinstance(row.kind, Truth):
            parser.add_argument(name, action="store_const", const="true", help=row.meaning)
        else:
            said = f"{row.meaning}: {row.allowed(Medium.COMMAND)}"
            parser.add_argument(name, type=_text_for(row), metavar="LIST", help=said)


def variants_of(arguments: argparse.Namespace) -> Options:
    """The variants that the command line asks for."""
    rules = Options()
    for row in VARIANTS:
        written = getattr(arguments, row.key)
        if written is not None:
            rules = row.read(rules, written, Medium.COMMAND)
    return rules


class _text_for:  # noqa: N801 - argparse names a type by what it is called
    """The type of an argument that is the text of a setting, and known to be a right one."""

    def __init__(self, row: Row[Options]) -> None:
        self._row = row

    def __call__(self, text: str) -> str:
        """The text as it is."""
        try:
            self._row.read(Options(), text, Medium.COMMAND)
        except ValueRefused as error:
            raise argparse.ArgumentTypeError(str(error)) from error
        return text

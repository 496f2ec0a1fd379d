"""The words that choose the variants, the same for every command (R5, R6)."""

from __future__ import annotations

import argparse

from quarto_pi.rules import ALL_TRAITS, OptionsError, Trait, parse_traits


def add_variants(parser: argparse.ArgumentParser) -> None:
    """Let a command be asked for `--squares` and `--traits`."""
    parser.add_argument("--squares", action="store_true", help="the nine 2x2 squares count as well")
    parser.add_argument(
        "--traits",
        type=_traits,
        default=ALL_TRAITS,
        metavar="LIST",
        help="only these traits are in play: any of colour,height,shape,top",
    )


def _traits(text: str) -> tuple[Trait, ...]:
    try:
        return parse_traits(text)
    except OptionsError as error:
        raise argparse.ArgumentTypeError(str(error)) from error

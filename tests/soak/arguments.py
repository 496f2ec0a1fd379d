"""What the commands of long campaigns are told: how much, and from which seed on."""

from __future__ import annotations

import argparse

from quarto_pi.rules import hint
from tests.games.evening import Evening, evenings


def how_much_and_seed(program: str, description: str | None, what: str, usual: int) -> tuple[int, int]:
    """Read the command line: at least so many of something, and the seed to begin with."""
    parser = argparse.ArgumentParser(prog=f"python -m {program}", description=description)
    parser.add_argument("wanted", nargs="?", type=int, default=usual, metavar=what.upper(), help=f"so many: {usual}")
    parser.add_argument("seed", nargs="?", type=int, default=0, help="the first seed: 0")
    told = parser.parse_args()
    return told.wanted, told.seed


def some_evenings(program: str, description: str | None) -> list[Evening]:
    """Read the command line: the evenings of tests/games that are named, or all."""
    parser = argparse.ArgumentParser(prog=f"python -m {program}", description=description)
    by_name = {evening.name: evening for evening in evenings()}
    parser.add_argument("names", nargs="*", metavar="NAME", help="an evening of tests/games; without one, all")
    names = parser.parse_args().names
    for name in names:
        if name not in by_name:
            parser.error(f"there is no evening '{name}' in tests/games: {hint(name, by_name)}")
    return [by_name[name] for name in names or by_name]

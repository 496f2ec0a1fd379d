"""A day at a café: `make cafe`, or `python -m tests.cafe GAMES`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from tests.bench.measure import table
from tests.cafe.day import Day, day_with_cuts, day_without
from tests.cafe.log import NotKept
from tests.cafe.memory import MOST_A_HUNDRED, Memory, grows, growth

GAMES = 500
EVERY = 100


def main() -> int:
    """Live through the day; 1 if anything was lost, or memory grows."""
    parser = argparse.ArgumentParser(prog="python -m tests.cafe", description=__doc__)
    parser.add_argument("games", type=int, nargs="?", default=GAMES)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--memory", action="store_true", help="only the day without a cut")
    parser.add_argument("--untidied", action="store_true", help="let Python collect when it likes, and only look")
    wanted = parser.parse_args()
    try:
        lost = not wanted.memory and _loses(day_with_cuts(wanted.games, wanted.seed))
        grown = _grows(day_without(wanted.games, tidied=not wanted.untidied)) and not wanted.untidied
    except NotKept as error:
        print(f"make cafe: {error}", file=sys.stderr)
        return 1
    return 1 if lost or grown else 0


def _loses(day: Day) -> bool:
    figures = (day.games, day.cuts, day.settled, sum(day.lost), len(day.notes))
    header = ["games", "cuts", "actions told as safe", "of them lost", "files not sound"]
    table("A day at a café, the controller killed again and again", header, [[f"{figure}" for figure in figures]])
    return any(day.lost) or bool(day.notes)


def _grows(measured: Sequence[Memory]) -> bool:
    shown = [each for each in measured if each.games == 1 or each.games % EVERY == 0]
    rows = [[f"{each.games}", f"{each.kilobytes}", f"{each.blocks}"] for each in shown]
    table("The same without a cut, with display, lights and page", ["games", "kB in memory", "Python's blocks"], rows)
    found = growth(measured)
    print(f"\nFrom game {found.begin} to {found.end}, a hundred games: ", end="")
    print(f"{found.kilobytes:+.2%} kB, {found.blocks:+.2%} blocks; more than {MOST_A_HUNDRED:.2%} is growth")
    return grows(measured)


if __name__ == "__main__":
    sys.exit(main())

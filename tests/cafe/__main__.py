"""A day at a café: `make cafe`, or `python -m tests.cafe GAMES`."""

from __future__ import annotations

import argparse
import sys

from tests.bench.measure import table
from tests.cafe.day import Memory, day_with_cuts, day_without
from tests.cafe.log import NotKept

GAMES = 500
EARLY = 100
"""By then everything has been imported, drawn and remembered once."""
MOST_OBJECTS = 1.02
MOST_KILOBYTES = 1.1
"""SQLite fills its cache of two megabytes only as the journal grows."""


def main() -> int:
    """Live through the day; 1 if anything was lost, or memory grows."""
    parser = argparse.ArgumentParser(prog="python -m tests.cafe", description=__doc__)
    parser.add_argument("games", type=int, nargs="?", default=GAMES)
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    try:
        day = day_with_cuts(wanted.games, wanted.seed)
        steady = day_without(wanted.games)
    except NotKept as error:
        print(f"make cafe: {error}", file=sys.stderr)
        return 1
    figures = (day.games, day.cuts, day.settled, sum(day.lost), len(day.notes))
    header = ["games", "cuts", "actions told as safe", "of them lost", "files not sound"]
    table("A day at a café, the controller killed again and again", header, [[f"{figure}" for figure in figures]])
    shown = [memory for memory in steady if memory.games in (1, min(EARLY, wanted.games), wanted.games)]
    rows = [[f"{memory.games}", f"{memory.kilobytes}", f"{memory.objects}"] for memory in shown]
    table("The same without a cut, with display, lights and page", ["games", "kB in memory", "objects"], rows)
    return 1 if any(day.lost) or day.notes or grows(shown) else 0


def grows(shown: list[Memory]) -> bool:
    """Whether there is more in memory at the end than after the first hundred games."""
    *_, early, late = shown
    return late.kilobytes > early.kilobytes * MOST_KILOBYTES or late.objects > early.objects * MOST_OBJECTS


if __name__ == "__main__":
    sys.exit(main())

"""Power cuts in many evenings: `python -m tests.power 300 --jobs 2`."""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from tests.power.cut import Outcome, cut_everywhere
from tests.power.tap import compile_tap, read_log, tapped

TURNS = 60


def live_and_cut(seed: int, share: float, ways: int, turns: int = TURNS, synchronous: str = "FULL") -> Outcome:
    """An evening, and cuts in it."""
    with tempfile.TemporaryDirectory(prefix="power-") as name:
        place = Path(name)
        library, folder, log = compile_tap(place), place / "kept", place / "log"
        folder.mkdir()
        log.touch()
        tapped(library, folder, log, "tests.power.evenings", f"{seed}", f"{turns}", synchronous)
        cuts = place / "cuts"
        cuts.mkdir()
        return cut_everywhere(read_log(log), cuts, random.Random(seed), share, ways)


def _one(seed: int, share: float, ways: int) -> tuple[int, Outcome | str]:
    try:
        return seed, live_and_cut(seed, share, ways)
    except AssertionError as error:
        return seed, f"{error}"


def main() -> int:
    """Cut the power in so many evenings; 1 if anything was lost."""
    parser = argparse.ArgumentParser(prog="python -m tests.power", description=__doc__)
    parser.add_argument("evenings", type=int, nargs="?", default=100)
    parser.add_argument("--seed", type=int, default=0, help="the first evening's")
    parser.add_argument("--share", type=float, default=0.05, help="of all changes to files, after which power is cut")
    parser.add_argument("--ways", type=int, default=3, help="in which each of these cuts may turn out")
    parser.add_argument("--jobs", type=int, default=1)
    asked = parser.parse_args()
    whole, lost = Outcome(), 0
    with ProcessPoolExecutor(asked.jobs) as pool:
        seeds = range(asked.seed, asked.seed + asked.evenings)
        for seed, outcome in pool.map(_one, seeds, *([value] * len(seeds) for value in (asked.share, asked.ways))):
            if isinstance(outcome, str):
                lost += 1
                print(f"evening {seed}: {outcome}", file=sys.stderr)
                continue
            whole.acts += outcome.acts
            whole.cuts += outcome.cuts
            whole.records += outcome.records
    print(
        f"{asked.evenings} evenings, {whole.acts} changes to files, {whole.cuts} cuts in {asked.ways} ways each, "
        f"{whole.records} times a game looked for: {lost} evenings in which something was lost"
    )
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())

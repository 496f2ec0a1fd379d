"""Evenings of chains in which everything fails: `make chain`, or `python -m tests.chain_faults EVENINGS FIRST_SEED`."""

from __future__ import annotations

import argparse
import signal
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from tests.chain_faults.campaign import Outcome, evening_of
from tests.power.tap import compile_tap

EVENINGS = 20
GAMES = 40


def main() -> int:
    """Live through so many evenings; 1 if anything was lost, or counted twice."""
    parser = argparse.ArgumentParser(prog="python -m tests.chain_faults", description=__doc__)
    parser.add_argument("evenings", type=int, nargs="?", default=EVENINGS)
    parser.add_argument("first_seed", type=int, nargs="?", default=0)
    parser.add_argument("--games", type=int, default=GAMES, help="that end in each evening")
    parser.add_argument("--boards", type=int, default=3)
    parser.add_argument(
        "--base", choices=("sqlite", "postgres"), default="", help="of the hub; by default one or the other"
    )
    parser.add_argument(
        "--hubs", type=int, choices=(0, 1, 2), default=0, help="that share the boards; by default one or two"
    )
    parser.add_argument("--jobs", type=int, default=1)
    wanted = parser.parse_args()
    seeds = range(wanted.first_seed, wanted.first_seed + wanted.evenings)
    begin, wrong, done = time.monotonic(), [], Counter[str]()
    games, settled, kept = 0, 0, 0
    with tempfile.TemporaryDirectory(prefix="chain-") as name, _pool(wanted.jobs) as pool:
        live = partial(_live, Path(name), compile_tap(Path(name)), wanted)
        for number, outcome in enumerate(pool.map(live, seeds), 1):
            games, settled, kept = games + outcome.games, settled + outcome.settled, kept + outcome.kept
            done += outcome.done
            for fault in outcome.faults:
                print(f"seed {outcome.seed}: {fault}", flush=True)
            wrong += [outcome.seed] if outcome.faults else []
            print(
                f"{number} of {wanted.evenings} evenings: {games} games, {settled} actions told at the tables, {kept} "
                f"kept by hubs, the last {outcome.seconds:.0f} s after all was well, {len(wrong)} evenings wrong, "
                f"{time.monotonic() - begin:.0f} s",
                flush=True,
            )
    print(", ".join(f"{what} {count}" for what, count in sorted(done.items())))
    if wrong:
        print(f"wrong: {' '.join(map(str, wrong))}; live through one again with: python -m tests.chain_faults 1 SEED")
    return 1 if wrong else 0


def _pool(jobs: int) -> ProcessPoolExecutor:
    """Processes that end what they have started when they are ended."""
    return ProcessPoolExecutor(jobs, initializer=signal.signal, initargs=(signal.SIGTERM, _end))


def _end(_signal: int, _frame: object) -> None:
    sys.exit(1)


def _live(place: Path, tap: Path, wanted: argparse.Namespace, seed: int) -> Outcome:
    folder = place / f"{seed}"
    folder.mkdir()
    return evening_of(seed, wanted.games, folder, boards=wanted.boards, base=wanted.base, tap=tap, hubs=wanted.hubs)


if __name__ == "__main__":
    sys.exit(main())

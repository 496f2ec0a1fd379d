"""Games by simulated people: `make soak`, or `python -m tests.chaos GAMES FIRST_SEED`.

`--tell` prints what hands did, what was sensed and what was told; `--jobs` plays so many games at the same time.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from functools import partial

from quarto_pi.wiring.platform import simulated_hardware

# The stand-ins below the real packages have to be in place before the evening's devices are imported.
simulated_hardware()

from tests.chaos.game import Verdict, play_evening  # noqa: E402

GAMES = 10_000
EACH = 50


def main() -> int:
    """Play games; 1 if any was misjudged."""
    parser = argparse.ArgumentParser(prog="python -m tests.chaos", description=__doc__)
    parser.add_argument("games", type=int, nargs="?", default=GAMES)
    parser.add_argument("first_seed", type=int, nargs="?", default=0)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--tell", action="store_true")
    parser.add_argument("--direct", action="store_true", help="without chips: readings come from the table itself")
    wanted = parser.parse_args()
    seeds = range(wanted.first_seed, wanted.first_seed + wanted.games)
    play = partial(play_evening, chips=not wanted.direct)
    if wanted.tell:
        return _report((play(seed, print) for seed in seeds), wanted.games)
    if wanted.jobs == 1:
        return _report(map(play, seeds), wanted.games)
    with ProcessPoolExecutor(wanted.jobs) as pool:
        return _report(pool.map(play, seeds, chunksize=5), wanted.games)


def _report(verdicts: Iterable[Verdict], wanted: int) -> int:
    """Print how it goes; 1 if any game was misjudged."""
    counts: Counter[str] = Counter()
    misjudged: list[int] = []
    begin, games, sweeps, seconds = time.monotonic(), 0, 0, 0.0
    for number, verdict in enumerate(verdicts, 1):
        games, sweeps, seconds = games + verdict.games, sweeps + verdict.sweeps, seconds + verdict.seconds
        counts += verdict.counts
        for problem in verdict.problems:
            print(f"seed {verdict.seed}: {problem}", flush=True)
        if verdict.problems:
            misjudged.append(verdict.seed)
        if number % EACH == 0 or number == wanted:
            print(
                f"{number} of {wanted} seeds: {games} games, {len(misjudged)} misjudged; {sweeps} sweeps, "
                f"{seconds / 3600:.1f} hours at the table in {time.monotonic() - begin:.0f} s",
                flush=True,
            )
    print(", ".join(f"{what} {count}" for what, count in sorted(counts.items())))
    if misjudged:
        print(f"misjudged: {' '.join(map(str, misjudged))}; look at one with: python -m tests.chaos 1 SEED --tell")
    return 1 if misjudged else 0


if __name__ == "__main__":
    sys.exit(main())

"""Games by simulated people: `python -m tests.chaos GAMES FIRST_SEED`, with `--tell` word for word."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter

from quarto_pi.app import simulated_hardware

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
    parser.add_argument("--tell", action="store_true", help="print what hands did and what was told")
    wanted = parser.parse_args()
    counts: Counter[str] = Counter()
    begin, misjudged, sweeps, seconds, repeats = time.monotonic(), [], 0, 0.0, 0
    for number in range(1, wanted.games + 1):
        verdict = play_evening(wanted.first_seed + number - 1, print if wanted.tell else None)
        sweeps, seconds, repeats = sweeps + verdict.sweeps, seconds + verdict.seconds, repeats + verdict.repeats
        counts += verdict.counts
        if verdict.problems:
            misjudged.append(verdict.seed)
            _print(verdict)
        if number % EACH == 0 or number == wanted.games:
            taken = time.monotonic() - begin
            print(
                f"{number} of {wanted.games} games, {len(misjudged)} misjudged; {sweeps} sweeps, "
                f"{seconds / 3600:.1f} h at the table, {repeats} times something was done twice; {taken:.0f} s",
                flush=True,
            )
    print(", ".join(f"{what}: {count}" for what, count in sorted(counts.items())))
    if misjudged:
        print(f"misjudged seeds: {' '.join(map(str, misjudged))}")
    return 1 if misjudged else 0


def _print(verdict: Verdict) -> None:
    for problem in verdict.problems:
        print(f"game {verdict.seed}: {problem}", flush=True)


if __name__ == "__main__":
    sys.exit(main())

"""Random hands on a usual board, without chips: `make soak`, or `python -m tests.soak.hands SWEEPS FIRST_SEED`."""

from __future__ import annotations

import sys

from quarto_pi.sensing.board import Sensing
from tests.sensing.evenings import Verdict, hold_against, random_hands, random_noise, watch
from tests.sensing.hands import TAGS, Table
from tests.soak.arguments import how_much_and_seed

SWEEPS = 100_000
ACTIONS_AN_EVENING = 60
NOISE = 0.3
"""That of a usual board, where 1 is a badly built one."""
BOUND_MS, REMOVAL_MS = 8_000, 2_000
"""After so long whatever rests has to be reported, and a piece that was away for so long has been away."""


def evening(seed: int, sensing: Sensing | None = None) -> tuple[int, Verdict]:
    """Live through the evening of a seed; return how many sweeps it had, and what was told wrongly or not at all."""
    hands, end = random_hands(seed, ACTIONS_AN_EVENING)
    end += BOUND_MS
    sweeps = list(Table(hands, random_noise(seed, NOISE), seed, 40).sweeps(end))
    _, events = watch(sensing or Sensing(TAGS), sweeps)
    return len(sweeps), hold_against(hands, events, BOUND_MS, REMOVAL_MS, end)


def main() -> int:
    """Live through evenings until the sweeps are done; 1 if anything was told that did not happen."""
    wanted, seed = how_much_and_seed("tests.soak.hands", __doc__, "sweeps", SWEEPS)
    done = wrong = 0
    while done < wanted:
        sweeps, verdict = evening(seed)
        done += sweeps
        for problem in (*verdict.false, *verdict.unreported):
            wrong += 1
            print(f"evening {seed}: {problem}")
        seed += 1
    print(f"{done} sweeps of {seed} evenings without chips, {wrong} events false or missing", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

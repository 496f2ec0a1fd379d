"""Cut a virtual machine's power and see what the journal has kept: `make test-power`.

With `--compare` also with SQLite told to sync less than the journal does, which has to lose something: a test that
cannot fail proves nothing.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tests.bench.measure import table
from tests.cafe.log import NotKept
from tests.virtual.evening import Outcome, live_through
from tests.virtual.machine import System, Unavailable

FOLDER = Path("build/power")
CUTS = 12
AS_IT_IS = "as it is (FULL)"
LESS = ("NORMAL", "OFF")


def main() -> int:
    """Live through the evenings; 1 if the journal as it is has lost anything."""
    parser = argparse.ArgumentParser(prog="python -m tests.virtual", description=__doc__)
    parser.add_argument("--cuts", type=int, default=CUTS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--compare", action="store_true", help="also with synchronous=NORMAL and OFF")
    parser.add_argument("--only", choices=LESS, help="with nothing but that")
    wanted = parser.parse_args()
    FOLDER.mkdir(parents=True, exist_ok=True)
    try:
        system = System(FOLDER.resolve()).make()
        outcomes = {}
        for mode in (wanted.only,) if wanted.only else ("", *(LESS if wanted.compare else ())):
            outcomes[mode] = live_through(
                system, wanted.cuts, wanted.seed, FOLDER / f"serial-{mode or 'FULL'}.txt", mode
            )
            print(f"{mode or AS_IT_IS}: {outcomes[mode]}", flush=True)
    except (Unavailable, NotKept) as error:
        print(f"make test-power: {error}", file=sys.stderr)
        return 1
    header = ["journal", "cuts", "actions told as safe", "cuts that lost some", "most lost", "files not sound"]
    rows = [_row(mode or AS_IT_IS, outcome) for mode, outcome in outcomes.items()]
    table("A virtual machine's power is cut", [*header, "flushes", "kB written", "sectors lost in the cache"], rows)
    as_it_is = outcomes.get("")
    return 1 if as_it_is is not None and (any(as_it_is.lost) or as_it_is.notes) else 0


def _row(name: str, outcome: Outcome) -> list[str]:
    return [
        name,
        f"{outcome.cuts}",
        f"{outcome.settled}",
        f"{sum(bool(lost) for lost in outcome.lost)}",
        f"{max(outcome.lost, default=0)}",
        f"{len(outcome.notes)}",
        f"{outcome.flushes}",
        f"{outcome.written // 1000}",
        f"{outcome.forgotten}",
    ]


if __name__ == "__main__":
    sys.exit(main())

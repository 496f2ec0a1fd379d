"""Evenings of tests/games, each sweep folded against those passed over: `python -m tests.soak.deadlines NAME ...`.

Without a name all are played, with the usual patience and with an odd one; `make soak` does that.
"""

from __future__ import annotations

import sys
from dataclasses import replace

from tests.referee.heard_evenings import first_difference, heard, odd
from tests.soak.arguments import some_evenings


def main() -> int:
    """Play them; 1 if a sweep that was passed over would have changed something."""
    wrong = 0
    for seed, evening in enumerate(some_evenings("tests.soak.deadlines", __doc__)):
        usual = heard(evening.name)
        for played in (usual, replace(usual, patience=odd(usual.patience, seed))):
            difference = first_difference(played)
            wrong += difference is not None
            print(f"{evening.name}: {len(played.inputs)} inputs, {difference or 'no difference'}", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

"""Run every measurement, or those that are named: `python -m tests.bench rules`."""

import sys

from tests.bench import (
    answers,
    appliance,
    delays,
    displays,
    engine,
    journal,
    ladder,
    node,
    page,
    referee,
    rules,
    sensing,
    sensing_layer,
    shape,
    web,
)

MEASUREMENTS = {
    "rules": rules.run,
    "engine": engine.run,
    "sensing": sensing.run,
    "answers": answers.run,
    "delays": delays.run,
    "sensing-layer": sensing_layer.run,
    "referee": referee.run,
    "displays": displays.run,
    "web": web.run,
    "page": page.run,
    "appliance": appliance.run,
    "journal": journal.run,
    "node": node.run,
    "shape": shape.run,
}
ON_REQUEST = {"empty-board": engine.run_empty_board, "ladder": ladder.run}
"""Minutes rather than seconds: only when they are named."""


def main() -> int:
    """Run what was asked for."""
    names = sys.argv[1:] or list(MEASUREMENTS)
    known = MEASUREMENTS | ON_REQUEST
    unknown = [name for name in names if name not in known]
    if unknown:
        print(f"there is no measurement {unknown[0]}: choose from {', '.join(known)}.", file=sys.stderr)
        return 2
    for name in names:
        known[name]()
    return 0


sys.exit(main())

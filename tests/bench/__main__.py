"""Run every measurement, or those that are named: `python -m tests.bench rules`.

`python -m tests.bench engine --beside COMMIT` compares the search with that of another commit.
"""

import sys

from tests.bench import (
    answers,
    appliance,
    beside,
    chain,
    chain_scale,
    delays,
    displays,
    engine,
    hub_page,
    journal,
    ladder,
    moves,
    node,
    page,
    protocol,
    referee,
    rules,
    sensing,
    sensing_layer,
    shape,
    tempt,
    web,
)

MEASUREMENTS = {
    "rules": rules.run,
    "engine": engine.run,
    "protocol": protocol.run,
    "sensing": sensing.run,
    "answers": answers.run,
    "delays": delays.run,
    "sensing-layer": sensing_layer.run,
    "referee": referee.run,
    "displays": displays.run,
    "web": web.run,
    "page": page.run,
    "hub-page": hub_page.run,
    "appliance": appliance.run,
    "journal": journal.run,
    "node": node.run,
    "chain": chain.run,
    "shape": shape.run,
}
ON_REQUEST = {
    "chain-scale": chain_scale.run,
    "empty-board": engine.run_empty_board,
    "ladder": ladder.run,
    "moves": moves.run,
    "tempt": tempt.run,
}
"""Minutes rather than seconds: only when they are named."""


def main() -> int:
    """Run what was asked for."""
    if sys.argv[1:2] == ["engine"] and len(sys.argv) > 2:
        beside.compare(sys.argv[2:])
        return 0
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

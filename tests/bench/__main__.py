"""Run every measurement, or those that are named: `python -m tests.bench rules`."""

import sys

from tests.bench import rules

MEASUREMENTS = {"rules": rules.run}


def main() -> int:
    """Run what was asked for."""
    names = sys.argv[1:] or list(MEASUREMENTS)
    unknown = [name for name in names if name not in MEASUREMENTS]
    if unknown:
        print(f"there is no measurement {unknown[0]}: choose from {', '.join(MEASUREMENTS)}.", file=sys.stderr)
        return 2
    for name in names:
        MEASUREMENTS[name]()
    return 0


sys.exit(main())

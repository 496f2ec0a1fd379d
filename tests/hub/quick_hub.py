"""`quarto-pi hub start` whose patience with boards is seconds instead of hours: for tests that roll a version out."""

from __future__ import annotations

import sys

from quarto_pi.cli import main
from quarto_pi.hub import alarms, fleet, rollout


def quick(well_seconds: float) -> None:
    """Shorten its patience; a board is believed after so long."""
    for module, patience in {
        fleet: {"GRACE_SECONDS": 2.0},
        rollout: {"WELL_SECONDS": well_seconds, "ILL_SECONDS": 0.5},
        alarms: {"HOLD_SECONDS": 1.0},
    }.items():
        for name, seconds in patience.items():
            assert hasattr(module, name)
            setattr(module, name, seconds)


if __name__ == "__main__":
    quick(float(sys.argv[2]))
    sys.exit(main(["hub", "start", "--folder", sys.argv[1]]))

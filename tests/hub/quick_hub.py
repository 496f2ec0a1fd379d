"""`quarto-pi hub start` whose patience with boards is seconds instead of hours: for tests that roll a version out."""

from __future__ import annotations

import sys
from types import ModuleType

from quarto_pi.cli import main
from quarto_pi.hub import alarms, fleet, page_versions, rollout, watching


def shorten(module: ModuleType, name: str, seconds: float) -> None:
    """Let one patience of a module be so long."""
    assert hasattr(module, name)
    setattr(module, name, seconds)


def quick(well_seconds: float, *, is_hasty: bool) -> None:
    """A board is believed after so long; a hasty hub waits for nothing else either."""
    shorten(rollout, "WELL_SECONDS", well_seconds)
    if is_hasty:
        shorten(rollout, "ILL_SECONDS", 0.2)
        shorten(fleet, "GRACE_SECONDS", 0.5)
        shorten(alarms, "HOLD_SECONDS", 0.2)
        shorten(watching, "WATCH_SECONDS", 0.1)
        # All boards are on one machine, of which the hub lets few fetch at once.
        shorten(page_versions, "ASK_AGAIN_SECONDS", 0)


if __name__ == "__main__":
    quick(float(sys.argv[2]), is_hasty="hasty" in sys.argv[3:])
    sys.exit(main(["hub", "start", "--folder", sys.argv[1]]))

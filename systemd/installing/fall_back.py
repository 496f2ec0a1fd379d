"""Back to the version before, by itself, where the present one keeps dying although it was healthy once."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from installing import shell
from installing.environment import Builder, Version
from installing.places import Places
from installing.telling import InstallError
from installing.versions import Versions

SOON: Final = (6, 600)
"""So many deaths within so many seconds are one too many,"""
LATER: Final = (12, 86_400)
"""and so many within a day."""


def is_failing(deaths: Sequence[int], now: int) -> bool:
    """Whether a board that died at these seconds keeps dying."""
    return any(sum(at > now - seconds for at in deaths) >= most for most, seconds in (SOON, LATER))


def fall_back(places: Places, builder: Builder, deaths: Sequence[int], now: int) -> Version | None:
    """Let the version before count, if the present one keeps dying and that one can run; return it then.

    There is no way forward again but to install: whoever goes back twice does not meet the broken one.
    """
    versions = Versions(places.opt)
    current, previous = versions.current, versions.previous
    if current is None or previous is None or not is_failing(deaths, now) or not builder.works(previous):
        return None
    versions.switch_to(previous)
    versions.forget_previous()
    versions.remember_left(current)
    return previous


def main(counted: Path) -> int:
    """Look at the deaths that were counted, and go back if need be; whatever happens, the board is to start."""
    try:
        deaths = [
            int(line) for line in counted.read_text(encoding="ascii", errors="replace").split() if line.isdecimal()
        ]
        version = fall_back(Places(), Builder(), deaths, max(deaths, default=0))
        if version is not None:
            print(f"the board kept dying: {version.name}, the version before, runs from now on", flush=True)
            counted.unlink(missing_ok=True)
            # The unit files are those of that version now; without this they count from the next start of the machine.
            shell.succeeds("systemctl", "daemon-reload")
    except (InstallError, OSError) as error:
        print(error, file=sys.stderr)
    return 0

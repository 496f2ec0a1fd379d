"""Looks whether the current version can run at all, and makes its environment anew if not; without a network."""

from __future__ import annotations

import sys

from installing.environment import Builder
from installing.places import Places
from installing.telling import InstallError
from installing.versions import Versions


def mend(places: Places, builder: Builder) -> bool:
    """Mend the current version where that is needed, and return whether it was.

    What was tried with just this Python is not tried again, unless the board has died since the machine was started.
    """
    version = Versions(places.opt).current
    if version is None:
        raise InstallError(f"There is no version below {places.opt}: run the installer.")
    if builder.is_tried(version) and not places.restarts.exists():
        return False
    if builder.works(version):
        builder.remember_trial(version)
        return False
    print(f"{version.name} can't run with this system's Python: making its environment anew", flush=True)
    builder.build(version)
    builder.remember_trial(version)
    print("done: the board can start", flush=True)
    return True


def main() -> int:
    """Mend what is installed, and return the exit code."""
    try:
        mend(Places(), Builder())
    except (InstallError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0

"""`make test-appliance`, or `python -m tests.appliance`: every scenario, in a container that this boots."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from tests.appliance.box import Box, Failed
from tests.appliance.hub import HUB_SCENARIOS
from tests.appliance.newer_system import upgrade_below
from tests.appliance.releases import pack
from tests.appliance.roots import Root
from tests.appliance.scenarios import NOT_UNDER_QEMU, SCENARIOS, Trial
from tests.appliance.wheelhouses import fetch

ROOTS = Path("/var/tmp/quarto-roots")  # noqa: S108 - root's alone, as it is made


def main() -> int:
    """Run them; 1 if one fails."""
    parser = argparse.ArgumentParser(prog="python -m tests.appliance", description=__doc__)
    parser.add_argument("--suite", default="bookworm", help="Debian's release (default: bookworm)")
    parser.add_argument("--machine", default="amd64", help="amd64, or arm64 under qemu (default: amd64)")
    parser.add_argument("--roots", type=Path, default=ROOTS, help=f"where the systems are kept (default: {ROOTS})")
    parser.add_argument("--newer", metavar="SUITE", help="at last upgrade the whole system to this release")
    parser.add_argument("--only", nargs="+", metavar="WORD", help="install, then only what has such a word in its name")
    chosen = parser.parse_args()
    if os.geteuid() != 0 or shutil.which("systemd-nspawn") is None:
        print("the appliance's tests boot a container: they need root and systemd-nspawn", file=sys.stderr)
        return 2
    suites = (chosen.suite, chosen.newer) if chosen.newer else (chosen.suite,)
    root, *newer = (Root(suite, chosen.machine, chosen.roots / f"{suite}-{chosen.machine}") for suite in suites)
    for each in (root, *newer):
        each.make()
    work = chosen.roots / "trial"
    work.mkdir(exist_ok=True)
    archive = pack(work)
    wheelhouse = work / f"wheelhouse-{root.folder.name}"
    fetch(root, archive, wheelhouse)
    with Box(root.folder, work / root.folder.name) as box:
        if root.is_foreign:
            # Which qemu can't imitate: its processes have threads.
            box.drop_in("qemu", "PrivateUsers=no")
            box.drop_in("qemu", "PrivateNetwork=no", unit="quarto-pi-mend.service")
        took = timed(box.boot)
        print(f"{root.suite} for {root.machine} is up after {took:.1f} s", flush=True)
        scenarios = (*SCENARIOS[:-1], *HUB_SCENARIOS, SCENARIOS[-1])
        possible = [each for each in scenarios if not (root.is_foreign and each in NOT_UNDER_QEMU)]
        trial = Trial(box, archive, wheelhouse)
        install, *others = ((each.__name__.replace("_", " "), partial(each, trial)) for each in possible)
        steps = [install, *(step for step in others if not chosen.only or set(chosen.only) & set(step[0].split()))]
        for system in newer:
            platform = partial(upgrade_below, box.folder, system, work / system.folder.name)
            # What comes last uninstalls the board; what comes first installs it.
            steps.insert(max(1, len(steps) - 1), ("an upgrade of the whole system", platform))
        return 0 if all(succeeds(name, scenario) for name, scenario in steps) else 1


def succeeds(name: str, scenario: Callable[[], str]) -> bool:
    """Run a scenario, and tell how it went."""
    began = time.monotonic()
    try:
        outcome = scenario()
    except Failed as failed:
        print(f"FAILED  {name}\n{failed}", flush=True)
        return False
    print(f"ok {time.monotonic() - began:5.0f} s  {name}: {outcome}", flush=True)
    return True


def timed(do: Callable[[], None]) -> float:
    """How long something takes."""
    began = time.monotonic()
    do()
    return time.monotonic() - began


sys.exit(main())

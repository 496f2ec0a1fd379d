"""`make test-appliance`, or `python -m tests.appliance`: every scenario, in a container that this boots."""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from tests.appliance.box import Box, Failed
from tests.appliance.newer_system import upgrade_below
from tests.appliance.releases import PROJECT, pack, unpack
from tests.appliance.roots import Root
from tests.appliance.scenarios import NOT_UNDER_QEMU, SCENARIOS, Trial

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
        possible = [each for each in SCENARIOS if not (root.is_foreign and each in NOT_UNDER_QEMU)]
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


def fetch(root: Root, archive: Path, wheelhouse: Path) -> None:
    """The packages for that system, by the installer itself and this machine's package index."""
    pins = b"".join(file.read_bytes() for file in sorted((PROJECT / "systemd").glob("requirements-*.txt")))
    fetched_for = wheelhouse.with_suffix(".sha256")
    if fetched_for.exists() and fetched_for.read_text() == hashlib.sha256(pins).hexdigest():
        return
    shutil.rmtree(wheelhouse, ignore_errors=True)
    command = [str(PROJECT / "systemd/install"), "--fetch", str(wheelhouse), "--board", "simulated"]
    if root.is_foreign:
        fetch_in(root, archive, wheelhouse)
    else:
        subprocess.run([sys.executable, *command], check=True)
    fetched_for.write_text(hashlib.sha256(pins).hexdigest())


def fetch_in(root: Root, archive: Path, wheelhouse: Path) -> None:
    """The same within a system for another machine, so that it gets what that machine needs."""
    folder = wheelhouse.with_suffix(".root")
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run(["cp", "-a", "--reflink=auto", root.folder, folder], check=True)
    installer = unpack(archive, folder).installer
    # This machine's way to its package index, as its environment says; the folders that it names are not in there.
    certificates = Path(os.environ.get("PIP_CERT", "/etc/ssl/certs/ca-certificates.crt"))
    shutil.copy(certificates, folder / "root/certificates.crt")
    lent = {name: value for name, value in os.environ.items() if name.startswith("PIP_") and "/" not in value}
    lent |= {"PIP_CERT": "/root/certificates.crt", "PATH": "/usr/sbin:/usr/bin"}
    command = [installer, "--fetch", "/root/wheelhouse", "--board", "simulated"]
    subprocess.run([shutil.which("chroot") or "chroot", folder, *command], check=True, env=lent)
    shutil.move(folder / "root/wheelhouse", wheelhouse)
    shutil.rmtree(folder)


def timed(do: Callable[[], None]) -> float:
    """How long something takes."""
    began = time.monotonic()
    do()
    return time.monotonic() - began


sys.exit(main())

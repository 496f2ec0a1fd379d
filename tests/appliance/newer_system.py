"""An upgrade of the whole system: the same board with the next Debian below it, its Python and its systemd."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.appliance.box import Box, Failed
from tests.appliance.roots import Root

STAYS = (
    "opt/quarto-pi",
    "etc/quarto-pi",
    "var/lib/quarto-pi",
    "etc/systemd/system/quarto-pi.service",
    "etc/systemd/system/quarto-pi.service.d",
    "etc/systemd/system/quarto-pi-mend.service",
    "etc/systemd/system/multi-user.target.wants/quarto-pi.service",
    "etc/sysusers.d/quarto-pi.conf",
    "etc/polkit-1/rules.d/50-quarto-pi.rules",
)
"""What such an upgrade leaves as it is."""


def upgrade_below(old: Path, newer: Root, folder: Path) -> str:
    """Put the board of an installed system onto a newer one, and start that."""
    with Box(newer.folder, folder) as box:
        for path in STAYS:
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            subprocess.run(["cp", "-a", old / path, target], check=True)
        in_there = newer.suite, subprocess.check_output(["chroot", folder, "/usr/bin/python3", "--version"], text=True)
        # An upgrade would have kept the numbers of users.
        subprocess.run(["chroot", folder, "systemd-sysusers"], check=True)
        subprocess.run(["chroot", folder, "chgrp", "-R", "quarto-pi", "/etc/quarto-pi"], check=True)
        if subprocess.run(["chroot", folder, "/opt/quarto-pi/current/venv/bin/quarto-pi"], check=False).returncode == 0:
            raise Failed("the virtual environment works as it is: this Debian has the same Python")
        box.boot()
        took = box.wait_until_ready()
        words = box.run("journalctl", "-u", "quarto-pi*", "--no-pager", "-o", "cat")
        if "making its environment anew" not in words or "Unknown" in words:
            raise Failed(words)
        return f"{' '.join(in_there).strip()}: ready {took:.0f} s after the first start, with {_readers(box)}"


def _readers(box: Box) -> str:
    return box.unit("StatusText").partition("; ")[2]

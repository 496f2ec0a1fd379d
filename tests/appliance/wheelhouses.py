"""The packages for a system, fetched by the installer itself; and this machine's way to them, lent to a system."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.appliance.releases import PROJECT, unpack
from tests.appliance.roots import Root


def fetch(root: Root, archive: Path, wheelhouse: Path, board: str = "simulated") -> None:
    """The packages for that system, by the installer itself and this machine's package index."""
    pins = b"".join(file.read_bytes() for file in sorted((PROJECT / "systemd").glob("requirements-*.txt")))
    fetched_for = wheelhouse.with_suffix(".sha256")
    if fetched_for.exists() and fetched_for.read_text() == hashlib.sha256(pins).hexdigest():
        return
    shutil.rmtree(wheelhouse, ignore_errors=True)
    command = [str(PROJECT / "systemd/install"), "--fetch", str(wheelhouse), "--board", board]
    if root.is_foreign:
        fetch_in(root, archive, wheelhouse, board)
    else:
        subprocess.run([sys.executable, *command], check=True)
    fetched_for.write_text(hashlib.sha256(pins).hexdigest())


def fetch_in(root: Root, archive: Path, wheelhouse: Path, board: str) -> None:
    """The same within a system for another machine, so that it gets what that machine needs."""
    folder = wheelhouse.with_suffix(".root")
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run(["cp", "-a", "--reflink=auto", root.folder, folder], check=True)
    installer = unpack(archive, folder).installer
    lent = {**lend_network(folder), "PATH": "/usr/sbin:/usr/bin"}
    command = [installer, "--fetch", "/root/wheelhouse", "--board", board]
    subprocess.run([shutil.which("chroot") or "chroot", folder, *command], check=True, env=lent)
    shutil.move(folder / "root/wheelhouse", wheelhouse)
    shutil.rmtree(folder)


def lend_network(folder: Path) -> dict[str, str]:
    """This machine's way to its package index, as its environment says; the folders that it names are not in there."""
    certificates = Path(os.environ.get("PIP_CERT", "/etc/ssl/certs/ca-certificates.crt"))
    shutil.copy(certificates, folder / "root/certificates.crt")
    lent = {name: value for name, value in os.environ.items() if name.startswith("PIP_") and "/" not in value}
    return {**lent, "PIP_CERT": "/root/certificates.crt"}

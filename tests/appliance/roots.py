"""The systems that are booted: Debian as debootstrap makes it, kept for the next time."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

BASE = ("systemd", "systemd-sysv", "dbus", "udev", "python3", "python3-venv", "ca-certificates")
BESIDES = ("python3-dev", "gcc", "libc6-dev", "polkitd", "mosquitto", "openssl")
"""What a Raspberry Pi OS has in any case, or the installer would fetch, or the hub's page asks for: there is no network
later on."""


@dataclass(frozen=True, slots=True)
class Root:
    """A system for a kind of machine."""

    suite: str
    machine: str
    folder: Path

    @property
    def is_foreign(self) -> bool:
        """Whether its programs need an emulator here."""
        own = subprocess.run(["dpkg", "--print-architecture"], check=True, capture_output=True, text=True).stdout
        return own.strip() != self.machine

    def make(self) -> None:
        """Make it, unless it is there."""
        done = self.folder / "etc" / "quarto-pi-root"
        if done.exists() and set(done.read_text().split()) >= {*BASE, *BESIDES}:
            return
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.parent.mkdir(parents=True, exist_ok=True)
        print(f"making a root of {self.suite} for {self.machine}: some minutes", flush=True)
        base = ("--variant=minbase", f"--arch={self.machine}", f"--include={','.join(BASE)}")
        subprocess.run(["debootstrap", *base, self.suite, self.folder], check=True, stdout=subprocess.DEVNULL)
        # This machine's way to the network is lent to it, and nothing of it is kept anywhere else.
        shutil.copy("/etc/resolv.conf", self.folder / "etc" / "resolv.conf")
        self.chroot("apt-get", "update", "-q")
        self.chroot("apt-get", "install", "-y", "-q", "--no-install-recommends", *BESIDES)
        done.write_text("\n".join((*BASE, *BESIDES, "")))

    def chroot(self, *command: str) -> None:
        """Run a command in it, without booting it."""
        quiet = ["env", "DEBIAN_FRONTEND=noninteractive", "LC_ALL=C.UTF-8"]
        subprocess.run(["chroot", self.folder, *quiet, *command], check=True, stdout=subprocess.DEVNULL)

"""The parts of the system that are not the program itself: packages, users, unit files, the rule for switching off."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from installing import shell
from installing.environment import Version
from installing.machine import Board, Machine
from installing.places import DISPLAY, FIRST_START, MEND, SERVICE, USER, Places
from installing.telling import InstallError, Report

_BUILD: Final = {
    "python3-venv": "makes the virtual environment",
    "python3-dev": "Python's headers, for packages that come as source",
    "gcc": "compiles them, and the search",
    "libc6-dev": "headers for the same",
    "polkitd": "lets the board switch its machine off",
    "dbus": "carries that wish",
}
_ON_32_BIT: Final = {
    "libjpeg-dev": "for Pillow, which has no wheel for 32 bit",
    "zlib1g-dev": "the same",
    "libfreetype-dev": "the same",
}
_ON_A_PI: Final = {"python3-lgpio": "drives the pins where lgpio has no wheel; on Trixie it is needed"}
_VOICE: Final = {"espeak-ng": "the voice"}
_DISPLAY: Final = {"chromium": "shows the page on HDMI", "cage": "gives it the whole screen"}


def packages_for(machine: Machine, board: Board, *, voice: bool, display: bool) -> Mapping[str, str]:
    """The system's packages that are needed, and what for."""
    return {
        **_BUILD,
        **(_ON_32_BIT if machine.is_32_bit else {}),
        **(_ON_A_PI if board is Board.PI5 else {}),
        **(_VOICE if voice else {}),
        **(_DISPLAY if display else {}),
    }


def install_packages(wanted: Mapping[str, str], report: Report) -> None:
    """Install those that are missing."""
    missing = [name for name in wanted if not _is_installed(name)]
    for name in wanted:
        if name not in missing:
            report.right(f"{name} is installed")
    if not missing:
        return
    report.doing(f"installing {', '.join(missing)}")
    # Somebody else may be installing something: that is waited for.
    patience = ("-o", "DPkg::Lock::Timeout=300")
    shell.run("apt-get", *patience, "update", "-q", what="Fetching the package lists")
    quiet = {"DEBIAN_FRONTEND": "noninteractive"}
    optional = [name for name in missing if name in _ON_A_PI and not shell.succeeds("apt-cache", "show", name)]
    needed = [name for name in missing if name not in optional]
    shell.run("apt-get", *patience, "install", "-y", "-q", "--no-install-recommends", *needed, environ=quiet)
    for name in needed:
        report.changed(f"{name}: {wanted[name]}")
    for name in optional:
        report.note(f"{name} is not offered by this system ({wanted[name]})")


def _is_installed(package: str) -> bool:
    return shell.succeeds("sh", "-c", f"dpkg-query -W -f '${{Status}}' {package} | grep -q 'ok installed'")


@dataclass(frozen=True, slots=True)
class Equipment:
    """What of the optional parts is wanted on this machine."""

    board: Board
    voice: bool = False
    display: bool = False


class System:
    """The files that belong to a version outside of its folder."""

    def __init__(self, places: Places, report: Report, *, is_running: bool) -> None:
        self._places = places
        self._report = report
        self._is_running = is_running

    def fit(self, version: Version, equipment: Equipment) -> bool:
        """Bring everything into the form that this version wants; return whether anything changed."""
        before = len(self._report.changes)
        places, files = self._places, version.pins
        self._link_units((SERVICE, MEND, FIRST_START, *((DISPLAY,) if equipment.display else ())))
        self._copy(files / "quarto-pi.sysusers", places.sysusers / "quarto-pi.conf")
        if equipment.display:
            self._copy(files / "quarto-pi-display.sysusers", places.sysusers / "quarto-pi-display.conf")
        self._copy(files / "quarto-pi.rules", places.polkit)
        if equipment.board is not Board.SIMULATED:
            self._copy(files / "quarto-pi.modules", places.modules)
        for name, wanted in (("simulated", equipment.board is Board.SIMULATED), ("voice", equipment.voice)):
            drop_in = places.drop_ins / f"{name}.conf"
            if wanted:
                self._copy(files / f"{name}.conf", drop_in)
            elif drop_in.exists():
                drop_in.unlink()
                self._report.changed(f"{drop_in} removed")
        self._link(places.command, places.opt / "current/venv/bin/quarto-pi")
        shell.run("systemd-sysusers", f"--root={places.root}", what="Making the user")
        if self._is_running:
            shell.run("systemctl", "daemon-reload")
        return len(self._report.changes) > before

    def configure(self, text: str) -> None:
        """Write the configuration if there is none: what people have written is never overwritten."""
        file = self._places.config
        if file.exists():
            self._report.right(f"{file} is kept as it is")
            return
        file.parent.mkdir(parents=True, exist_ok=True)
        # There at once or not at all: what is there is never written again, not even when it is empty.
        new = file.with_name(f"{file.name}.new")
        new.unlink(missing_ok=True)
        new.touch(mode=0o640)
        shutil.chown(new, group=_group_id(self._places, USER))
        with new.open("w", encoding="utf-8") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        new.replace(file)
        self._report.changed(f"{file} written")

    def enable(self, units: Sequence[str]) -> None:
        """Have them started whenever the machine starts."""
        for unit in units:
            if shell.succeeds("systemctl", f"--root={self._places.root}", "is-enabled", unit):
                self._report.right(f"{unit} starts with the machine")
                continue
            shell.run("systemctl", f"--root={self._places.root}", "enable", unit)
            self._report.changed(f"{unit} starts with the machine")

    def _link_units(self, names: Sequence[str]) -> None:
        # Links into the current version: whatever goes back goes back with its units.
        for name in names:
            self._link(self._places.units / name, self._places.opt / "current/source/systemd" / name)

    def _link(self, link: Path, target: Path) -> None:
        if link.is_symlink() and link.readlink() == target:
            self._report.right(f"{link} is there")
            return
        if link.exists() and not link.is_symlink():
            raise InstallError(f"{link} is not ours: move it away, then run the installer again.")
        link.parent.mkdir(parents=True, exist_ok=True)
        link.unlink(missing_ok=True)
        link.symlink_to(target)
        self._report.changed(f"{link} made")

    def _copy(self, source: Path, target: Path) -> None:
        text = source.read_bytes()
        if target.is_file() and target.read_bytes() == text:
            self._report.right(f"{target} is there")
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text)
        target.chmod(0o644)
        self._report.changed(f"{target} written")


def _group_id(places: Places, name: str) -> int:
    groups = (places.root / "etc/group").read_text(encoding="utf-8").splitlines()
    return next((int(line.split(":")[2]) for line in groups if line.startswith(f"{name}:")), os.getgid())

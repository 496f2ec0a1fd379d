"""A bundle from a USB stick or the page is installed into the other slot, if it is signed and another version."""

from __future__ import annotations

import os
import pwd
import re
import shutil
import stat
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

KEYRING: Final = Path("/run/quarto-pi-card/keyring.pem")
CERTIFICATES: Final = (
    Path("/usr/share/quarto-pi/update-certificates.pem"),
    Path("/etc/quarto-pi/update-certificates.pem"),
)
"""The publisher's, and the owner's own."""
VERSION: Final = Path("/usr/share/quarto-pi/version")
_MOUNTED_AT: Final = Path("/media")
_WITHOUT_OWNERS: Final = ("vfat", "exfat")
_CERTIFICATE: Final = re.compile(r"-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----\n?", re.DOTALL)

HOLD: Final = Path("/run/quarto-pi/hold-restart")
"""The board's word that a version of its hub waits for the end of a game."""
LOOK_SECONDS: Final = 2.0
HOLD_LOOKS: Final = 12 * 1_800
"""Twelve hours: no board is played at for so long without a pause of ten minutes."""

Tell = Callable[[str], None]


class UpdateError(Exception):
    """Why a bundle was not installed; a sentence."""


class BundleRefusedError(UpdateError):
    """Nothing was begun with it: nobody who is believed has signed it, or it is no bundle for this card."""


def write_keyring(sources: tuple[Path, ...] = CERTIFICATES, keyring: Path = KEYRING) -> None:
    """Put together whom RAUC believes; nobody, and so no update, where no certificate is there."""
    texts = [path.read_text(encoding="ascii", errors="replace") for path in sources if path.exists()]
    found = [each.rstrip() for text in texts for each in _CERTIFICATE.findall(text)]
    if not found:
        raise UpdateError(
            "No certificate is on this card, so no update can be checked:"
            " put one into /etc/quarto-pi/update-certificates.pem."
        )
    keyring.parent.mkdir(parents=True, exist_ok=True)
    keyring.write_text("\n".join(found) + "\n", encoding="ascii")


def install_bundle(bundle: Path, tell: Tell, rauc: str = "rauc") -> str:
    """Have RAUC check and install a bundle; return its version, or nothing where that runs already."""
    write_keyring()
    told = subprocess.run([rauc, "info", "--output-format=shell", bundle], check=False, capture_output=True, text=True)
    version = re.search(r"(?m)^RAUC_MF_VERSION='?([^'\n]*)'?$", told.stdout)
    if told.returncode or version is None:
        raise BundleRefusedError(f"{bundle.name} is not taken: {_last_line(told.stderr)}.")
    if version[1] == VERSION.read_text(encoding="ascii").strip():
        tell(f"{bundle.name} is the version that runs.")
        return ""
    tell(f"{bundle.name} is signed, and is installed: {version[1]}.")
    done = subprocess.run([rauc, "install", bundle], check=False, capture_output=True, text=True)
    if done.returncode:
        raise UpdateError(f"{bundle.name} was not installed: {_last_line(done.stderr or done.stdout)}.")
    return version[1]


def wait_until_released(hold: Path = HOLD, looks: int = HOLD_LOOKS, wait: Callable[[float], None] = time.sleep) -> bool:
    """Wait as long as the board keeps the card from starting again, for a game; whether it has let go of it."""
    for _ in range(looks):
        if not hold.exists():
            return True
        wait(LOOK_SECONDS)
    return False


def install_newest(folder: Path, tell: Tell) -> str:
    """Install the last bundle in a folder; return its version, or nothing where none was installed."""
    bundles = sorted(folder.glob("*.raucb"))
    return install_bundle(bundles[-1], tell) if bundles else ""


@dataclass(frozen=True, slots=True)
class HandedIn:
    """An update that the board has taken in over its page; what becomes of it is told to the board in a file."""

    received: Path = Path("/data/games/update/received.raucb")
    taken: Path = Path("/data/updates/update.raucb")
    """Where the board can't change it any more, on the same partition."""
    told: Path = Path("/run/quarto-pi-card/page-update")

    def install(self, tell: Tell, rauc: str = "rauc") -> str:
        """Take it, and have RAUC check and install it; return its version, or nothing where none was installed."""
        self._tell_board("checking")
        try:
            self._take()
            version = install_bundle(self.taken, tell, rauc)
        except BundleRefusedError as error:
            self._tell_board("refused", f"{error}")
            raise
        except (UpdateError, OSError) as error:
            self._tell_board("failed", f"{error}")
            raise
        finally:
            _remove(self.taken)
        self._tell_board("installed" if version else "same version", version)
        return version

    def _take(self) -> None:
        """Out of the board's hands: what it puts there is a file of its own, or is thrown away."""
        _remove(self.taken)
        self.received.replace(self.taken)
        found = self.taken.lstat()
        if not stat.S_ISREG(found.st_mode) or found.st_nlink != 1:
            raise BundleRefusedError("What came over the page is not taken: it is no file of its own.")
        os.chown(self.taken, os.geteuid(), os.getegid())
        self.taken.chmod(0o600)

    def _tell_board(self, stage: str, sentence: str = "") -> None:
        new = self.told.with_suffix(".new")
        new.write_text(f"{stage}\n{sentence}\n", encoding="utf-8")
        new.chmod(0o644)
        new.replace(self.told)


@dataclass(frozen=True, slots=True)
class Stick:
    """A USB stick, by its device."""

    device: Path
    user: str = "quarto-pi"

    def mount(self) -> Path:
        """Mount it where the board looks for a place for copies of its games; it stays there until it is pulled out."""
        folder = _MOUNTED_AT / self.device.name
        folder.mkdir(parents=True, exist_ok=True)
        command = ["mount", "-o", self._options(), str(self.device), str(folder)]
        done = subprocess.run(command, check=False, capture_output=True, text=True)
        if done.returncode:
            raise UpdateError(f"{self.device.name} can't be read: {_last_line(done.stderr)}.")
        return folder

    def _options(self) -> str:
        """Nothing on it is ever run; where its file system knows no owners, it is the board's."""
        basic = "nosuid,nodev,noexec,noatime"
        command = ["blkid", "-o", "value", "-s", "TYPE", str(self.device)]
        kind = subprocess.run(command, check=False, capture_output=True, text=True).stdout.strip()
        if kind not in _WITHOUT_OWNERS:
            return basic
        entry = pwd.getpwnam(self.user)
        return f"{basic},uid={entry.pw_uid},gid={entry.pw_gid},umask=0027"


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1].rstrip(".") if lines else "RAUC gave no reason"

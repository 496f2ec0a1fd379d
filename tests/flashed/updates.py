"""Updates for a trial: the system that was made, with another version's name, on a USB stick."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from card_build.bundle import Contents, Signer, write_bundle
from card_build.make import Made

_STICK_BYTES: Final = 4 * 1024**3
_VERSION: Final = "usr/share/quarto-pi/version"


def new_signer(folder: Path, name: str) -> Signer:
    """A key of its own, with a certificate that nobody else knows."""
    signer = Signer(folder / f"{name}.key.pem", folder / f"{name}.cert.pem")
    if not signer.certificate.exists():
        made = ("-newkey", "rsa:2048", "-nodes", "-days", "36500", "-subj", f"/CN={name}")
        files = ("-keyout", signer.key, "-out", signer.certificate)
        subprocess.run(["openssl", "req", "-x509", *made, *files], check=True, capture_output=True)
    return signer


@dataclass(frozen=True, slots=True)
class Workshop:
    """Makes updates of what a card was made of."""

    made: Made
    folder: Path

    def stick(self, version: str, signer: Signer) -> Path:
        """An image of a USB stick of 4 GB, in clusters of 32 KB as one buys it, with an update on it."""
        bundle, stick = self.folder / f"{version}.raucb", self.folder / f"{version}.stick"
        write_bundle(bundle, Contents(version, self.made.moment, self.made.boot, self._root(version)), signer)
        with stick.open("wb") as image:
            image.truncate(_STICK_BYTES)
        subprocess.run(["mkfs.vfat", "-F", "32", "-s", "64", stick], check=True, stdout=subprocess.DEVNULL)
        subprocess.run(["mcopy", "-i", stick, bundle, f"::{bundle.name}"], check=True)
        bundle.unlink()
        return stick

    def _root(self, version: str) -> Path:
        """The system with another version's name; compressed in haste."""
        root, image = self.made.root.parent / "root", self.folder / f"{version}.root.img"
        name = root / _VERSION
        before = name.read_text(encoding="ascii")
        options = ("-noappend", "-quiet", "-no-progress", "-comp", "zstd", "-Xcompression-level", "1")
        try:
            name.write_text(version + "\n", encoding="ascii")
            subprocess.run(["mksquashfs", root, image, *options], check=True, stdout=subprocess.DEVNULL)
        finally:
            name.write_text(before, encoding="ascii")
        return image

"""Updates for a trial: the system that was made, with another name, or with a board that does not start."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

from card_build.boot_files import fat_image
from card_build.bundle import Contents, Signer, write_bundle
from card_build.make import Made

BROKEN_UNIT = "[Service]\nExecStart=\nExecStart=/bin/false\n"


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

    def stick(self, name: str, signer: Signer, *, is_broken: bool = False) -> Path:
        """An image of a USB stick with an update of this name on it."""
        stick = self.folder / f"{name}.stick"
        if stick.exists():
            return stick
        bundle = self.folder / f"{name}.raucb"
        root = self._root(name, is_broken=is_broken)
        write_bundle(bundle, Contents(name, self.made.moment, self.made.boot, root), signer)
        mebibytes = bundle.stat().st_size // 1024 // 1024 + 64
        fat_image(stick, mebibytes, "STICK", [bundle], self.made.moment)
        bundle.unlink()
        return stick

    def _root(self, name: str, *, is_broken: bool) -> Path:
        """The system with another name; compressed in haste."""
        root = self.made.root.parent / "root"
        image = self.folder / ("root-broken.img" if is_broken else "root-renamed.img")
        version = root / "usr/share/quarto-pi/version"
        drop_in = root / "usr/lib/systemd/system/quarto-pi.service.d/broken.conf"
        before = version.read_text(encoding="ascii")
        try:
            version.write_text(name + "\n", encoding="ascii")
            if is_broken:
                drop_in.write_text(BROKEN_UNIT, encoding="ascii")
            options = ("-noappend", "-quiet", "-no-progress", "-comp", "zstd", "-Xcompression-level", "3")
            subprocess.run(["mksquashfs", root, image, *options], check=True, stdout=subprocess.DEVNULL)
        finally:
            version.write_text(before, encoding="ascii")
            drop_in.unlink(missing_ok=True)
        return image

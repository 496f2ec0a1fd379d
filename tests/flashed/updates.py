"""Updates for a trial: the system that was made, with another version's name, on a USB stick."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from random import Random
from typing import Final

from card_build.boot_files import fat_image
from card_build.bundle import Contents, Signer, write_bundle
from card_build.make import Made
from card_build.program import PYTHON

_STICK_BYTES: Final = 4 * 1024**3
_VERSION: Final = "usr/share/quarto-pi/version"
_BOARD: Final = f"venv/lib/python{PYTHON}/site-packages/quarto_pi/commands/run.py"
_JUDGE: Final = "source/systemd/card/commands.py"


class Flaw(Enum):
    """The mistakes of an update for a trial: which file of its version is another one, and what stands in it."""

    DIES = _BOARD, 'raise SystemExit("This version ends as soon as it is started.")\n'
    NEVER_READY = _BOARD, "import time\ntime.sleep(1e6)\n"
    STANDS_STILL = (
        _BOARD,
        """\
import os, socket, time
with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
    systemd.sendto(b"READY=1", os.environ["NOTIFY_SOCKET"])
time.sleep(1e6)
""",
    )
    NOT_JUDGED = _JUDGE, 'raise SystemExit("This version can not tell whether it is healthy.")\n'


def new_signer(folder: Path, name: str) -> Signer:
    """A key of its own, with a certificate that nobody else knows."""
    signer = Signer(folder / f"{name}.key.pem", folder / f"{name}.cert.pem")
    if not signer.certificate.exists():
        made = ("-newkey", "rsa:2048", "-nodes", "-days", "36500", "-subj", f"/CN={name}")
        files = ("-keyout", signer.key, "-out", signer.certificate)
        subprocess.run(["openssl", "req", "-x509", *made, *files], check=True, capture_output=True)
    return signer


def made_before(build: Path) -> Made:
    """What the last run has made."""
    version = (build / "root" / _VERSION).read_text(encoding="ascii").strip()
    return Made(version, 0, build / "boot.img", build / "root.img", build / "card.img")


@dataclass(frozen=True, slots=True)
class Workshop:
    """Makes updates of what a card was made of."""

    made: Made
    folder: Path

    def stick(self, *bundles: Path) -> Path:
        """An image of a USB stick of 4 GB, in clusters of 32 KB as one buys it, with these files on it."""
        stick = self.folder / "stick.img"
        with stick.open("wb") as image:
            image.truncate(_STICK_BYTES)
        subprocess.run(["mkfs.vfat", "-F", "32", "-s", "64", stick], check=True, stdout=subprocess.DEVNULL)
        for bundle in bundles:
            subprocess.run(["mcopy", "-i", stick, bundle, f"::{bundle.name}"], check=True)
            bundle.unlink()
        return stick

    def small_bundle(self, version: str, signer: Signer) -> Path:
        """A bundle with hardly anything in it: enough for who only looks at its signature."""
        bundle, content = self.folder / f"{version}.raucb", self.folder / f"{version}.content"
        # RAUC packs nothing that takes no room.
        content.write_bytes(Random(version).randbytes(65_536))
        boot = self.folder / f"{version}.boot"
        fat_image(boot, 36, "SMALL", [content], self.made.moment)
        write_bundle(bundle, Contents(version, self.made.moment, boot, content), signer)
        content.unlink()
        boot.unlink()
        return bundle

    def bundle(self, version: str, signer: Signer, flaw: Flaw | None = None) -> Path:
        """The update itself."""
        bundle, root = self.folder / f"{version}.raucb", self.folder / f"{version}.root.img"
        changed: dict[Path, str | None] = {self._root / _VERSION: version + "\n"}
        if flaw is not None:
            name, text = flaw.value
            file = self._root / f"opt/quarto-pi/versions/{self.made.version}" / name
            # What was compiled of it would be taken without a look at it.
            changed |= {file: text, next((file.parent / "__pycache__").glob(f"{file.stem}.*.pyc")): None}
        with _changed(changed):
            options = ("-noappend", "-quiet", "-no-progress", "-comp", "zstd", "-Xcompression-level", "1")
            subprocess.run(["mksquashfs", self._root, root, *options], check=True, stdout=subprocess.DEVNULL)
        write_bundle(bundle, Contents(version, self.made.moment, self.made.boot, root), signer)
        root.unlink()
        return bundle

    @property
    def _root(self) -> Path:
        """What the system was made of."""
        return self.made.root.parent / "root"


@contextmanager
def _changed(files: Mapping[Path, str | None]) -> Iterator[None]:
    """Files with other contents, or none, for a while."""
    before = {path: path.read_bytes() for path in files}
    try:
        for path, text in files.items():
            if text is None:
                path.unlink()
            else:
                path.write_text(text, encoding="ascii")
        yield
    finally:
        for path, content in before.items():
            path.write_bytes(content)

"""An update: what a slot consists of, in one file that RAUC checks before it writes anything."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from card.fat import FatPartition

COMPATIBLE: Final = "quarto-pi-card"


@dataclass(frozen=True, slots=True)
class Contents:
    """What a slot is filled with, and what it calls itself."""

    version: str
    moment: int
    boot: Path
    root: Path


@dataclass(frozen=True, slots=True)
class Signer:
    """A private key and its certificate, as files."""

    key: Path
    certificate: Path


def manifest(version: str, moment: int) -> str:
    """What an update says about itself; the root counts, the boot files belong to it."""
    return (
        f"[update]\ncompatible={COMPATIBLE}\nversion={version}\nbuild={moment}\n\n"
        "[bundle]\nformat=verity\n\n"
        "[image.boot]\nfilename=boot.img\n\n"
        "[image.rootfs]\nfilename=root.img\n"
    )


def write_bundle(path: Path, contents: Contents, signer: Signer) -> None:
    """Write and sign an update."""
    with TemporaryDirectory(dir=path.parent) as name:
        folder = Path(name)
        (folder / "root.img").hardlink_to(contents.root)
        # Two thirds of it are room for later. Without them an update is written sooner, and wears the card less.
        boot = folder / "boot.img"
        shutil.copyfile(contents.boot, boot)
        os.truncate(boot, FatPartition(boot).used())
        (folder / "manifest.raucm").write_text(manifest(contents.version, contents.moment), encoding="ascii")
        path.unlink(missing_ok=True)
        # What is compressed already is not compressed again.
        options = ("-noI", "-noX", "-comp", "zstd", "-Xcompression-level", "3", "-no-progress")
        squash = " ".join((*options, "-mkfs-time", str(contents.moment), "-all-time", str(contents.moment)))
        signed = (f"--cert={signer.certificate}", f"--key={signer.key}", f"--mksquashfs-args={squash}")
        subprocess.run(["rauc", "bundle", *signed, folder, path], check=True, capture_output=True)

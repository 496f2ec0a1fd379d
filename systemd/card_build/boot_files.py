"""What the Pi's firmware reads: a slot's boot partition, and the first one, which the owner's computer shows."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from card.boot_choice import BootChoice

from card_build.layout import BOOT_MEBIBYTES, DISK_ID, OWNERS_LABEL, OWNERS_MEBIBYTES, ROOT_A

MODELS: Final = (
    *("bcm2837-rpi-3-a-plus", "bcm2837-rpi-3-b", "bcm2837-rpi-3-b-plus", "bcm2837-rpi-cm3-io3", "bcm2837-rpi-zero-2-w"),
    *("bcm2711-rpi-4-b", "bcm2711-rpi-400", "bcm2711-rpi-cm4-io"),
)
"""Debian's device trees of those whose header its kernel drives."""
FIRMWARE: Final = ("start.elf", "fixup.dat", "start4.elf", "fixup4.dat", "LICENCE.broadcom")
PROGRAMS_PATH: Final = f"{os.environ.get('PATH', os.defpath)}:/usr/sbin:/sbin"
"""With the programs that make file systems, which on Debian are not on everybody's path."""
FIRST_STAGE: Final = "bootcode.bin"
"""What the boot ROM of a Pi 3 and a Zero 2 W reads; a Pi 4 has its own."""

CONFIG: Final = """\
# Written by `make card`; an update replaces it.
arm_64bit=1
upstream_kernel=1
kernel=vmlinuz
initramfs initrd.img followkernel
"""
COMMAND_LINE: Final = (
    f"root=PARTUUID={DISK_ID:08x}-{ROOT_A:02d} rootfstype=squashfs ro rootwait panic=10 quiet console=tty1"
    # Debian's kernel can't ask the firmware for another partition: card/reset_status.py writes the register.
    " iomem=relaxed"
)
ABOUT: Final = """\
QUARTO-PI

This is the card of a Quarto board. What you may change here is the file quarto-pi.txt;
a folder called chain is what you may add.
Leave autoboot.txt and bootcode.bin as they are: without them the board does not start.
More: docs/card.md of quarto-pi.

Das ist die Karte eines Quarto-Bretts. Aendern darf man hier die Datei quarto-pi.txt;
dazulegen einen Ordner namens chain.
autoboot.txt und bootcode.bin bleiben, wie sie sind: ohne sie startet das Brett nicht.
""".replace("\n", "\r\n")
"""Old editors of Windows know no other end of a line."""


def boot_image(path: Path, root: Path, wires: Path, moment: int) -> None:
    """The boot partition of a slot: kernel, initial file system, device trees with the board's wires, firmware."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copy(_newest(root / "boot", "vmlinuz-*"), folder / "vmlinuz")
        shutil.copy(_newest(root / "boot", "initrd.img-*"), folder / "initrd.img")
        _device_trees(folder, _newest(root / "usr/lib", "linux-image-*") / "broadcom", wires)
        for each in FIRMWARE:
            found = next((root / "usr/lib/raspi-firmware").glob(each), None)
            if found is not None:
                shutil.copy(found, folder / each)
        (folder / "config.txt").write_text(CONFIG, encoding="ascii")
        (folder / "cmdline.txt").write_text(COMMAND_LINE + "\n", encoding="ascii")
        fat_image(path, BOOT_MEBIBYTES, "QUARTO-SYS", sorted(folder.iterdir()), moment)


def owners_image(path: Path, root: Path, texts: dict[str, bytes], moment: int) -> None:
    """The first partition: what the owner may edit, and which slot is booted."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copy(root / "usr/lib/raspi-firmware" / FIRST_STAGE, folder / FIRST_STAGE)
        (folder / "autoboot.txt").write_bytes(BootChoice().encoded())
        for file, text in texts.items():
            (folder / file).write_bytes(text)
        fat_image(path, OWNERS_MEBIBYTES, OWNERS_LABEL, sorted(folder.iterdir()), moment)


def fat_image(path: Path, mebibytes: int, label: str, files: Iterable[Path], moment: int) -> None:
    """A FAT file system with these files in its root folder, the same at every call."""
    with path.open("wb") as image:
        image.truncate(mebibytes * 1024 * 1024)
    options = ("--invariant", "-F", "32", "-s", "1", "-n", label, "-i", f"{DISK_ID:08x}")
    environment = {
        **os.environ,
        "PATH": PROGRAMS_PATH,
        "SOURCE_DATE_EPOCH": str(moment),
        "TZ": "UTC",
        "MTOOLS_SKIP_CHECK": "1",
    }
    subprocess.run(["mkfs.vfat", *options, path], check=True, stdout=subprocess.DEVNULL, env=environment)
    for file in files:
        os.utime(file, (moment, moment))
        subprocess.run(["mcopy", "-m", "-i", path, file, f"::{file.name}"], check=True, env=environment)


def _device_trees(folder: Path, trees: Path, wires: Path) -> None:
    compiled = folder / "wires.dtbo"
    subprocess.run(["dtc", "-q", "-@", "-I", "dts", "-O", "dtb", "-o", compiled, wires], check=True)
    for model in MODELS:
        tree = folder / f"{model}.dtb"
        subprocess.run(["fdtoverlay", "-i", trees / tree.name, "-o", tree, compiled], check=True)
    compiled.unlink()


def _newest(folder: Path, pattern: str) -> Path:
    found = sorted(folder.glob(pattern))
    if len(found) != 1:
        raise FileNotFoundError(f"{folder} holds {len(found)} files {pattern}, and should hold one.")
    return found[0]

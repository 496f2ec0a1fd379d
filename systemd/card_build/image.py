"""The whole card, table and partitions, written into one file without mounting anything."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from card.partitions import SECTOR, Table

from card_build.boot_files import PROGRAMS_PATH
from card_build.layout import DATA_MEBIBYTES, DISK_ID

_BLOCK: Final = 1024 * 1024
BYTES_PER_FILE: Final = 65_536
"""Of the partition of the games: so many bytes of it have one place for a file."""


class TooLargeError(Exception):
    """Something that does not fit into its partition."""


def write_card(path: Path, table: Table, contents: Mapping[int, Path]) -> None:
    """Write a card: these images into these partitions, and nothing into the others."""
    with path.open("wb") as card:
        card.truncate(table.logical[-1].end * SECTOR)
        for sector, content in table.sectors().items():
            card.seek(sector * SECTOR)
            card.write(content)
    for number, image in contents.items():
        partition = table.partition(number)
        if image.stat().st_size > partition.sectors * SECTOR:
            raise TooLargeError(
                f"{image.name} has {image.stat().st_size} bytes and does not fit into partition {number}, which has"
                f" {partition.sectors * SECTOR}: make it larger in systemd/card_build/layout.py."
            )
        _copy_into(path, partition.start * SECTOR, image)


def data_image(path: Path, moment: int) -> None:
    """An empty file system for games and settings, the same at every call."""
    path.unlink(missing_ok=True)
    identifier = f"{DISK_ID:08x}-0000-4000-8000-000000000007"
    features = "^metadata_csum_seed,^orphan_file,metadata_csum,64bit"
    options = ("-q", "-t", "ext4", "-L", "quarto-data", "-U", identifier, "-m", "1", "-O", features)
    # Growing writes zeros into a place for every file that there could be; usual is sixteen times as many.
    few = ("-i", f"{BYTES_PER_FILE}")
    fixed = ("-E", f"hash_seed={identifier},lazy_itable_init=0,lazy_journal_init=0,root_owner=0:0", "-J", "size=8")
    environment = {
        **os.environ,
        "PATH": PROGRAMS_PATH,
        "E2FSPROGS_FAKE_TIME": str(moment),
        "SOURCE_DATE_EPOCH": str(moment),
    }
    with TemporaryDirectory() as folder:
        os.utime(folder, (moment, moment))
        Path(folder).chmod(0o755)
        command: list[str | Path] = ["mkfs.ext4", *options, *few, *fixed, "-d", folder, path, f"{DATA_MEBIBYTES}M"]
        subprocess.run(command, check=True, env=environment)


def _copy_into(card: Path, at: int, image: Path) -> None:
    """Blocks of nothing but zeros are left out: they are there already."""
    with card.open("r+b") as target, image.open("rb") as source:
        while block := source.read(_BLOCK):
            if block.strip(b"\0"):
                target.seek(at)
                target.write(block)
            at += len(block)

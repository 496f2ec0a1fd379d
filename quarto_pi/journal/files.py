"""Files that a power cut finds either old or new, never in between."""

from __future__ import annotations

import os
from pathlib import Path


def sync(path: Path) -> None:
    """Have a file or a folder written to the storage itself."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def rename(old: Path, new: Path) -> None:
    """Rename a file, for good."""
    old.rename(new)
    sync(new.parent)


def write_whole(file: Path, text: str) -> None:
    """Write a file so that it is there as a whole, or as it was before."""
    beside = file.with_name(f"{file.name}.new")
    with beside.open("w", encoding="utf-8") as stream:
        stream.write(text)
        stream.flush()
        os.fsync(stream.fileno())
    rename(beside, file)


def next_number(folder: Path, stem: str) -> int:
    """One more than the highest number of the files `STEM-NUMBER…`: a Pi does not know the time when it starts."""
    numbers = [name.name.removeprefix(f"{stem}-")[:6] for name in folder.glob(f"{stem}-[0-9]*")]
    return 1 + max((int(number) for number in numbers if number.isdecimal()), default=0)

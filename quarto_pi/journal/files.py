"""The names of files beside the journal, which outlive a power cut and tell which came first."""

from __future__ import annotations

from pathlib import Path

from quarto_pi.files import sync_folder


def rename(old: Path, new: Path) -> None:
    """Rename a file, for good."""
    old.rename(new)
    sync_folder(new.parent)


def next_number(folder: Path, stem: str) -> int:
    """One more than the highest number of the files `STEM-NUMBER…`: a Pi does not know the time when it starts."""
    numbers = [name.name.removeprefix(f"{stem}-")[:6] for name in folder.glob(f"{stem}-[0-9]*")]
    return 1 + max((int(number) for number in numbers if number.isdecimal()), default=0)

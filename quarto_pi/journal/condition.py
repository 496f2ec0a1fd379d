"""How the storage of the journal is doing, for `quarto-pi check`: nothing of it is changed by looking."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from quarto_pi.journal import backups, damage
from quarto_pi.journal.errors import JournalError, JournalNewer
from quarto_pi.journal.opening import reading
from quarto_pi.journal.place import FILE

LEAST_FREE_MB: Final = 50


@dataclass(frozen=True, slots=True)
class Condition:
    """Whether games are safe here, what was seen, and what to do about it."""

    ok: bool
    detail: str
    fix: str | None = None


def condition_of(folder: Path) -> Condition:
    """Look at the folder, the room that is left, the journal's pages and its backups."""
    present = next(path for path in (folder, *folder.parents) if path.exists())
    if not present.is_dir() or not os.access(present, os.W_OK | os.X_OK):
        return Condition(
            False, f"nothing can be written to {present}", "give the board's user the right to write there"
        )
    free = shutil.disk_usage(present).free // 1_000_000
    if free < LEAST_FREE_MB:
        return Condition(False, f"only {free} MB are free at {present}", "delete what is not needed there")
    if not (folder / FILE).exists():
        return Condition(True, f"no game kept yet in {folder}, {free} MB free")
    try:
        with reading(folder) as connection:
            (games,) = connection.execute("SELECT count(*) FROM games").fetchone()
            found = [row[0] for row in connection.execute("PRAGMA quick_check(1)")]
    except JournalNewer as error:
        return Condition(False, str(error), "install the newer quarto-pi again, or keep the journal elsewhere")
    except (sqlite3.Error, JournalError) as error:
        return Condition(False, str(error), "restart the board: it sets the file aside and takes over a backup")
    if found != ["ok"]:
        said = f"the journal in {folder} is damaged ({found[0]})"
        return Condition(False, said, "restart the board: it sets the file aside and takes over a backup")
    return Condition(True, f"{games} games in {folder}, sound, {_copies(folder)}, {free} MB free")


def _copies(folder: Path) -> str:
    copies, aside = len(backups.all_in(folder)), 0
    with contextlib.suppress(OSError):
        aside = len(list(folder.glob(f"{damage.STEM}-*.txt")))
    said = f"{copies} backup{'' if copies == 1 else 's'}"
    return f"{said}, {aside} set aside" if aside else said

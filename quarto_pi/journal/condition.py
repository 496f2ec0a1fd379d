"""How the journal is doing, for `quarto-pi check`: nothing of it is changed by looking."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from quarto_pi.journal import backups, damage
from quarto_pi.journal.errors import JournalError, JournalNewer
from quarto_pi.journal.opening import reading
from quarto_pi.journal.place import FILE

_RESTART: Final = "restart the board: it sets the file aside and takes over a backup"


@dataclass(frozen=True, slots=True)
class Condition:
    """Whether games are safe here, what was seen, and what to do about it."""

    ok: bool
    detail: str
    fix: str | None = None


def condition_of(folder: Path) -> Condition:
    """Look at a journal's version, its pages and its backups."""
    if not (folder / FILE).exists():
        return Condition(True, f"no game kept yet in {folder}")
    try:
        with reading(folder) as connection:
            (games,) = connection.execute("SELECT count(*) FROM games").fetchone()
            found = [row[0] for row in connection.execute("PRAGMA quick_check(1)")]
    except JournalNewer as error:
        return Condition(False, str(error), "install the newer quarto-pi again, or keep the journal elsewhere")
    except (sqlite3.Error, JournalError) as error:
        return Condition(False, str(error), _RESTART)
    if found != ["ok"]:
        return Condition(False, f"the journal in {folder} is damaged ({found[0]})", _RESTART)
    return Condition(True, f"{games} game{'' if games == 1 else 's'} in {folder}, sound; {_copies(folder)}")


def _copies(folder: Path) -> str:
    copies, aside = len(backups.all_in(folder)), len(list(folder.glob(f"{damage.STEM}-*.txt")))
    said = f"{copies} backup{'' if copies == 1 else 's'}"
    return f"{said}, {aside} set aside" if aside else said

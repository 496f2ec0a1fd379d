"""Where the pieces of a simulated table stand, in a file: wood stays where it is when power fails."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Final

from quarto_pi.sensing.readings import CELLS
from quarto_pi.simulation.board import UIDS
from quarto_pi.simulation.table import Table

FILE: Final = "table.json"


class Wood:
    """Writes down where pieces rest whenever that has changed; a piece in the air stands nowhere."""

    def __init__(self, table: Table, folder: Path) -> None:
        self._table = table
        self._file = folder / FILE
        self._written: dict[str, str] | None = None

    def put_back(self) -> None:
        """Put the pieces where they stood; a file that says nothing sensible is an empty table."""
        try:
            said = json.loads(self._file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return
        standing = said.items() if isinstance(said, dict) else ()
        for uid, cell in standing:
            if uid in UIDS and cell in CELLS and cell not in self._table.resting.values():
                self._table.rest(uid, cell)

    def look(self) -> None:
        """Write it down if hands have moved something."""
        standing = dict(self._table.resting)
        if standing == self._written:
            return
        beside = self._file.with_suffix(".new")
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            with beside.open("w", encoding="utf-8") as stream:
                json.dump(standing, stream)
                stream.flush()
                os.fsync(stream.fileno())
            beside.replace(self._file)
        except OSError:
            # Real wood needs no storage; simulated wood does without as long as it can.
            return
        self._written = standing

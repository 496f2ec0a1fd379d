"""An update is recorded, write by write, while a journal is being kept beside it."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from card.boot_choice import Slot

from tests.flashed.cuts import KEPT
from tests.flashed.emulator import Machine
from tests.flashed.recorded import Recording, Told

_KEEPER: Final = f"""\
import time
from itertools import count
from pathlib import Path
from quarto_pi.journal import journal, repair
from quarto_pi.journal.records import Entry, EventRow
connection, _ = repair.open_checked(Path("/data/{KEPT}"))
for number in count():
    journal.write(connection, [Entry(events=(EventRow(number, 0.0, "kept"),))])
    print("kept", number, flush=True)
    time.sleep(0.5)
"""
COUNT: Final = f"""\
import sqlite3
from contextlib import closing
with closing(sqlite3.connect("/data/{KEPT}/journal.sqlite")) as journal:
    print(*journal.execute("SELECT count(*) FROM events").fetchone())
"""  # noqa: S608 - our own names
_KEPT: Final = re.compile(r"(?m)^kept (\d+)\r?$")


@dataclass(frozen=True, slots=True)
class RecordedUpdate:
    """All that was written by the machine that installed an update, and by the one that tried it."""

    was: Slot
    installed: Recording
    tried: Recording
    digests: Mapping[Slot, str]
    """What is in a slot once it is whole."""


def keep_a_journal(machine: Machine) -> None:
    """Have a journal kept from now on, as the board keeps its own; each entry is told once it is safe."""
    machine.run(f"cat > /run/keeper <<'end'\n{_KEEPER}end")
    machine.run("cd / && setsid /opt/quarto-pi/current/venv/bin/python /run/keeper > /dev/ttyS1 2>&1 &")


def told_until_it_stops(machine: Machine, log: Path, seconds: float) -> tuple[Told, ...]:
    """What the keeper tells, and how much was written by then, until the machine restarts."""
    told: list[Told] = []
    end = time.monotonic() + seconds
    while not machine.has_stopped() and time.monotonic() < end:
        numbers = _KEPT.findall(machine.said())
        if numbers and (not told or told[-1].number < int(numbers[-1])):
            # What was told is among the writes by now.
            told.append(Told(int(numbers[-1]), log.stat().st_size))
        time.sleep(0.2)
    return tuple(told)

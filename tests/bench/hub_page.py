"""What many boards cost the hub's page: hearing them, looking after them, and telling a page about them."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from quarto_pi.chain.messages import Doing
from quarto_pi.hub.alarms import AlarmBook, symptoms_of
from quarto_pi.hub.fleet import Fleet, ListedBoard
from quarto_pi.hub.metrics import IntakeCounts, exposition
from quarto_pi.hub.page_boards import row_as_json
from tests.bench.measure import table
from tests.hub.boards import ILL, PLAYS

SIZES: Final = (10, 100, 1_000)
HEARD: Final = 20_000


def run() -> None:
    """Ten, a hundred and a thousand boards."""
    table(
        "What many boards cost the hub's page",
        ("boards", "a status is heard", "a look at all", "all as JSON", "that JSON", "figures"),
        [_measured(boards) for boards in SIZES],
    )


def _measured(boards: int) -> tuple[str, ...]:
    dice = random.Random(1)
    names = [f"board-{number}" for number in range(boards)]
    listed = [ListedBoard(name, f"house-{number % 30}", ever_heard=True) for number, name in enumerate(names)]
    fleet, book = Fleet(listed, 0), AlarmBook()
    fleet.link(0)
    for name in names:
        fleet.presence(name, here=True, now=1)
        fleet.status(name, PLAYS, 1)
    statuses = [
        (dice.choice(names), replace(dice.choice((PLAYS, ILL, replace(PLAYS, doing=Doing.OVER))), game=number))
        for number in range(HEARD)
    ]

    def hear() -> None:
        for name, status in statuses:
            fleet.status(name, status, 2)

    told: list[str] = []
    heard = _seconds(hear)
    looked = _seconds(lambda: book.look(symptoms_of(fleet, 9e9), 9e9))
    whole = _seconds(lambda: told.append(json.dumps([row_as_json(row) for row in fleet.rows()])))
    figures = _seconds(lambda: told.append(exposition(IntakeCounts(), fleet.rows(), [], linked=True)))
    return (
        f"{boards:,}",
        f"{1e6 * heard / HEARD:.0f} us",
        f"{1e3 * looked:.2f} ms",
        f"{1e3 * whole:.2f} ms",
        f"{len(told[0]) / 1e3:.0f} kB",
        f"{1e3 * figures:.2f} ms",
    )


def _seconds(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began

"""What the watch knows again after a new start: alarms, which boards were ever heard, and what is wanted of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Final, Protocol

from quarto_pi.chain.hub_messages import BoardOrder, OrderOutcome, pack_order, pack_outcome, read_order, read_outcome
from quarto_pi.hub.alarms import Alarm, AlarmKind, Cause

WATCH_MIGRATION: Final = (
    """CREATE TABLE watch_alarms (
        number BIGINT PRIMARY KEY,
        kind TEXT NOT NULL,
        place TEXT NOT NULL,
        device TEXT NOT NULL,
        house TEXT NOT NULL,
        detail TEXT NOT NULL,
        fix TEXT NOT NULL,
        raised DOUBLE PRECISION NOT NULL,
        times INTEGER NOT NULL,
        cleared DOUBLE PRECISION NOT NULL,
        acknowledged_by TEXT NOT NULL,
        acknowledged DOUBLE PRECISION NOT NULL
    )""",
    "CREATE INDEX watch_alarms_on ON watch_alarms (number) WHERE cleared = 0",
    "CREATE TABLE heard (board TEXT PRIMARY KEY, first DOUBLE PRECISION NOT NULL)",
    """CREATE TABLE orders (
        board TEXT PRIMARY KEY,
        number BIGINT NOT NULL,
        body TEXT NOT NULL,
        given_by TEXT NOT NULL,
        given DOUBLE PRECISION NOT NULL,
        outcome TEXT NOT NULL
    )""",
)
"""What the tables of a hub have from version 2 on."""

PUT_ASIDE_MIGRATION: Final = (
    "ALTER TABLE watch_alarms ADD COLUMN put_aside_by TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE alarms ADD COLUMN ended_by TEXT NOT NULL DEFAULT ''",
    # Before, one alarm of the page was about all that a board may tell wrongly; which one it was stands in `alarms`.
    "UPDATE watch_alarms SET kind = 'contradiction' WHERE kind = 'conflict'",
)
"""Alarms that somebody has put aside."""

_COLUMNS: Final = (
    "number, kind, place, device, house, detail, fix, raised, times, cleared, acknowledged_by, acknowledged, "
    "put_aside_by"
)
_CHANGING: Final = ("detail", "fix", "times", "cleared", "acknowledged_by", "acknowledged", "put_aside_by")


@dataclass(frozen=True, slots=True)
class GivenOrder:
    """What is wanted of a board, who wanted it when, and what became of it; None as long as the board has not said."""

    board: str
    order: BoardOrder
    by: str
    at: float
    outcome: OrderOutcome | None = None


class RunsSql(Protocol):
    """A connection to a database."""

    def run(self, sql: str, values: Sequence[object] = ()) -> list[tuple[object, ...]]:
        """Run a statement, and return its rows."""

    def transaction(self) -> AbstractContextManager[None]:
        """All that is run within it is done, or nothing of it."""


class AlarmTable:
    """The tables; whatever fails raises `StoreAway`."""

    def __init__(self, database: RunsSql) -> None:
        self._database = database

    def keep_alarms(self, alarms: Iterable[Alarm]) -> None:
        """Enter alarms, or what has become of them."""
        updates = ", ".join(f"{name} = excluded.{name}" for name in _CHANGING)
        with self._database.transaction():
            for alarm in alarms:
                cause = alarm.cause
                self._database.run(
                    f"INSERT INTO watch_alarms ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "  # noqa: S608 - ours
                    f"ON CONFLICT (number) DO UPDATE SET {updates}",
                    (
                        alarm.number,
                        cause.kind.value,
                        cause.where,
                        cause.device,
                        alarm.house,
                        alarm.detail,
                        alarm.fix,
                        float(alarm.raised),
                        alarm.times,
                        float(alarm.cleared),
                        alarm.acknowledged_by,
                        float(alarm.acknowledged),
                        alarm.put_aside_by,
                    ),
                )

    def alarms_on(self) -> list[Alarm]:
        """Those that are on."""
        return self._alarms("WHERE cleared = 0 ORDER BY number", ())

    def last_alarms(self, most: int) -> list[Alarm]:
        """Those that are over, the newest first."""
        return self._alarms("WHERE cleared > 0 ORDER BY number DESC LIMIT ?", (most,))

    def newest_alarm(self) -> int:
        """The highest number that an alarm has had; 0 before the first."""
        ((number,),) = self._database.run("SELECT coalesce(max(number), 0) FROM watch_alarms")
        return int(str(number))

    def note_heard(self, boards: Iterable[str], at: float) -> None:
        """These boards were heard."""
        with self._database.transaction():
            for board in boards:
                self._database.run(
                    "INSERT INTO heard (board, first) VALUES (?, ?) ON CONFLICT (board) DO NOTHING", (board, float(at))
                )

    def heard(self) -> set[str]:
        """All boards that were ever heard."""
        return {str(board) for (board,) in self._database.run("SELECT board FROM heard")}

    def give_order(self, given: GivenOrder) -> None:
        """Enter what is wanted of a board now, in the place of what was wanted before."""
        self._database.run(
            "INSERT INTO orders (board, number, body, given_by, given, outcome) VALUES (?, ?, ?, ?, ?, '') "
            "ON CONFLICT (board) DO UPDATE SET number = excluded.number, body = excluded.body, "
            "given_by = excluded.given_by, given = excluded.given, outcome = ''",
            (given.board, given.order.number, pack_order(given.order).decode(), given.by, float(given.at)),
        )

    def note_outcome(self, board: str, outcome: OrderOutcome) -> None:
        """Enter what became of an order, if it is still the newest one of its board."""
        self._database.run(
            "UPDATE orders SET outcome = ? WHERE board = ? AND number = ?",
            (pack_outcome(outcome).decode(), board, outcome.number),
        )

    def orders(self) -> list[GivenOrder]:
        """What is wanted of boards, by their names."""
        rows = self._database.run("SELECT board, body, given_by, given, outcome FROM orders ORDER BY board")
        return [
            GivenOrder(
                str(board),
                read_order(str(body).encode()),
                str(by),
                float(str(at)),
                read_outcome(str(outcome).encode()) if outcome else None,
            )
            for board, body, by, at, outcome in rows
        ]

    def newest_order(self) -> int:
        """The highest number that an order has; 0 before the first."""
        ((number,),) = self._database.run("SELECT coalesce(max(number), 0) FROM orders")
        return int(str(number))

    def _alarms(self, which: str, values: Sequence[object]) -> list[Alarm]:
        rows = self._database.run(f"SELECT {_COLUMNS} FROM watch_alarms {which}", values)  # noqa: S608 - ours
        return [_alarm(row) for row in rows]


def _alarm(row: Sequence[object]) -> Alarm:
    number, kind, place, device, house, detail, fix, raised, times, cleared, by, acknowledged, aside = map(str, row)
    return Alarm(
        int(number),
        Cause(AlarmKind(kind), place, device),
        house,
        detail,
        fix,
        float(raised),
        int(times),
        float(cleared),
        by,
        float(acknowledged),
        aside,
    )

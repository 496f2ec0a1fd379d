"""The tables of a hub, and what a database has to be able to do that has them.

`HUB_MIGRATIONS[n]` leads from version n to version n + 1. A `?` stands for a value, and for nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Final, Protocol

from quarto_pi.hub.alarm_table import PUT_ASIDE_MIGRATION, WATCH_MIGRATION
from quarto_pi.hub.game_queries import BETWEEN_MIGRATION
from quarto_pi.hub.rollout_table import ROLLOUT_MIGRATION
from quarto_pi.hub.tournament_table import SPECTATORS_MIGRATION, TOURNAMENT_MIGRATION

Rows = list[tuple[object, ...]]


class Database(Protocol):
    """A connection that runs SQL; errors of its own kind leave it as `StoreAway`, but for those about the values."""

    row_lock: str
    """What a SELECT ends with whose rows are about to be changed."""

    def run(self, sql: str, values: Sequence[object] = ()) -> Rows:
        """Run a statement, and return its rows."""

    def transaction(self) -> AbstractContextManager[None]:
        """All that is run within it is done, or nothing of it; what is done is on disk."""

    def has_tables(self) -> bool:
        """Whether there are tables of a hub."""

    def lock_schema(self) -> None:
        """Within a transaction: be the only one that makes tables."""

    def close(self) -> None:
        """Let go of it."""


HUB_MIGRATIONS: Final = (
    (
        "CREATE TABLE hub (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
        """CREATE TABLE boards (
            name TEXT PRIMARY KEY,
            house TEXT NOT NULL,
            added DOUBLE PRECISION NOT NULL,
            revoked DOUBLE PRECISION
        )""",
        """CREATE TABLE settled (
            board TEXT NOT NULL,
            history TEXT NOT NULL,
            game BIGINT NOT NULL,
            number BIGINT NOT NULL,
            at DOUBLE PRECISION NOT NULL,
            received DOUBLE PRECISION NOT NULL,
            body TEXT NOT NULL,
            PRIMARY KEY (board, history, game, number)
        )""",
        """CREATE TABLE games (
            board TEXT NOT NULL,
            history TEXT NOT NULL,
            game BIGINT NOT NULL,
            received DOUBLE PRECISION NOT NULL,
            begun DOUBLE PRECISION,
            ended DOUBLE PRECISION,
            over INTEGER NOT NULL,
            seats TEXT NOT NULL,
            winner INTEGER,
            reason TEXT,
            moves INTEGER NOT NULL,
            missed INTEGER NOT NULL,
            undone INTEGER NOT NULL,
            false_calls INTEGER NOT NULL,
            position TEXT NOT NULL,
            through BIGINT NOT NULL,
            highest BIGINT NOT NULL,
            fault TEXT,
            PRIMARY KEY (board, history, game)
        )""",
        "CREATE INDEX games_by_time ON games (received, board, history, game)",
        "CREATE INDEX games_of_board ON games (board, received)",
        "CREATE INDEX games_under_way ON games (received) WHERE over = 0",
        """CREATE TABLE alarms (
            board TEXT NOT NULL,
            kind TEXT NOT NULL,
            first DOUBLE PRECISION NOT NULL,
            text TEXT NOT NULL,
            last DOUBLE PRECISION NOT NULL,
            times INTEGER NOT NULL,
            ended DOUBLE PRECISION,
            PRIMARY KEY (board, kind, first)
        )""",
        "CREATE UNIQUE INDEX alarms_that_last ON alarms (board, kind) WHERE ended IS NULL",
    ),
    WATCH_MIGRATION,
    TOURNAMENT_MIGRATION,
    BETWEEN_MIGRATION,
    PUT_ASIDE_MIGRATION,
    SPECTATORS_MIGRATION,
    ROLLOUT_MIGRATION,
)

"""The database of a chain: PostgreSQL, which may be on another machine, and away at times."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import Final, LiteralString

try:
    import psycopg
except ImportError as _error:
    from quarto_pi.hub.settings import HubFailure

    raise HubFailure(
        "psycopg is not installed, which speaks with PostgreSQL: do pip install 'quarto-pi[hub]'."
    ) from _error

from quarto_pi.hub.schema import HUB_MIGRATIONS, Rows
from quarto_pi.hub.store import StoreAway
from quarto_pi.hub.tables import SqlStore

_SCHEMA_LOCK: Final = 0x51506831
CONNECT_SECONDS: Final = 5
STATEMENT_SECONDS: Final = 30
_OF_THE_VALUES: Final = (psycopg.DataError, psycopg.IntegrityError, psycopg.NotSupportedError)
"""Errors about what was to be written: the database is there."""
_OPTIONS: Final = f"-c statement_timeout={1000 * STATEMENT_SECONDS} -c synchronous_commit=on"


class PostgresDatabase:
    """A connection to PostgreSQL; a lost one is not mended, another store is opened instead."""

    row_lock = " FOR UPDATE"

    def __init__(self, address: str) -> None:
        try:
            self._connection = psycopg.connect(
                address,
                autocommit=True,
                connect_timeout=CONNECT_SECONDS,
                options=_OPTIONS,
                application_name="quarto-pi hub",
                # Half a connection is noticed after as long as a connection may take.
                keepalives_idle=CONNECT_SECONDS,
                keepalives_interval=1,
                keepalives_count=CONNECT_SECONDS,
                tcp_user_timeout=2000 * CONNECT_SECONDS,
            )
        except (psycopg.Error, UnicodeError) as error:
            raise StoreAway(
                f"PostgreSQL is not reached ({_said(error)}): is it running, and is its address right?"
            ) from error

    def run(self, sql: str, values: Sequence[object] = ()) -> Rows:
        """Run a statement, and return its rows."""
        try:
            cursor = self._connection.execute(_with_their_marks(sql), tuple(values))
            return cursor.fetchall() if cursor.description is not None else []
        except _OF_THE_VALUES:
            raise
        except psycopg.Error as error:
            raise StoreAway(f"PostgreSQL refuses ({_said(error)}): look at its log.") from error

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All that is run within it is done, or nothing of it."""
        try:
            with self._connection.transaction():
                yield
        except _OF_THE_VALUES:
            raise
        except psycopg.Error as error:
            raise StoreAway(f"PostgreSQL refuses ({_said(error)}): look at its log.") from error

    def has_tables(self) -> bool:
        """Whether there are tables of a hub."""
        return self.run("SELECT to_regclass('hub') IS NOT NULL")[0][0] is True

    def lock_schema(self) -> None:
        """Within a transaction: be the only one that makes tables."""
        self.run("SELECT pg_advisory_xact_lock(?)", (_SCHEMA_LOCK,))

    def close(self) -> None:
        """Let go of it."""
        self._connection.close()


@lru_cache(maxsize=2_000)
def _with_their_marks(sql: str) -> LiteralString:
    """The statement with the marks that psycopg has for values; a percent sign of ours is one."""
    return sql.replace("%", "%%").replace("?", "%s")


def _said(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[0].rstrip(".") if lines else type(error).__name__


def open_postgres(address: str, migrations: Sequence[Sequence[str]] = HUB_MIGRATIONS) -> SqlStore:
    """The store at this address, with its tables made or brought up to date."""
    database = PostgresDatabase(address)
    try:
        return SqlStore(database, migrations, "the database")
    except BaseException:
        database.close()
        raise

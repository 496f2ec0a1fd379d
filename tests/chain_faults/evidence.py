"""What boards and hub have kept, read from their files and tables by SQL of our own."""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.chain_faults.checker import SETTLED_EVENTS, Event, FoundHub, FoundJournal, HubAction, HubGame

Row = Sequence[Any]

_ACTIONS = "SELECT board, history, game, number, body FROM settled ORDER BY board, history, game, number"
_GAMES = "SELECT board, history, game, reason, winner FROM games ORDER BY board, history, game"

_ALARMS = "SELECT board, text FROM alarms WHERE board <> '' ORDER BY first"


def journal_in(board: str, file: Path) -> FoundJournal:
    """What a board's journal holds, whether or not its process is alive."""
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True, timeout=30)) as base:
        base.execute("BEGIN")
        ((history,),) = base.execute("SELECT id FROM history").fetchall()
        games: dict[int, list[Event]] = defaultdict(list)
        for game, told in base.execute("SELECT game, told FROM events ORDER BY id"):
            event = json.loads(told)
            if game > 0 and event["event"] in SETTLED_EVENTS:
                event.pop("t")
                games[game].append(event)
        waiting = base.execute("SELECT history, game, number, told FROM settled ORDER BY history, game, number")
        queue = [HubAction(board, of, game, number, json.loads(told)) for of, game, number, told in waiting]
        ended = base.execute("SELECT number, winner, reason FROM games WHERE reason IS NOT NULL")
        outcomes = {number: (winner, reason) for number, winner, reason in ended if number in games}
    return FoundJournal(board, history, dict(games), queue, outcomes)


def matches_in(file: Path) -> list[dict[str, Any]]:
    """The games with other boards that a journal holds, the newest last."""
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True, timeout=30)) as base:
        return [json.loads(kept) for (kept,) in base.execute("SELECT kept FROM matches ORDER BY id")]


def hub_of(actions: Iterable[Row], games: Iterable[Row]) -> FoundHub:
    """What the rows of a hub's tables say."""
    return FoundHub(
        [HubAction(board, history, game, number, _event(body)) for board, history, game, number, body in actions],
        [HubGame(*row) for row in games],
    )


def hub_in_file(file: Path) -> FoundHub:
    """What a hub with SQLite has."""
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True, timeout=30)) as base:
        return hub_of(base.execute(_ACTIONS).fetchall(), base.execute(_GAMES).fetchall())


def hub_in_server(address: str) -> FoundHub:
    """What a hub with PostgreSQL has."""
    import psycopg  # noqa: PLC0415 - a house has none

    with psycopg.connect(address) as base:
        return hub_of(base.execute(_ACTIONS).fetchall(), base.execute(_GAMES).fetchall())


def alarms_in_file(file: Path) -> list[tuple[str, str]]:
    """The alarms that boards have raised at a hub with SQLite: each board's, and what it says."""
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True, timeout=30)) as base:
        return [(board, text) for board, text in base.execute(_ALARMS)]


def alarms_in_server(address: str) -> list[tuple[str, str]]:
    """Those at a hub with PostgreSQL."""
    import psycopg  # noqa: PLC0415 - a house has none

    with psycopg.connect(address) as base:
        return [(board, text) for board, text in base.execute(_ALARMS)]


def _event(body: object) -> Event:
    """What was told, as the hub has kept it."""
    told = json.loads(bytes(body) if isinstance(body, memoryview) else body) if not isinstance(body, dict) else body  # type: ignore[arg-type]
    event: Event = told["event"] if isinstance(told.get("event"), dict) else told
    return event

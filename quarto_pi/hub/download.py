"""Games as CSV, as JSON lines and as records, made while they are read: a history of years fits through."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, fields
from datetime import UTC, datetime
from typing import Final

from quarto_pi.hub.replaying import replay_actions
from quarto_pi.hub.store import ChainGame, GameKey, HubStore
from quarto_pi.rules import Record

_MOMENTS: Final = ("received", "begun", "ended")
_LEFT_OUT: Final = ("through", "highest")
GAME_COLUMNS: Final = tuple(field.name for field in fields(ChainGame) if field.name not in _LEFT_OUT)
_BEGINS_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")


def game_as_json(game: ChainGame) -> dict[str, object]:
    """A game as an object; moments in seconds since 1970."""
    told = asdict(game)
    return {name: told[name] for name in GAME_COLUMNS}


def games_as_json_lines(games: Iterable[ChainGame]) -> Iterator[str]:
    """Games as one JSON object a line."""
    for game in games:
        yield f"{json.dumps(game_as_json(game), ensure_ascii=False, separators=(',', ':'))}\n"


def games_as_csv(games: Iterable[ChainGame]) -> Iterator[str]:
    """Games as a table, in the way of RFC 4180; moments in UTC."""
    yield _row(GAME_COLUMNS)
    for game in games:
        told = game_as_json(game)
        for name in _MOMENTS:
            told[name] = _moment(told[name])
        told["seats"] = " - ".join(game.seats)
        yield _row(_harmless(told[name]) for name in GAME_COLUMNS)


def record_of_game(store: HubStore, key: GameKey) -> str | None:
    """A game as a record that `replay --game` reads; as far as it could be played. None where there is none."""
    game = store.game(key)
    replayed = replay_actions(store.actions(key)) if game is not None else None
    if game is None or replayed is None or replayed.game is None:
        return None
    headers = {"Board": game.board, "Game": f"{game.game}"}
    if game.house and '"' not in game.house:
        headers["House"] = game.house
    if game.begun is not None:
        headers["Date"] = _moment(game.begun)
    headers |= {f"Player{number}": seat for number, seat in enumerate(game.seats, start=1) if '"' not in seat}
    return str(Record(replayed.game, headers))


def _row(values: Iterable[object]) -> str:
    line = io.StringIO()
    csv.writer(line).writerow(values)
    return line.getvalue()


def _harmless(value: object) -> object:
    """A value that no spreadsheet takes for a formula: what boards tell of themselves is not to be trusted."""
    if value is None:
        return ""
    return f"'{value}" if isinstance(value, str) and value.startswith(_BEGINS_FORMULA) else value


def _moment(seconds: object) -> str:
    if not isinstance(seconds, int | float):
        return ""
    try:
        return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%SZ}"
    except (OverflowError, ValueError, OSError):
        return ""

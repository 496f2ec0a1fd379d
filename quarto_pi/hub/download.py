"""Games as files to keep, as CSV, JSON lines and records, made while they are read: a history of years fits through.

They are read some at a time: nobody waits for a large chain, and no more than a part of it is ever held.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from dataclasses import asdict, fields, replace
from datetime import UTC, datetime
from itertools import islice
from typing import Final

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from quarto_pi.hub.login import Logins
from quarto_pi.hub.page_games import search_of
from quarto_pi.hub.replaying import replay_actions
from quarto_pi.hub.store import ChainGame, GameKey, GameSearch, HubStore, PageStore, place_of_game
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


# --- All finished games as files to keep: a table for spreadsheets, and lines of JSON ---------------------------------

GAMES_A_PART: Final = 500

AsLines = Callable[[Iterable[ChainGame]], Iterator[str]]


class GameFiles:
    """The routes of the files."""

    def __init__(self, store: PageStore, logins: Logins) -> None:
        self._store = store
        self._logins = logins

    def routes(self) -> list[Route]:
        """Both of them."""
        return [Route("/api/v1/games.csv", self._csv), Route("/api/v1/games.jsonl", self._jsonl)]

    async def _csv(self, request: Request) -> Response:
        # Each part would have the names of the columns again.
        parts = self._parts(self._wanted(request), lambda games: islice(games_as_csv(games), 1, None))
        return _file("games.csv", "text/csv; charset=utf-8", parts, next(games_as_csv(())))

    async def _jsonl(self, request: Request) -> Response:
        return _file("games.jsonl", "application/x-ndjson", self._parts(self._wanted(request), games_as_json_lines))

    def _wanted(self, request: Request) -> GameSearch:
        return search_of(request, self._logins.who(request), GAMES_A_PART)

    async def _parts(self, wanted: GameSearch, as_lines: AsLines) -> AsyncIterator[str]:
        while True:
            asked = wanted
            games = await self._store.ask(lambda store: store.games(asked))  # noqa: B023 - asked for at once
            yield "".join(as_lines(games))
            if len(games) < wanted.most:
                return
            wanted = replace(wanted, before=place_of_game(games[-1]))


def _file(name: str, kind: str, parts: AsyncIterator[str], first: str = "") -> Response:
    async def whole() -> AsyncIterator[str]:
        yield first
        async for part in parts:
            yield part

    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return StreamingResponse(whole(), media_type=kind, headers=headers)

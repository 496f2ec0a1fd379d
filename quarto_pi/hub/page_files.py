"""All finished games as files to keep: a table for spreadsheets, and lines of JSON with all that was settled.

They are read some at a time: nobody waits for a large chain, and no more than a part of it is ever held.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from dataclasses import replace
from typing import Final

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from quarto_pi.hub.login import Logins
from quarto_pi.hub.page_games import search_of
from quarto_pi.hub.page_store import PageStore
from quarto_pi.hub.store import ChainGame, GameSearch, HubStore, place_of_game
from quarto_pi.web.requests import Json

GAMES_A_PART: Final = 200
TABLE_COLUMNS: Final = (
    "board",
    "house",
    "history",
    "game",
    "begun",
    "ended",
    "received",
    "first",
    "second",
    "winner",
    "reason",
    "pieces",
    "missed",
    "undone",
    "false_calls",
    "position",
)

AsText = Callable[[HubStore, Sequence[ChainGame]], str]


class GameFiles:
    """The routes of the files."""

    def __init__(self, store: PageStore, logins: Logins) -> None:
        self._store = store
        self._logins = logins

    def routes(self) -> list[Route]:
        """Both of them."""
        return [Route("/api/v1/games.csv", self._csv), Route("/api/v1/games.jsonl", self._jsonl)]

    async def _csv(self, request: Request) -> Response:
        parts = self._parts(request, _table_lines, table_line(TABLE_COLUMNS))
        return _file("games.csv", "text/csv; charset=utf-8", parts)

    async def _jsonl(self, request: Request) -> Response:
        return _file("games.jsonl", "application/x-ndjson", self._parts(request, _json_lines, ""))

    def _parts(self, request: Request, written: AsText, first: str) -> AsyncIterator[str]:
        wanted = search_of(request, self._logins.who(request), GAMES_A_PART)
        return self._all(wanted, written, first)

    async def _all(self, wanted: GameSearch, written: AsText, first: str) -> AsyncIterator[str]:
        yield first
        while True:
            part, text = await self._store.ask(lambda store, asked=wanted: _part(store, asked, written))  # type: ignore[misc]
            yield text
            if len(part) < wanted.most:
                return
            wanted = replace(wanted, before=place_of_game(part[-1]))


def _part(store: HubStore, wanted: GameSearch, written: AsText) -> tuple[list[ChainGame], str]:
    games = store.games(wanted)
    return games, written(store, games)


def _fields(game: ChainGame) -> list[object]:
    first, second = (*game.seats, "", "")[:2]
    told = [game.board, game.house, game.history, game.game, game.begun, game.ended, game.received, first, second]
    return [
        *told,
        game.winner,
        game.reason,
        game.moves,
        game.missed,
        game.undone,
        game.false_calls,
        game.position,
    ]


def _table_lines(_: HubStore, games: Iterable[ChainGame]) -> str:
    return "".join(table_line(_fields(game)) for game in games)


def _json_lines(store: HubStore, games: Iterable[ChainGame]) -> str:
    return "".join(f"{json.dumps(_whole(store, game), separators=(',', ':'))}\n" for game in games)


def _whole(store: HubStore, game: ChainGame) -> Json:
    events = [{"number": action.number, "at": action.at, **action.event} for action in store.actions(game.key)]
    return {**dict(zip(TABLE_COLUMNS, _fields(game), strict=True)), "fault": game.fault, "events": events}


def table_line(fields: Iterable[object]) -> str:
    r"""A line of a table for spreadsheets, in which no text is taken for a formula, whoever made it up.

    >>> table_line(["=1+1", 3, None])
    "'=1+1,3,\r\n"
    """
    line = io.StringIO()
    csv.writer(line, lineterminator="\r\n").writerow([_harmless(field) for field in fields])
    return line.getvalue()


def _harmless(field: object) -> object:
    return f"'{field}" if isinstance(field, str) and field[:1] in ("=", "+", "-", "@", "\t", "\r") else field


def _file(name: str, kind: str, parts: AsyncIterator[str]) -> Response:
    return StreamingResponse(parts, media_type=kind, headers={"content-disposition": f'attachment; filename="{name}"'})

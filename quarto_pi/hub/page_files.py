"""All finished games as files to keep: a table for spreadsheets, and lines of JSON.

They are read some at a time: nobody waits for a large chain, and no more than a part of it is ever held.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Final

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from quarto_pi.hub.download import games_as_csv, games_as_json_lines
from quarto_pi.hub.login import Logins
from quarto_pi.hub.page_games import search_of
from quarto_pi.hub.page_store import PageStore
from quarto_pi.hub.store import ChainGame, GameSearch, place_of_game

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

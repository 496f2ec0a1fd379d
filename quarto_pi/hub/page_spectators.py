"""Who watches one board's game without being logged in: a link that only its house can make, and take away again.

The link ends in a token of 144 random bits behind a `#`, which browsers keep for themselves. It opens one board, and of
that no more than the game that stands there now.
"""

from __future__ import annotations

import io
import secrets
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from typing import Final

import segno
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from quarto_pi.hub.board_post import CODE_LETTERS, CODE_PATH, display_code_of
from quarto_pi.hub.login import Logins
from quarto_pi.hub.page_boards import WatchStreams, watched_as_json
from quarto_pi.hub.people import HubUser
from quarto_pi.hub.store import PageStore
from quarto_pi.hub.watch import Watch
from quarto_pi.web.guard import BOARD_ITSELF
from quarto_pi.web.requests import body_of, known, truth
from quarto_pi.web.wishes import Json, RefusalReason, Refused

MOST_SPECTATORS: Final = 150
"""So many watch without being logged in at once, of all boards together."""
MOST_OF_BOARD: Final = 50
TOKEN_BYTES: Final = 18
FRESH_SECONDS: Final = 5.0
"""What another process has changed is known after so long."""


class SpectatorPages:
    """The routes for spectators, and for who lets them in."""

    def __init__(
        self,
        watch: Watch,
        store: PageStore,
        logins: Logins,
        streams: WatchStreams,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._watch = watch
        self._store = store
        self._logins = logins
        self._streams = streams
        self._now = now
        self._tokens: dict[str, str] = {}
        self._read_at = float("-inf")
        self._watching: Counter[str] = Counter()

    def routes(self) -> list[Route]:
        """All of them."""
        own = "/api/v1/boards/{board}/spectators"
        return [
            Route(own, self._link),
            Route(own, self._switch, methods=["POST"]),
            Route(f"{own}.svg", self._code),
            Route(f"/{CODE_PATH}{{code}}", self._from_code),
            Route("/api/v1/watch/{token}", self._board),
            Route("/api/v1/watch/{token}/stream", self._stream),
        ]

    # -- for who directs the board's house -----------------------------------------------------------------------------

    async def _link(self, request: Request) -> Response:
        board = self._directed(request, self._logins.who(request))
        await self._read()
        return self._told_link(request, board)

    async def _switch(self, request: Request) -> Response:
        user = self._logins.who(request)
        self._logins.admit(request)
        board = self._directed(request, user)
        body = await body_of(request)
        known(body, ("open",))
        if truth(body, "open"):
            token, at = secrets.token_urlsafe(TOKEN_BYTES), time.time()
            # An address of this machine alone is no use to a phone that looks at the board's display.
            page = "" if _is_for_this_machine(request) else str(request.base_url)
            await self._store.ask(lambda store: store.tournaments.open_to_spectators(board, token, at, page))
        else:
            await self._store.ask(lambda store: store.tournaments.close_to_spectators(board))
        self._read_at = float("-inf")
        await self._read()
        self._streams.wake()
        return self._told_link(request, board)

    async def _code(self, request: Request) -> Response:
        board = self._directed(request, self._logins.who(request))
        await self._read()
        address = self._address(request, board)
        if address is None:
            raise Refused(404, "nobody may watch this board without being logged in.")
        code = io.BytesIO()
        segno.make(address, error="m", micro=False).save(code, kind="svg", scale=8, border=4, light="white")
        return Response(code.getvalue(), media_type="image/svg+xml")

    def _directed(self, request: Request, user: HubUser) -> str:
        board = str(request.path_params["board"])
        row = self._watch.row(board)
        if row is None or not user.sees(row.house):
            raise Refused(404, "there is no such board.")
        if not user.directs(row.house):
            raise Refused(403, "you may look at this house's boards, no more.", RefusalReason.NOT_YOURS)
        return board

    def _told_link(self, request: Request, board: str) -> Response:
        return JSONResponse({"link": self._address(request, board), "only_here": _is_for_this_machine(request)})

    def _address(self, request: Request, board: str) -> str | None:
        token = next((token for token, of in self._tokens.items() if of == board), None)
        return None if token is None else f"{request.base_url}watch#{token}"

    async def _from_code(self, request: Request) -> Response:
        """From the code on a board's display to its link."""
        await self._read()
        code = str(request.path_params["code"])
        if len(code) != CODE_LETTERS or not code.isascii():
            raise Refused(404, "there is nothing here.")
        token = next((token for token in self._tokens if secrets.compare_digest(display_code_of(token), code)), "gone")
        # A link that is no longer good is told so by the page that it leads to.
        return RedirectResponse(f"/watch#{token}", 303, {"cache-control": "no-store", "referrer-policy": "no-referrer"})

    # -- for spectators ------------------------------------------------------------------------------------------------

    async def _board(self, request: Request) -> Response:
        await self._read()
        told = self._told(str(request.path_params["token"]))
        if told is None:
            raise Refused(404, "this link is no longer good: ask for a new one.")
        return JSONResponse(told)

    async def _stream(self, request: Request) -> Response:
        await self._read()
        token = str(request.path_params["token"])
        board = self._tokens.get(token)
        if board is None:
            raise Refused(404, "this link is no longer good: ask for a new one.")
        if self._watching.total() >= MOST_SPECTATORS or self._watching[board] >= MOST_OF_BOARD:
            raise Refused(503, "many people watch just now: try again in a moment.", RefusalReason.BUSY)
        headers = {"x-accel-buffering": "no"}
        return StreamingResponse(self._events(board, token), media_type="text/event-stream", headers=headers)

    async def _events(self, board: str, token: str) -> AsyncIterator[str]:
        self._watching[board] += 1
        try:
            async for event in self._streams.events_of_board(lambda: self._told(token)):
                yield event
        finally:
            self._watching[board] -= 1

    def _told(self, token: str) -> Json | None:
        board = self._tokens.get(token)
        row = None if board is None else self._watch.row(board)
        return None if row is None else watched_as_json(row)

    async def _read(self) -> None:
        """Which boards may be watched; the database is not asked for each who tries."""
        now = self._now()
        if now - self._read_at >= FRESH_SECONDS:
            self._read_at = now
            kept = await self._store.ask(lambda store: store.tournaments.spectators())
            self._tokens = {token: board for board, token in kept.items()}


def _is_for_this_machine(request: Request) -> bool:
    """Whether the address by which the page is seen leads nowhere from another machine."""
    host = request.url.hostname or ""
    return host == "localhost" or host in BOARD_ITSELF or host.startswith("127.")

"""Saved games over the page: taken off the board, put back, or carried on a USB stick, by who may change things."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Final, Protocol

from starlette.background import BackgroundTask
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route

from quarto_pi.rules import QuartoError
from quarto_pi.web.requests import body_of, known, one_of, text
from quarto_pi.web.wishes import Json, RefusalReason, Refused

MOST_UPLOADED: Final = 268_435_456
"""Some hundred thousand games."""
PATIENCE_SECONDS: Final = 30.0
"""The longest wait for the next piece of a file."""
TURN_SECONDS: Final = 20.0
MOST_WAIT_FOR_COPY: Final = 4
GAMES_TYPE: Final = "application/vnd.sqlite3"


class CopyOfGames(Protocol):
    """A file with games: its name, how many have ended in it, and its size."""

    @property
    def name(self) -> str:
        """What it is called."""

    @property
    def games(self) -> int:
        """How many games have ended in it."""

    @property
    def size(self) -> int:
        """Its bytes."""


class GamesStore(Protocol):
    """The saved games of a board; what it cannot do it raises as a `QuartoError` or an `OSError`."""

    @property
    def folder(self) -> Path:
        """Where they are."""

    def on_board(self) -> Sequence[CopyOfGames]:
        """The backups, the newest first."""

    def on_stick(self) -> Sequence[CopyOfGames] | None:
        """The copies on the USB stick; None where there is no stick."""

    def taken(self) -> Path:
        """A copy of the games as they are now, to be handed out and removed."""

    def to_stick(self) -> str | None:
        """Copy the games to the USB stick; the copy's name, or None where there is no stick."""

    def put_back_named(self, name: str, *, is_on_stick: bool) -> int | None:
        """Put back a copy that is listed; how many games have ended in it, or None where there is none of this name."""

    def put_back(self, file: Path) -> int:
        """Put back the games of a file; how many have ended in it."""


class BackupRoutes:
    """The routes of saved games; `admit` refuses who may not change anything."""

    def __init__(self, store: GamesStore, admit: Callable[[Request], None], turn_seconds: float = TURN_SECONDS) -> None:
        self._store = store
        self._admit = admit
        self._busy = asyncio.Lock()
        self._waiting = 0
        self._turn_seconds = turn_seconds
        self._does: dict[str, Callable[[Json], Awaitable[Response]]] = {
            "list": self._list,
            "take": self._take,
            "to stick": self._to_stick,
            "put back": self._put_back,
        }

    def routes(self) -> list[Route]:
        """What can be asked for."""
        return [
            Route("/api/v1/saved", self._ask, methods=["POST"]),
            Route("/api/v1/saved/file", self._upload, methods=["POST"]),
        ]

    async def _ask(self, request: Request) -> Response:
        self._admit(request)
        body = await body_of(request)
        known(body, ("do", "name", "where"))
        do = self._does[one_of(body, "do", self._does)]
        return await self._alone(lambda: do(body))

    async def _alone(self, do: Callable[[], Awaitable[Response]]) -> Response:
        """Do one thing after the other; who presses the next button at once need not press it again."""
        await self._turn()
        try:
            return await do()
        except QuartoError as error:
            raise Refused(409, f"{error}", RefusalReason.NO_GAMES_FILE) from error
        except OSError as error:
            raise Refused(507, f"that cannot be written ({error.strerror}).", RefusalReason.NO_ROOM) from error
        finally:
            self._busy.release()

    async def _turn(self) -> None:
        """Wait until nobody else is at the saved games, unless that takes long or too many wait already."""
        busy = Refused(503, "saved games are being copied: try again in a moment.", RefusalReason.BUSY)
        if self._waiting >= MOST_WAIT_FOR_COPY:
            raise busy
        self._waiting += 1
        try:
            async with asyncio.timeout(self._turn_seconds):
                await self._busy.acquire()
        except TimeoutError:
            raise busy from None
        finally:
            self._waiting -= 1

    async def _list(self, _: Json) -> Response:
        return JSONResponse(await asyncio.to_thread(self._listed))

    def _listed(self) -> Json:
        on_stick = self._store.on_stick()
        return {
            "backups": _as_json(self._store.on_board()),
            "stick": None if on_stick is None else _as_json(on_stick),
        }

    async def _take(self, _: Json) -> Response:
        made = await asyncio.to_thread(self._store.taken)
        return FileResponse(
            made, media_type=GAMES_TYPE, filename="quarto-games.sqlite", background=BackgroundTask(made.unlink)
        )

    async def _to_stick(self, _: Json) -> Response:
        name = await asyncio.to_thread(self._store.to_stick)
        if name is None:
            raise Refused(409, "no USB stick is there that may be written to.", RefusalReason.NO_STICK)
        return JSONResponse({"name": name})

    async def _put_back(self, body: Json) -> Response:
        is_on_stick = one_of(body, "where", ("board", "stick"), "board") == "stick"
        name = text(body, "name")
        games = await asyncio.to_thread(self._store.put_back_named, name, is_on_stick=is_on_stick)
        if games is None:
            raise Refused(409, f"there is no copy '{name}': ask for the list.", RefusalReason.NO_GAMES_FILE)
        return JSONResponse({"games": games})

    async def _upload(self, request: Request) -> Response:
        self._admit(request)
        if request.headers.get("content-type", "").partition(";")[0].strip().lower() != GAMES_TYPE:
            raise Refused(415, f"send a copy of games, with the content type {GAMES_TYPE}.")
        return await self._alone(lambda: self._received(request))

    async def _received(self, request: Request) -> Response:
        beside = self._store.folder / "received.sqlite"
        try:
            with beside.open("wb") as file:
                size, stream = 0, request.stream().__aiter__()
                while True:
                    async with asyncio.timeout(PATIENCE_SECONDS):
                        piece = await anext(stream, None)
                    if piece is None:
                        break
                    size += len(piece)
                    if size > MOST_UPLOADED:
                        raise Refused(413, f"that is too long: at most {MOST_UPLOADED} bytes are read.")
                    file.write(piece)
            return JSONResponse({"games": await asyncio.to_thread(self._store.put_back, beside)})
        except TimeoutError as error:
            raise Refused(408, "that took too long to send.") from error
        except ClientDisconnect as error:
            raise Refused(400, "the request has broken off.") from error
        finally:
            beside.unlink(missing_ok=True)


def _as_json(copies: Sequence[CopyOfGames]) -> list[Json]:
    return [{"name": each.name, "games": each.games, "size": each.size} for each in copies]

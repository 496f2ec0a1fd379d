"""Updates over the page: a signed file from who may change things, and what has become of it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Final, Protocol

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from quarto_pi.web.requests import body_of, known
from quarto_pi.web.wishes import Json, RefusalReason, Refused

UPDATE_TYPE: Final = "application/octet-stream"
MOST_OF_UPDATE: Final = 805_306_368
"""A little more than both partitions of a system hold."""
PIECE_SECONDS: Final = 30.0
"""The longest wait for the next piece of a file."""
_MAGIC: Final = b"hsqs"
"""What every update begins with. Whether it is a right one is for others to say; a photo is not even written down."""


class UpdateDesk(Protocol):
    """Where updates are handed in."""

    def room(self) -> int:
        """How many bytes an update may have."""

    def unfinished(self) -> Path:
        """The file that an update is written into until it is whole."""

    def hand_over(self) -> None:
        """The unfinished file is whole."""

    def progress(self) -> tuple[str, str]:
        """What has become of the last one, as a word, and a sentence where there is something to tell."""


class UpdateRoutes:
    """The routes of updates; `admit` refuses who may not change anything."""

    def __init__(self, desk: UpdateDesk, admit: Callable[[Request], None]) -> None:
        self._desk = desk
        self._admit = admit
        self._busy = asyncio.Lock()

    def routes(self) -> list[Route]:
        """What can be asked for."""
        return [
            Route("/api/v1/update", self._look, methods=["POST"]),
            Route("/api/v1/update/file", self._upload, methods=["POST"]),
        ]

    async def _look(self, request: Request) -> Response:
        self._admit(request)
        known(await body_of(request), ())
        return JSONResponse(await asyncio.to_thread(self._told))

    def _told(self) -> Json:
        stage, sentence = self._desk.progress()
        return {"stage": stage, "sentence": sentence}

    async def _upload(self, request: Request) -> Response:
        self._admit(request)
        if request.headers.get("content-type", "").partition(";")[0].strip().lower() != UPDATE_TYPE:
            raise Refused(415, f"send an update, with the content type {UPDATE_TYPE}.")
        if self._busy.locked() or self._told()["stage"] == "checking":
            raise Refused(503, "an update is being taken in: wait until it is done.", RefusalReason.BUSY)
        async with self._busy:
            unfinished = self._desk.unfinished()
            try:
                await self._receive(request, unfinished)
                await asyncio.to_thread(self._desk.hand_over)
            except TimeoutError as error:
                raise Refused(408, "that took too long to send.") from error
            except ClientDisconnect as error:
                raise Refused(400, "the request has broken off.") from error
            except OSError as error:
                raise Refused(507, f"that cannot be written ({error.strerror}).", RefusalReason.NO_ROOM) from error
            finally:
                unfinished.unlink(missing_ok=True)
        return JSONResponse(self._told())

    async def _receive(self, request: Request, unfinished: Path) -> None:
        room = min(MOST_OF_UPDATE, self._desk.room())
        announced = request.headers.get("content-length", "")
        if announced.isdecimal() and int(announced) > room:
            raise _no_room(room)
        size, begun, stream = 0, b"", request.stream().__aiter__()
        with unfinished.open("wb") as file:
            while True:
                async with asyncio.timeout(PIECE_SECONDS):
                    piece = await anext(stream, None)
                if piece is None:
                    break
                size += len(piece)
                if size > room:
                    raise _no_room(room)
                begun = (begun + piece)[: len(_MAGIC)]
                if not _MAGIC.startswith(begun):
                    break
                await asyncio.to_thread(file.write, piece)
        if begun != _MAGIC:
            raise Refused(409, "that is no update: send a file quarto-pi-VERSION.raucb.", RefusalReason.NO_UPDATE)


def _no_room(room: int) -> Refused:
    return Refused(413, f"that is too long: there is room for {room} bytes.", RefusalReason.NO_ROOM)

"""Versions on the hub's page: what can be rolled out and how far that is; and the bundle for boards that fetch it."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO, Final

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from quarto_pi.chain.hub_messages import VERSIONS_PATH
from quarto_pi.hub.login import Logins, address_of_client
from quarto_pi.hub.people import HubUser, Role
from quarto_pi.hub.rollout import BoardProgress
from quarto_pi.hub.rollout_desk import RolloutDesk, RolloutWish, runs_from_card
from quarto_pi.hub.rollout_table import KeptRollout
from quarto_pi.hub.store import HubStore, PageStore
from quarto_pi.hub.version_shelf import IncomingBundle, ShelvedVersion
from quarto_pi.hub.watch import Watch
from quarto_pi.web.guard import Now, Rate
from quarto_pi.web.requests import body_of, known
from quarto_pi.web.updates import PIECE_SECONDS, UPDATE_TYPE
from quarto_pi.web.wishes import Json, RefusalReason, Refused

MOST_NAMED: Final = 2_000
MOST_OF_PART: Final = 524_288
"""A board is sent so much at once, whatever it asks for; it asks for the rest afterwards."""
PARTS_AT_ONCE: Final = 8
PARTS_OF_ONE: Final = 3
"""Of one address: behind it may be a house with several boards."""
PARTS_A_SECOND: Final = 40
"""Of all: a chain that fetches leaves most of the requests that the page answers to people."""
ASK_AGAIN_SECONDS: Final = 15
_RANGE: Final = re.compile(r"bytes=([0-9]{1,12})-([0-9]{0,12})")
_SHA256: Final = re.compile(r"[0-9a-f]{64}")


class VersionPages:
    """The routes of versions."""

    def __init__(  # noqa: PLR0913 - what the routes of a page stand on
        self, watch: Watch, store: PageStore, logins: Logins, desk: RolloutDesk, now: Now, wall: Now
    ) -> None:
        self._watch = watch
        self._store = store
        self._logins = logins
        self._desk = desk
        self._now = now
        self._wall = wall
        self._uploading = asyncio.Lock()
        self._parts: Counter[str] = Counter()
        self._rate = Rate(PARTS_A_SECOND, 1.0)

    def routes(self) -> list[Route]:
        """All of them."""
        return [
            Route(f"{VERSIONS_PATH}/{{sha256}}.raucb", self._bundle),
            Route("/api/v1/versions", self._list),
            Route("/api/v1/versions/file", self._upload, methods=["POST"]),
            Route("/api/v1/versions/remove", self._remove, methods=["POST"]),
            Route("/api/v1/rollout", self._begin, methods=["POST"]),
            Route("/api/v1/rollout/stop", self._stop, methods=["POST"]),
            Route("/api/v1/rollout/resume", self._resume, methods=["POST"]),
            Route("/api/v1/rollout/abandon", self._abandon, methods=["POST"]),
        ]

    # --- For boards, and whoever knows the address --------------------------------------------------------------------

    async def _bundle(self, request: Request) -> Response:
        """A part of a bundle that is offered: few at a time, and none so long that the page would wait for it."""
        sha256 = request.path_params["sha256"]
        version = await asyncio.to_thread(self._desk.serves, sha256) if _SHA256.fullmatch(sha256) else None
        if version is None:
            raise Refused(404, "there is nothing here.")
        asked = _RANGE.fullmatch(request.headers.get("range", "bytes=0-"))
        if asked is None or int(asked[1]) >= version.size:
            return Response(status_code=416, headers={"content-range": f"bytes */{version.size}"})
        first = int(asked[1])
        last = min(int(asked[2]) if asked[2] else version.size, version.size - 1, first + MOST_OF_PART - 1)
        if last < first:
            return Response(status_code=416, headers={"content-range": f"bytes */{version.size}"})
        address = address_of_client(request)
        is_full = self._parts.total() >= PARTS_AT_ONCE or self._parts[address] >= PARTS_OF_ONE
        if is_full or self._rate.full(self._now()):
            busy = JSONResponse({"error": "many boards fetch just now: ask again in a moment."}, 503)
            busy.headers["retry-after"] = str(ASK_AGAIN_SECONDS)
            return busy
        self._parts[address] += 1
        self._rate.count(self._now())
        part = _Part(self._desk.shelf.bundle(sha256), first, last, version.size)
        part.done_by(lambda: self._forget(address))
        return part

    def _forget(self, address: str) -> None:
        self._parts[address] -= 1
        self._parts += Counter()  # who has none is not remembered

    # --- For who may see it -------------------------------------------------------------------------------------------

    async def _list(self, request: Request) -> Response:
        user = self._logins.who(request)
        if user.role is Role.ONLOOKER:
            raise Refused(403, "versions are for those who look after boards.", RefusalReason.NOT_YOURS)
        versions = await asyncio.to_thread(self._desk.shelf.all)
        rows = [row for row in self._watch.rows() if user.sees(row.house)]
        kept = self._desk.kept
        boards = [
            {
                "name": row.name,
                "house": row.house,
                "card": row.status.card if row.status is not None and row.status.card else None,
                "known": row.status is not None,
            }
            for row in rows
        ]
        return JSONResponse(
            {
                "versions": [_version_as_json(each) for each in versions],
                "boards": boards,
                "rollout": None if kept is None else self._rollout_as_json(kept, {row.name for row in rows}),
            }
        )

    def _rollout_as_json(self, kept: KeptRollout, shown: set[str]) -> Json:
        rollout = kept.rollout
        # A board of another house is no business of this one, nor is why it went wrong.
        why = rollout.why if rollout.boards.keys() <= shown else ""
        return {
            "number": kept.number,
            "version": rollout.version,
            "sha256": kept.sha256,
            "begun": kept.begun,
            "by": kept.begun_by,
            "stage": rollout.stage.value,
            "state": rollout.state.value,
            "why": why,
            "decided_by": rollout.by,
            "boards": [
                self._board_as_json(name, each, kept.sha256) for name, each in rollout.boards.items() if name in shown
            ],
        }

    def _board_as_json(self, name: str, each: BoardProgress, sha256: str) -> Json:
        row = self._watch.row(name)
        told = None if row is None or row.status is None else row.status.offered
        percent = told.percent if told is not None and told.sha256 == sha256 else 0
        return {"name": name, "step": each.step.value, "since": each.since, "why": each.why, "percent": percent}

    # --- For owners ---------------------------------------------------------------------------------------------------

    async def _upload(self, request: Request) -> Response:
        user = self._owner(request)
        if request.headers.get("content-type", "").partition(";")[0].strip().lower() != UPDATE_TYPE:
            raise Refused(415, f"send an update, with the content type {UPDATE_TYPE}.")
        if self._uploading.locked():
            raise Refused(503, "another version is being sent: wait until it is there.", RefusalReason.BUSY)
        async with self._uploading:
            try:
                with self._desk.shelf.incoming() as incoming:
                    await _receive(request, incoming)
                    kept = await asyncio.to_thread(self._desk.shelf.take_in, incoming, user.name, self._wall())
            except TimeoutError as error:
                raise Refused(408, "that took too long to send.") from error
            except ClientDisconnect as error:
                raise Refused(400, "the request has broken off.") from error
            except OSError as error:
                raise Refused(507, f"that cannot be written ({error.strerror}).", RefusalReason.NO_ROOM) from error
        return JSONResponse(_version_as_json(kept))

    async def _remove(self, request: Request) -> Response:
        self._owner(request)
        body = await body_of(request)
        known(body, ("version",))
        sha256 = _hash_in(body)
        if not await self._store.ask(lambda store: self._desk.remove(store, sha256)):
            raise Refused(404, "there is no such version here.")
        return JSONResponse({})

    async def _begin(self, request: Request) -> Response:
        user = self._owner(request)
        body = await body_of(request)
        known(body, ("version", "boards", "house", "first"))
        wish = RolloutWish(_hash_in(body), self._boards(body), _name_in(body, "first"))

        def begin(store: HubStore) -> KeptRollout:
            return self._desk.begin(store, wish, user.name)

        kept = await self._store.ask(begin)
        return JSONResponse(self._rollout_as_json(kept, set(kept.rollout.boards)))

    async def _stop(self, request: Request) -> Response:
        user = self._owner(request)
        known(await body_of(request), ())
        await self._store.ask(lambda store: self._desk.stop(store, user.name))
        return JSONResponse({})

    async def _resume(self, request: Request) -> Response:
        self._owner(request)
        known(await body_of(request), ())
        await self._store.ask(self._desk.resume)
        return JSONResponse({})

    async def _abandon(self, request: Request) -> Response:
        user = self._owner(request)
        known(await body_of(request), ())
        await self._store.ask(lambda store: self._desk.abandon(store, user.name))
        return JSONResponse({})

    def _owner(self, request: Request) -> HubUser:
        user = self._logins.owner(request)
        self._logins.admit(request)
        return user

    def _boards(self, body: Json) -> list[str]:
        """The boards that are named, or those of a house that run from a card; nothing for all of them."""
        named, house = body.get("boards"), body.get("house")
        if named is not None:
            if (
                not isinstance(named, list)
                or len(named) > MOST_NAMED
                or not all(isinstance(each, str) for each in named)
            ):
                raise Refused(400, f"'boards' is a list of at most {MOST_NAMED} names of boards.")
            if not named:
                raise Refused(400, "no board is named.")
            return named
        if house is None:
            return []
        found = [row.name for row in self._watch.rows() if row.house == house and runs_from_card(row)]
        if not found:
            raise Refused(409, "no board of this house is known to run from a card.")
        return found


class _Part(Response):
    """A part of a file. It is read in a thread of its own before anything is sent of it: half a megabyte at most."""

    def __init__(self, file: Path, first: int, last: int, size: int) -> None:
        super().__init__(status_code=206, media_type=UPDATE_TYPE)
        self._file, self._first, self._length = file, first, last - first + 1
        self.headers["content-range"] = f"bytes {first}-{last}/{size}"
        self.headers["content-length"] = str(self._length)
        self.headers["accept-ranges"] = "bytes"
        # It is compressed already, and a part of something compressed is a part of nothing.
        self.headers["content-encoding"] = "identity"
        self._done: Callable[[], None] = lambda: None

    def done_by(self, done: Callable[[], None]) -> None:
        """Who is to know when it is sent, or will not be."""
        self._done = done

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it."""
        try:
            self.body = await asyncio.to_thread(self._read)
            await super().__call__(scope, receive, send)
        finally:
            self._done()

    def _read(self) -> bytes:
        with self._file.open("rb") as stream:
            return _read_at(stream, self._first, self._length)


def _read_at(stream: BinaryIO, first: int, length: int) -> bytes:
    stream.seek(first)
    return stream.read(length)


async def _receive(request: Request, incoming: IncomingBundle) -> None:
    stream = request.stream().__aiter__()
    while True:
        async with asyncio.timeout(PIECE_SECONDS):
            piece = await anext(stream, None)
        if piece is None:
            return
        await asyncio.to_thread(incoming.write, piece)


def _hash_in(body: Json) -> str:
    sha256 = body.get("version")
    if not isinstance(sha256, str) or not _SHA256.fullmatch(sha256):
        raise Refused(400, "'version' is the SHA-256 of a version that is here.")
    return sha256


def _name_in(body: Json, key: str) -> str:
    name = body.get(key, "")
    if not isinstance(name, str):
        raise Refused(400, f"'{key}' is the name of a board.")
    return name


def _version_as_json(version: ShelvedVersion) -> Json:
    return {
        "version": version.version,
        "sha256": version.sha256,
        "size": version.size,
        "checked": version.checked,
        "by": version.by,
        "at": version.at,
    }

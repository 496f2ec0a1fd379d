"""The routes: what is asked for, and who answers it."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol, Self, cast

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from quarto_pi import __version__
from quarto_pi.enrolment import Gesture
from quarto_pi.referee import Choose, Input, Order, View
from quarto_pi.referee.inputs import WantBoard
from quarto_pi.referee.menu import STOP_WAITING, BoardChoice, Item
from quarto_pi.referee.phases import RefereePhase
from quarto_pi.rules import QuartoError
from quarto_pi.trace.story import DURABLE_EVENTS
from quarto_pi.web.backups import BackupRoutes, GamesStore
from quarto_pi.web.games import Games, lesson_in
from quarto_pi.web.guard import KNOWS_OWNER, Armour, Connection, Guard, Now
from quarto_pi.web.hands import AtTheTable
from quarto_pi.web.requests import Moment, body_of, known, one_of
from quarto_pi.web.serving import bound_log, say_on_stderr
from quarto_pi.web.snapshot import API, labels_in
from quarto_pi.web.streams import ENDS_STREAMS, Below, Feed, Streams, nothing_below
from quarto_pi.web.updates import UpdateDesk, UpdateRoutes
from quarto_pi.web.wishes import Json, RefusalReason, Refused, with_wishes

# --- The thread that serves the page: closing it ends all streams -----------------------------------------------------

PAGE_CLOSE_SECONDS: Final = 3.0


@dataclass(frozen=True, slots=True)
class Certificate:
    """What a page is encrypted with: files with the certificate and its key."""

    chain: Path
    key: Path


class _Server(uvicorn.Server):
    """Ends the streams, which never end by themselves, before it waits for answers that are under way."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        end: Callable[[], None] | None = self.lifespan.state.get(ENDS_STREAMS)
        if end is not None:
            end()
        await super().shutdown(sockets)


class PageServer:
    """Serves an application on a bound socket until it is closed."""

    def __init__(
        self,
        app: ASGIApp,
        bound: socket.socket,
        certificate: Certificate | None = None,
        *,
        behind_proxy: bool = False,
    ) -> None:
        self._socket = bound
        bound_log()
        config = uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            server_header=False,
            lifespan="on",
            http=Connection,
            ws="none",
            # Whoever looks on may say in a header where it comes from; wrong PINs are counted by where it does. Only
            # a proxy on this machine is believed, and only where there is one.
            proxy_headers=behind_proxy,
            forwarded_allow_ips="127.0.0.1,::1",
            ssl_certfile=None if certificate is None else certificate.chain,
            ssl_keyfile=None if certificate is None else certificate.key,
            timeout_keep_alive=10,
            timeout_graceful_shutdown=1,
        )
        self._server = _Server(config)
        self._thread = threading.Thread(target=self._serve, name="page", daemon=True)

    def start(self) -> Self:
        """Serve from now on."""
        self._thread.start()
        return self

    def close(self) -> None:
        """End all streams and let go of the port; a second call does nothing."""
        self._server.should_exit = True
        if self._thread.is_alive():
            self._thread.join(PAGE_CLOSE_SECONDS)
        self._socket.close()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.close()

    def _serve(self) -> None:
        self._server.run(sockets=[self._socket])


# --- The routes: what is asked for, and who answers it ----------------------------------------------------------------

LEAST_PACKED_BYTES: Final = 500
"""What is shorter goes over the wire as it is; streams of events always do."""

STATIC: Final = Path(__file__).parent / "static"
ORDERS: Final = {
    "new game": Item.NEW_GAME,
    "undo": Item.UNDO,
    "pause": Item.PAUSE,
    "how to play": Item.HOW_TO_PLAY,
    "teach me": Item.TEACH,
}

PLAYED: Final = frozenset({RefereePhase.GIVEN, RefereePhase.WAITING, RefereePhase.PLACED})
"""While a game is under way nobody can have a lesson."""

GESTURE_NAMES: Final = tuple(gesture.value for gesture in Gesture)

REPORT_NAME: Final = "quarto-pi-report.tar.gz"

TakeGesture = Callable[[Gesture], None]
"""Answers the question of the guide as the board's own button would."""

Post = Callable[[Callable[[int], Input]], None]
"""Has something taken in by the game, made for the moment at which that happens."""


class TimeOfDay(Protocol):
    """The time as the board knows it; what cannot be the time it refuses as a `QuartoError`."""

    def now(self) -> float | None:
        """The seconds since 1970; None while nobody knows them."""

    def tell(self, moment: float) -> None:
        """Take somebody's word for it."""


@dataclass(frozen=True, slots=True)
class ServedBoard:
    """What the service knows of the board: the feed, how to speak to game and guide, and hands where it has any."""

    feed: Feed
    post: Post
    table: AtTheTable | None = None
    below: Below = nothing_below
    shining: Below | None = None
    pin: str = ""
    point: TakeGesture | None = None
    saved: GamesStore | None = None
    time_of_day: TimeOfDay | None = None
    report: Callable[[], bytes] | None = None
    updates: UpdateDesk | None = None


def service(board: ServedBoard, now: Now = time.monotonic) -> Starlette:
    """The application: reading is free, what changes something passes the guard."""
    return _Service(board, now).application()


class _Service:
    def __init__(self, board: ServedBoard, now: Now) -> None:
        self._board = board
        self._now = now
        self._guard = Guard(now, free=board.table is not None, pin=board.pin, say=say_on_stderr)
        self._games = Games(board.feed)
        self._streams = Streams(board.feed, board.below)
        self._reporting = asyncio.Lock()

    def application(self) -> Starlette:
        """All routes."""
        read, table = self._reading, self._board.table
        routes = [
            Route("/", _index),
            Route("/{number:int}", _photo),
            Route("/api/v1/", read(self._about)),
            Route("/api/v1/state", read(self._state)),
            Route("/api/v1/stream", read(self._stream)),
            Route("/api/v1/words/{language}", read(_words)),
            Route("/api/v1/lesson/{language}", read(_lesson)),
            Route("/api/v1/games", read(self._list)),
            Route("/api/v1/games/{number:int}", read(self._game)),
            Route("/api/v1/games/{number:int}/record", read(self._record)),
            Route("/api/v1/statistics", read(self._statistics)),
            Route("/api/v1/settings", self._writing(self._settings), methods=["POST"]),
            Route("/api/v1/order", self._writing(self._order), methods=["POST"]),
            Route("/api/v1/boards", self._writing(self._boards), methods=["POST"]),
            Route("/api/v1/time", self._writing(self._time), methods=["POST"]),
            Route("/api/v1/guide", self._writing(self._guide), methods=["POST"]),
        ]
        if self._board.saved is not None:
            routes += BackupRoutes(self._board.saved, self._guard.admit).routes()
        if self._board.updates is not None:
            routes += UpdateRoutes(self._board.updates, self._guard.admit).routes()
        if self._board.report is not None:
            routes.append(Route("/api/v1/report", self._report, methods=["POST"]))
        if self._board.shining is not None:
            routes.append(Route("/api/v1/seen", read(self._seen)))
        if table is not None:
            for name, do in {
                "hands": table.move,
                "button": table.press,
                "faults": table.trouble,
                "record": table.record,
            }.items():
                routes.append(Route(f"/api/v1/{name}", self._writing(do), methods=["POST"]))
        return Starlette(
            routes=[*routes, Mount("/static", StaticFiles(directory=STATIC))],
            middleware=[
                Middleware(Armour, now=self._now, guard=self._guard),
                Middleware(GZipMiddleware, minimum_size=LEAST_PACKED_BYTES),
            ],
            exception_handlers=EXCEPTION_HANDLERS,
            lifespan=self._lifespan,
        )

    @asynccontextmanager
    async def _lifespan(self, _: Starlette) -> AsyncIterator[dict[str, object]]:
        looking = asyncio.create_task(self._streams.run())
        try:
            yield {KNOWS_OWNER: self._guard.knows, ENDS_STREAMS: self._streams.end}
        finally:
            looking.cancel()
            with suppress(asyncio.CancelledError):
                await looking
            await self._games.close()

    def _reading(self, answer: Callable[[Request], Awaitable[Response]]) -> Callable[[Request], Awaitable[Response]]:
        async def read(request: Request) -> Response:
            return await answer(request)

        return read

    def _writing(self, do: Callable[[Json], Awaitable[Json]]) -> Callable[[Request], Awaitable[Response]]:
        async def write(request: Request) -> Response:
            self._guard.admit(request)
            return JSONResponse(await do(await body_of(request)))

        return write

    # -- reading -----------------------------------------------------------------------------------------------

    async def _about(self, _: Request) -> Response:
        hands = self._board.table is not None
        about = {
            "name": "quarto-pi",
            "version": __version__,
            "api": API,
            "hands": hands,
            "writing": self._guard.writing,
            "saved": self._board.saved is not None,
            "wrong_pins": self._guard.wrong_pins,
            "report": self._board.report is not None,
            "updates": self._board.updates is not None,
            "time_known": self._knows_time(),
            "durable": [] if self._board.saved is None else list(DURABLE_EVENTS),
        }
        return JSONResponse(about)

    async def _state(self, _: Request) -> Response:
        return Response(self._streams.newest(), media_type="application/json")

    async def _seen(self, _: Request) -> Response:
        shining = self._board.shining
        return JSONResponse({} if shining is None else shining())

    async def _stream(self, _: Request) -> Response:
        return StreamingResponse(
            self._streams.events(), media_type="text/event-stream", headers={"x-accel-buffering": "no"}
        )

    async def _list(self, _: Request) -> Response:
        return JSONResponse(self._games.list())

    async def _game(self, request: Request) -> Response:
        return JSONResponse(self._games.game(request.path_params["number"]))

    async def _record(self, request: Request) -> Response:
        number = request.path_params["number"]
        headers = {"content-disposition": f'attachment; filename="quarto-{number}.txt"'}
        return PlainTextResponse(self._games.record(number), headers=headers)

    async def _statistics(self, _: Request) -> Response:
        return JSONResponse(self._games.statistics())

    # -- writing -----------------------------------------------------------------------------------------------

    async def _settings(self, body: Json) -> Json:
        wishes = with_wishes(self._moment_of_game().wishes, body)
        self._board.post(lambda at: Choose(at, wishes))
        return {}

    async def _order(self, body: Json) -> Json:
        known(body, ("order",))
        item = ORDERS[one_of(body, "order", ORDERS)]
        _check_order(item, self._moment_of_game().view)
        self._board.post(lambda at: Order(at, item))
        return {}

    async def _boards(self, body: Json) -> Json:
        choice = _board_wanted(body, self._moment_of_game().view)
        self._board.post(lambda at: WantBoard(at, choice))
        return {}

    async def _report(self, request: Request) -> Response:
        self._guard.admit(request)
        make = self._board.report
        if self._reporting.locked() or make is None:
            raise Refused(503, "a report is being made: try again in a moment.", RefusalReason.BUSY)
        async with self._reporting:
            made = await asyncio.to_thread(make)
        headers = {"content-disposition": f'attachment; filename="{REPORT_NAME}"'}
        return Response(made, media_type="application/gzip", headers=headers)

    async def _time(self, body: Json) -> Json:
        known(body, ("now",))
        moment = body.get("now")
        if type(moment) not in (int, float):
            raise Refused(400, "'now' is the time in seconds since 1970.")
        time_of_day = self._board.time_of_day
        if time_of_day is not None and time_of_day.now() is None:
            time_of_day.tell(float(cast("float", moment)))
        return {"time_known": self._knows_time()}

    def _knows_time(self) -> bool:
        time_of_day = self._board.time_of_day
        return time_of_day is None or time_of_day.now() is not None

    async def _guide(self, body: Json) -> Json:
        known(body, ("do",))
        gesture = Gesture(one_of(body, "do", GESTURE_NAMES))
        point = self._board.point
        if point is None or self._moment().guide is None:
            raise Refused(409, "the guide is not open: choose it in the menu of the board.")
        point(gesture)
        return {}

    def _moment(self) -> Moment:
        moment = self._board.feed.moment
        if moment is None:
            raise Refused(503, "the board is just starting: ask again in a moment.", RefusalReason.BUSY)
        return moment

    def _moment_of_game(self) -> Moment:
        moment = self._moment()
        if moment.guide is not None:
            raise Refused(409, "the board learns its pieces first: follow its guide.", RefusalReason.GUIDE_FIRST)
        return moment


def _is_with_board(view: View) -> bool:
    """Whether a game with another board goes on."""
    return view.settings.other_board is not None and view.result is None


def _board_wanted(body: Json, view: View) -> BoardChoice:
    """The board that somebody wants to play with, any, or none any more; `Refused` says why that cannot be."""
    known(body, ("board", "stop"))
    if view.others is None:
        raise Refused(409, "this board knows of no others: it is not on a chain.")
    if view.phase in PLAYED or _is_with_board(view):
        raise Refused(409, "a game is under way: end it first.", RefusalReason.GAME_ON)
    if body.get("stop") is True:
        return STOP_WAITING
    if "board" not in body:
        raise Refused(400, "'board' is the name of a board, or null for any; or write \"stop\": true.")
    if body["board"] is None:
        return None
    found = {board.name: board for board in (*view.others.free, *view.others.invitations)}
    return found[one_of(body, "board", found)]


def _check_order(item: Item, view: View) -> None:
    """Make sure that an order finds something to do in the game that is seen; `Refused` says why it does not."""
    if view.settings.other_board is not None and item in (Item.UNDO, Item.PAUSE):
        raise Refused(409, "nobody at the other board has agreed to that.")
    if _is_with_board(view) and item is Item.NEW_GAME:
        # It ends the game, also before its first piece is given.
        return
    if item is Item.TEACH and view.phase in PLAYED:
        raise Refused(409, "a game is under way: end it before a lesson.", RefusalReason.GAME_ON)
    if item in (Item.TEACH, Item.HOW_TO_PLAY):
        return
    if view.phase is RefereePhase.OVER:
        raise Refused(409, "the game is over: clear the board for the next one.", RefusalReason.GAME_OVER)
    if view.phase not in PLAYED:
        raise Refused(409, "no game is under way.", RefusalReason.NO_GAME)
    if item is Item.UNDO and not view.board.count:
        raise Refused(409, "nothing has been placed yet.", RefusalReason.NOTHING_PLACED)


async def _index(_: Request) -> Response:
    return _page("index.html")


async def _photo(_: Request) -> Response:
    """The photo finish of a game, which it asks for by itself: the same for every number."""
    return _page("photo.html")


def _page(name: str) -> Response:
    page = STATIC / name
    if not page.is_file():
        raise Refused(404, "the page is not installed; the interface is at /api/v1/.")
    return FileResponse(page, headers={"cache-control": "no-cache"})


async def _words(request: Request) -> Response:
    return JSONResponse(labels_in(request.path_params["language"]))


async def _lesson(request: Request) -> Response:
    return JSONResponse(lesson_in(request.path_params["language"]))


async def answer_refused(request: Request, error: Exception) -> Response:
    """One sentence, whatever was wrong with the request."""
    if isinstance(error, Refused):
        # What was not read of the body would be taken for the next request.
        headers = {"connection": "close"} if error.status in (408, 413) else None
        return JSONResponse(error.as_json(), error.status, headers)
    if isinstance(error, HTTPException):
        sentence = _SENTENCES.get(error.status_code, f"{error.detail}.")
        return JSONResponse({"error": sentence}, error.status_code, dict(error.headers or {}))
    del request
    return JSONResponse({"error": str(error)}, 400)


_SENTENCES: Final = {404: "there is nothing here.", 405: "this cannot be done here: look up the interface's methods."}


async def _failed(_: Request, __: Exception) -> Response:
    return JSONResponse({"error": "something went wrong in the service; the game goes on."}, 500)


EXCEPTION_HANDLERS: Final[Mapping[Any, Callable[[Request, Exception], Awaitable[Response]]]] = {
    Refused: answer_refused,
    QuartoError: answer_refused,
    HTTPException: answer_refused,
    Exception: _failed,
}
"""What an application answers where something is refused, or went wrong."""

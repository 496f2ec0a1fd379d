"""The hub's page: its routes, and who answers them. Who is not logged in gets the page and its words alone."""

from __future__ import annotations

import asyncio
import hmac
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from quarto_pi import __version__
from quarto_pi.hub.alarms import TOLD_KINDS, Alarm
from quarto_pi.hub.download import GameFiles
from quarto_pi.hub.login import Logins, address_of_client
from quarto_pi.hub.metrics import CONTENT_TYPE, IntakeCounts, exposition
from quarto_pi.hub.page_boards import WatchStreams, alarm_as_json, row_as_json, sees_alarm, user_as_json
from quarto_pi.hub.page_games import GamePages
from quarto_pi.hub.page_orders import OrderPages
from quarto_pi.hub.page_spectators import SpectatorPages
from quarto_pi.hub.page_tournaments import TournamentPages
from quarto_pi.hub.page_versions import VersionPages
from quarto_pi.hub.people import HubUser, PeopleFile, Role
from quarto_pi.hub.rollout_desk import RolloutDesk
from quarto_pi.hub.store import HubStore, PageStore
from quarto_pi.hub.tournament_desk import TournamentDesk
from quarto_pi.hub.watch import Watch
from quarto_pi.web.guard import BOARD_ITSELF, KNOWS_OWNER, Armour, Now, is_local_name
from quarto_pi.web.requests import body_of, known, one_of, text
from quarto_pi.web.service import EXCEPTION_HANDLERS, LEAST_PACKED_BYTES, STATIC
from quarto_pi.web.serving import say_on_stderr
from quarto_pi.web.snapshot import API, known_language, labels_in
from quarto_pi.web.streams import ENDS_STREAMS
from quarto_pi.web.wishes import Json, RefusalReason, Refused
from quarto_pi.words import Words

HUB_STATIC: Final = Path(__file__).parent / "static"
ROLE_NAMES: Final = tuple(role.value for role in Role)
ALARMS_LISTED: Final = 100


@dataclass(frozen=True, slots=True)
class ServedHub:
    """What the page knows of its hub.

    `names` are hosts by which it may be asked for besides those of its own network. `metrics_token` lets other machines
    read the figures; empty, only this one may, and behind a proxy nobody, for all of its requests come from this one.
    """

    watch: Watch
    people: PeopleFile
    open_store: Callable[[], HubStore]
    counts: IntakeCounts = field(default_factory=IntakeCounts)
    desk: TournamentDesk | None = None
    rollouts: RolloutDesk | None = None
    encrypted: bool = False
    behind_proxy: bool = False
    names: tuple[str, ...] = ()
    metrics_token: str = ""


def hub_page(hub: ServedHub, now: Now = time.monotonic, wall: Now = time.time) -> Starlette:
    """The application."""
    return _HubPage(hub, now, wall).application()


class _HubPage:
    def __init__(self, hub: ServedHub, now: Now, wall: Now) -> None:
        self._hub = hub
        self._wall = wall
        self._now = now
        encrypted = hub.encrypted or hub.behind_proxy
        self._logins = Logins(hub.people, now, encrypted=encrypted, say=say_on_stderr)
        self._streams = WatchStreams(hub.watch)
        self._store = PageStore(hub.open_store)
        self._spectating = SpectatorPages(hub.watch, self._store, self._logins, self._streams)
        self._games = GamePages(self._store, self._logins, now)

    def application(self) -> Starlette:
        """All routes."""
        routes = [
            Route("/", _index),
            Route("/watch", _watch_page),
            Route("/metrics", self._metrics),
            Route("/api/v1/", self._about),
            Route("/api/v1/words/{language}", _hub_words),
            Route("/api/v1/session", self._log_in, methods=["POST"]),
            Route("/api/v1/session/end", self._log_out, methods=["POST"]),
            Route("/api/v1/password", self._password, methods=["POST"]),
            Route("/api/v1/boards", self._boards),
            Route("/api/v1/stream", self._stream),
            Route("/api/v1/alarms", self._alarms),
            Route("/api/v1/alarms/{number:int}/seen", self._seen, methods=["POST"]),
            Route("/api/v1/alarms/{number:int}/aside", self._put_aside, methods=["POST"]),
            Route("/api/v1/people", self._people),
            Route("/api/v1/people", self._add, methods=["POST"]),
            Route("/api/v1/people/remove", self._remove, methods=["POST"]),
            *OrderPages(self._hub.watch, self._store, self._logins, self._wall).routes(),
            *self._games.routes(),
            *TournamentPages(self._store, self._logins, self._hub.desk or TournamentDesk(self._hub.watch)).routes(),
            *self._spectating.routes(),
            *GameFiles(self._store, self._logins).routes(),
        ]
        rollouts = self._hub.rollouts
        if rollouts is not None:
            pages = VersionPages(self._hub.watch, self._store, self._logins, rollouts, self._now, self._wall)
            routes += pages.routes()
        return Starlette(
            routes=[
                *routes,
                Mount("/static/hub", StaticFiles(directory=HUB_STATIC)),
                Mount("/static", StaticFiles(directory=STATIC)),
            ],
            middleware=[
                Middleware(Armour, now=self._now, guard=self._logins, is_own_name=self._is_own_name),
                Middleware(GZipMiddleware, minimum_size=LEAST_PACKED_BYTES),
            ],
            exception_handlers=EXCEPTION_HANDLERS,
            lifespan=self._lifespan,
        )

    @asynccontextmanager
    async def _lifespan(self, _: Starlette) -> AsyncIterator[dict[str, object]]:
        looking = asyncio.create_task(self._streams.run())
        try:
            yield {KNOWS_OWNER: self._logins.knows, ENDS_STREAMS: self._streams.end}
        finally:
            looking.cancel()
            with suppress(asyncio.CancelledError):
                await looking
            await self._games.close()
            await asyncio.to_thread(self._store.close)

    def _is_own_name(self, host: str) -> bool:
        return is_local_name(host) or host.partition(":")[0].lower() in self._hub.names

    # -- for everybody -------------------------------------------------------------------------------------------------

    async def _about(self, request: Request) -> Response:
        about: Json = {"name": "quarto-pi hub", "version": __version__, "api": API, "user": None}
        with suppress(Refused):
            about["user"] = user_as_json(self._logins.who(request, counts=False))
        return JSONResponse(about)

    async def _log_in(self, request: Request) -> Response:
        body = await body_of(request)
        known(body, ("name", "password"))
        name, password = body.get("name"), body.get("password")
        if not isinstance(name, str) or not isinstance(password, str):
            raise Refused(400, "'name' and 'password' are texts.")
        return await self._logins.log_in(request, name, password, lambda user: JSONResponse(user_as_json(user)))

    async def _log_out(self, request: Request) -> Response:
        await body_of(request)
        answer = self._logins.log_out(request, JSONResponse({}))
        # Whose session is over is told at once, not with the next thing that happens at a board.
        self._streams.wake()
        return answer

    async def _metrics(self, request: Request) -> Response:
        self._check_reads_metrics(request)
        watch = self._hub.watch
        rollout = {} if self._hub.rollouts is None else self._hub.rollouts.counts()
        told = exposition(self._hub.counts, watch.rows(), watch.alarms(), watch.linked, rollout)
        return PlainTextResponse(told, headers={"content-type": CONTENT_TYPE})

    def _check_reads_metrics(self, request: Request) -> None:
        token = self._hub.metrics_token.encode()
        given = request.headers.get("authorization", "").encode("latin-1", "replace")
        if token and hmac.compare_digest(given, b"Bearer " + token):
            return
        if address_of_client(request) in BOARD_ITSELF and not self._hub.behind_proxy:
            return
        raise Refused(403, "the figures are for this machine, or for who has the token: Authorization: Bearer TOKEN.")

    # -- for who is logged in ------------------------------------------------------------------------------------------

    async def _boards(self, request: Request) -> Response:
        user = self._logins.who(request)
        rows = [row_as_json(row) for row in self._hub.watch.rows() if user.sees(row.house)]
        return JSONResponse({"linked": self._hub.watch.linked, "boards": rows})

    async def _stream(self, request: Request) -> Response:
        events = self._streams.events(self._logins.onlooker(request))
        return StreamingResponse(events, media_type="text/event-stream", headers={"x-accel-buffering": "no"})

    async def _alarms(self, request: Request) -> Response:
        user = self._logins.who(request)
        past = await self._store.ask(lambda store: store.watched.last_alarms(ALARMS_LISTED))
        on, over = (
            [alarm_as_json(alarm) for alarm in alarms if sees_alarm(user, alarm)]
            for alarms in (self._hub.watch.alarms(), past)
        )
        return JSONResponse({"alarms": on, "past": over})

    async def _seen(self, request: Request) -> Response:
        user, alarm = await self._directed_alarm(request)
        changed = self._hub.watch.acknowledge(alarm.number, user.name)
        return JSONResponse(alarm_as_json(alarm if changed is None else changed))

    async def _put_aside(self, request: Request) -> Response:
        user, alarm = await self._directed_alarm(request)
        cause = alarm.cause
        if cause.kind not in TOLD_KINDS:
            raise Refused(409, "this alarm is over by itself once its cause is: say that you have seen it.")
        await self._store.ask(lambda store: store.end_alarm(cause.where, cause.kind.value, self._wall(), user.name))
        changed = self._hub.watch.put_aside(alarm.number, user.name)
        return JSONResponse(alarm_as_json(alarm if changed is None else changed))

    async def _directed_alarm(self, request: Request) -> tuple[HubUser, Alarm]:
        """Who asks, and the alarm that is on about which he may say something."""
        user = self._writing(request)
        known(await body_of(request), ())
        number = request.path_params["number"]
        alarm = self._hub.watch.alarm(number)
        if alarm is None or not sees_alarm(user, alarm):
            raise Refused(404, f"there is no alarm {number}, or it is over.")
        if not user.directs(alarm.house):
            raise Refused(403, "you may look at this house's boards, no more.", RefusalReason.NOT_YOURS)
        return user, alarm

    async def _password(self, request: Request) -> Response:
        user = self._writing(request)
        body = await body_of(request)
        known(body, ("old", "new"))
        old, new = body.get("old"), body.get("new")
        if not isinstance(old, str) or not isinstance(new, str):
            raise Refused(400, "'old' and 'new' are passwords.")
        await self._logins.confirm(request, user, old)
        changed = await asyncio.to_thread(self._hub.people.change_password, user.name, new)
        answer = self._logins.renew(request, changed, JSONResponse(user_as_json(changed)))
        self._streams.wake()
        return answer

    # -- for owners ----------------------------------------------------------------------------------------------------

    async def _people(self, request: Request) -> Response:
        self._logins.owner(request)
        return JSONResponse({"people": [user_as_json(user) for user in self._hub.people.all()]})

    async def _add(self, request: Request) -> Response:
        self._logins.owner(request)
        self._logins.admit(request)
        body = await body_of(request)
        known(body, ("name", "role", "house"))
        role, house = Role(one_of(body, "role", ROLE_NAMES)), body.get("house", "")
        if not isinstance(house, str) or len(house) > 60 or not house.isprintable():
            raise Refused(400, "'house' is the name of a house.")
        password = await asyncio.to_thread(self._hub.people.add, text(body, "name"), role, house)
        return JSONResponse({"password": password})

    async def _remove(self, request: Request) -> Response:
        self._logins.owner(request)
        self._logins.admit(request)
        body = await body_of(request)
        known(body, ("name",))
        await asyncio.to_thread(self._hub.people.remove, text(body, "name"))
        self._streams.wake()
        return JSONResponse({})

    def _writing(self, request: Request) -> HubUser:
        user = self._logins.who(request)
        self._logins.admit(request)
        return user


async def _index(_: Request) -> Response:
    return FileResponse(HUB_STATIC / "index.html", headers={"cache-control": "no-cache"})


async def _watch_page(_: Request) -> Response:
    return FileResponse(HUB_STATIC / "watch.html", headers={"cache-control": "no-cache"})


async def _hub_words(request: Request) -> Response:
    language = known_language(request.path_params["language"])
    words = Words(language)
    told = labels_in(language)
    return JSONResponse({**told, "labels": {**words.page(), **words.hub_page()}})

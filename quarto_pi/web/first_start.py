"""The page of a board that is set up by phone: what it asks, and what it takes for an answer.

Whoever is in the board's own Wi-Fi may answer, and nobody else reaches it; it ends with the answer.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from quarto_pi.first_start.mistakes import Mistaken
from quarto_pi.first_start.owner_settings import checked_answers, wifi_of
from quarto_pi.first_start.set_up import SetUpAnswers, SetUpState
from quarto_pi.languages import LANGUAGE_NAMES, LANGUAGES, language_of_locale
from quarto_pi.rules import QuartoError
from quarto_pi.web.guard import Armour, Guard, Now, is_local_name
from quarto_pi.web.requests import body_of, known, one_of
from quarto_pi.web.service import LEAST_PACKED_BYTES, STATIC
from quarto_pi.web.snapshot import labels_in
from quarto_pi.web.wishes import Json, Refused
from quarto_pi.words import Words

ANSWER_NAMES: Final = {
    "wiring": "wiring",
    "pin": "PIN",
}
"""The keys of an answer that are settings, with the names that owners know them by; beside these are language,
time zone, network and time."""


@dataclass(frozen=True, slots=True)
class BoardToSetUp:
    """What the page knows of the board: how the set-up stands, how it may be wired, and who takes answers."""

    state: Callable[[], SetUpState]
    answer: Callable[[SetUpAnswers], None]
    wirings: Mapping[str, str]
    wiring: str
    tell_time: Callable[[float], None] = lambda _: None


def first_start_service(board: BoardToSetUp, now: Now = time.monotonic) -> Starlette:
    """The application that sets a board up."""
    guard = Guard(now, free=True)
    asking = _Asking(board, guard)
    routes = [
        Route("/", _page),
        Route("/api/v1/first-start", asking.stands),
        Route("/api/v1/first-start", asking.take, methods=["POST"]),
        Route("/api/v1/words/{language}", _labels),
        Mount("/static", StaticFiles(directory=STATIC)),
    ]
    return Starlette(
        routes=routes,
        middleware=[
            Middleware(LedToBoard, address=lambda: board.state().view.address),
            Middleware(Armour, now=now, guard=guard),
            Middleware(GZipMiddleware, minimum_size=LEAST_PACKED_BYTES),
        ],
        exception_handlers={Refused: _said, QuartoError: _said},
    )


class LedToBoard:
    """Leads a phone that looks whether this Wi-Fi leads anywhere, under whatever name, to the board's page.

    It opens it by itself then. Nothing but the way is answered under a strange name.
    """

    def __init__(self, app: ASGIApp, address: Callable[[], str]) -> None:
        self._app = app
        self._address = address

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        address = self._address() if scope["type"] == "http" and scope["method"] == "GET" else ""
        if address and not is_local_name(Headers(scope=scope).get("host", "")):
            await RedirectResponse(address, 302, {"cache-control": "no-store"})(scope, receive, send)
            return
        await self._app(scope, receive, send)


class _Asking:
    def __init__(self, board: BoardToSetUp, guard: Guard) -> None:
        self._board, self._guard = board, guard

    async def stands(self, request: Request) -> Response:
        """What there is to choose from, and how the set-up stands."""
        state = self._board.state()
        view = state.view
        language = view.language or _accepted_language(request)
        trouble = None
        if view.trouble is not None:
            trouble = Words(language).join_trouble(view.trouble, view.network)[1]
        told: Json = {
            "stage": view.stage.value,
            "language": language,
            "languages": dict(LANGUAGE_NAMES),
            "wirings": dict(self._board.wirings),
            "wiring": self._board.wiring,
            "networks": [{"name": each.name, "secured": each.secured} for each in state.visible],
            "network": view.network,
            "trouble": trouble,
        }
        return JSONResponse(told)

    async def take(self, request: Request) -> Response:
        """Take an answer, if all of it is right; otherwise one sentence in its own language."""
        self._guard.admit(request)
        body = await body_of(request)
        known(body, ("language", *ANSWER_NAMES, "time_zone", "network", "password", "now"))
        language = one_of(body, "language", LANGUAGES)
        try:
            answers = _answers_in(body, language)
        except Mistaken as error:
            raise Refused(400, Words(language).mistake(error.mistake)) from error
        if type(body.get("now")) in (int, float):
            # A phone that is wrong about the time is no reason to ask again.
            with suppress(QuartoError, OverflowError):
                self._board.tell_time(float(f"{body['now']}"))
        self._board.answer(answers)
        return JSONResponse({})


def _answers_in(body: Json, language: str) -> SetUpAnswers:
    said = {name: _text(body, key) for key, name in ANSWER_NAMES.items()}
    settings = checked_answers({**said, "language": language})
    with suppress(Mistaken):
        # The phone's own zone is nobody's choice: one that this system does not know is left out.
        settings |= checked_answers({"time zone": _text(body, "time_zone")})
    network = _text(body, "network")
    return SetUpAnswers(settings, language, wifi_of(network, _text(body, "password")) if network else None)


def _text(body: Json, key: str) -> str:
    value = body.get(key, "")
    if not isinstance(value, str):
        raise Refused(400, f"'{key}' is no text.")
    return value


def _accepted_language(request: Request) -> str:
    """The first language of the phone that the board speaks."""
    for wanted in request.headers.get("accept-language", "").split(","):
        spoken = language_of_locale(wanted.partition(";")[0].strip().replace("-", "_"))
        if spoken is not None:
            return spoken
    return LANGUAGES[0]


async def _page(_: Request) -> Response:
    return FileResponse(STATIC / "first-start.html", headers={"cache-control": "no-cache"})


async def _labels(request: Request) -> Response:
    return JSONResponse(labels_in(request.path_params["language"]))


async def _said(_: Request, error: Exception) -> Response:
    if isinstance(error, Refused):
        return JSONResponse(error.as_json(), error.status)
    return JSONResponse({"error": f"{error}"}, 400)

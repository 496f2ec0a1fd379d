"""Who may do what: where requests may come from, the owner's PIN, how often something may be asked for, and headers."""

from __future__ import annotations

import asyncio
import hmac
import ipaddress
import json
from collections import OrderedDict, deque
from collections.abc import Callable
from typing import ClassVar, Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from quarto_pi.web.requests import RefusalReason, Refused

# --- The connections of the page: not more than the process can spare, and none that is held open for nothing ---------
#
# Open files are what the game needs as well, for the computer's engine and for traces; strangers must not use them up.

MOST_CONNECTIONS: Final = 256
HURRY_SECONDS: Final = 10.0


class Connection(H11Protocol):
    """A connection that is cut when there are too many, or when nobody asks for anything on it."""

    most: ClassVar[int] = MOST_CONNECTIONS
    hurry_seconds: ClassVar[float] = HURRY_SECONDS
    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as in the base class
        """Take a new connection, if there is room for it."""
        super().connection_made(transport)
        if len(self.connections) > self.most:
            transport.abort()
            return
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget it."""
        if self._waiting is not None:
            self._waiting.cancel()
        super().connection_lost(exc)

    def _wait(self) -> None:
        self._waiting = self.loop.call_later(self.hurry_seconds, self._look)

    def _look(self) -> None:
        """Cut it unless an answer is under way, or the last one so fresh that another request may follow."""
        answering = self.cycle is not None and not self.cycle.response_complete
        if answering or self.timeout_keep_alive_task is not None:
            self._wait()
        else:
            self.transport.abort()


# --- Who may do what --------------------------------------------------------------------------------------------------

WRONG_PINS: Final = 5
WRONG_PINS_OF_ALL: Final = 30
MINUTE_SECONDS: Final = 60.0
MOST_ADDRESSES: Final = 1_000
WRITES_A_SECOND: Final = 20
"""More than hands can do and fingers can tap; what is above that is refused before it reaches the game."""
READS_A_SECOND: Final = 300
"""Of all who look on together; a page that streams asks for little."""

HEADERS: Final = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), usb=(), payment=()",
}

Now = Callable[[], float]


class Rate:
    """So many in so many seconds."""

    def __init__(self, most: int, seconds: float) -> None:
        self._most = most
        self._seconds = seconds
        self._at: deque[float] = deque()

    def full(self, now: float) -> bool:
        """Whether no more may come at present."""
        while self._at and self._at[0] <= now - self._seconds:
            self._at.popleft()
        return len(self._at) >= self._most

    def count(self, now: float) -> None:
        """One more has come."""
        self._at.append(now)


class Guard:
    """Lets those write who may: everybody at a simulated board, who knows the PIN at a real one."""

    def __init__(self, now: Now, *, free: bool = False, pin: str = "") -> None:
        self._now = now
        self._free = free
        self._pin = pin.encode("utf-8")
        self._writes = Rate(WRITES_A_SECOND, 1.0)
        self._wrong = Rate(WRONG_PINS_OF_ALL, MINUTE_SECONDS)
        self._wrong_from: OrderedDict[str, Rate] = OrderedDict()

    @property
    def writing(self) -> str:
        """How somebody may write: "free", "pin" or "no"."""
        return "free" if self._free else "pin" if self._pin else "no"

    def admit(self, request: Request) -> None:
        """Let a request pass that changes something; raises where it must not."""
        _check_origin(request.headers)
        if not self._free:
            self._check_pin(request)
        now = self._now()
        if self._writes.full(now):
            raise Refused(429, "that was a lot at once: wait a moment.", RefusalReason.TOO_FAST)
        self._writes.count(now)

    def _check_pin(self, request: Request) -> None:
        if not self._pin:
            raise Refused(403, "this board is only to be looked at: its owner has set no PIN.", RefusalReason.LOOK_ONLY)
        now, address = self._now(), request.client.host if request.client else ""
        wrong = self._wrong_from.get(address)
        if self._wrong.full(now) or (wrong is not None and wrong.full(now)):
            raise Refused(429, "too many wrong PINs: wait a minute.", RefusalReason.PIN_WAIT)
        given = request.headers.get("x-pin", "").encode("latin-1", "replace")
        if not given:
            raise Refused(403, "this needs the owner's PIN, in the header X-Pin.", RefusalReason.PIN_MISSING)
        if hmac.compare_digest(given, self._pin):
            return
        self._wrong.count(now)
        self._rate_of(address).count(now)
        raise Refused(403, "that is not the PIN of this board.", RefusalReason.PIN_WRONG)

    def _rate_of(self, address: str) -> Rate:
        rate = self._wrong_from.setdefault(address, Rate(WRONG_PINS, MINUTE_SECONDS))
        self._wrong_from.move_to_end(address)
        if len(self._wrong_from) > MOST_ADDRESSES:
            self._wrong_from.popitem(last=False)
        return rate


def _check_origin(headers: Headers) -> None:
    """A page of another site must not use the browser of somebody who may write."""
    origin = headers.get("origin")
    if origin is not None:
        try:
            host = urlsplit(origin).netloc
        except ValueError:
            host = ""
        if not host or host != headers.get("host"):
            raise Refused(403, "this was sent by a page of another site.")
    if headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
        raise Refused(403, "this was sent by a page of another site.")


def is_local_name(host: str) -> bool:
    """Whether a Host header names this machine in a way that no stranger's name server can make up.

    >>> [is_local_name(host) for host in ("localhost:8040", "192.168.1.7", "[::1]:80", "quarto.local", "evil.example")]
    [True, True, True, True, False]
    """
    try:
        name = urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return False
    if name == "localhost" or name.endswith((".localhost", ".local", ".lan", ".home.arpa")):
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        # A name without a dot is one of the home's own.
        return bool(name) and "." not in name
    return True


class Armour:
    """Around the whole service: refuses strange hosts and floods, and puts the headers on every answer."""

    def __init__(self, app: ASGIApp, now: Now) -> None:
        self._app = app
        self._now = now
        self._reads = Rate(READS_A_SECOND, 1.0)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_armoured(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                headers.setdefault("cache-control", "no-cache" if scope["path"].startswith("/static") else "no-store")
            await send(message)

        if not is_local_name(Headers(scope=scope).get("host", "")):
            await _refuse(send_armoured, 421, "use the address of this machine, or its local name.")
            return
        if scope["path"].startswith("/api/"):
            now = self._now()
            if self._reads.full(now):
                await _refuse(send_armoured, 429, "the board is asked too much: wait a moment.", RefusalReason.TOO_FAST)
                return
            self._reads.count(now)
        await self._app(scope, receive, send_armoured)


async def _refuse(send: Send, status: int, sentence: str, reason: RefusalReason | None = None) -> None:
    refused = Refused(status, sentence, reason)
    headers = [(b"content-type", b"application/json")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": json.dumps(refused.as_json()).encode("utf-8")})

"""Who may do what: how many may connect, where requests may come from, the owner's PIN, how often one may ask, headers.

A newcomer always gets a place where there is a fair one: for it leaves the oldest connection of the address that has
the most, first one on which nothing is being answered. So nobody who holds many keeps others out, nor even himself.
"""

from __future__ import annotations

import asyncio
import hmac
import ipaddress
import json
import math
from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Final, Protocol
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from quarto_pi.web.wishes import RefusalReason, Refused

# --- The connections of the page: so many of one address and of all, places kept for board and owner ------------------

MOST_CONNECTIONS: Final = 256
"""Open files are what the game needs as well, for the computer's engine and for traces."""
KEPT_CONNECTIONS: Final = 64
"""Of these, places for the board itself and for who has shown the PIN."""
MOST_OF_ONE: Final = 32
"""Of one address: a browser has six; a household behind one address has some more."""
MOST_OF_OWNER: Final = 64
HURRY_SECONDS: Final = 10.0
"""A request has to be there whole after so long, and an answer has to be taken in part."""

BOARD_ITSELF: Final = frozenset({"127.0.0.1", "::1"})
KNOWS_OWNER: Final = "knows_owner"
"""The name in the server's state of who tells whether an address has shown the PIN."""
_NETWORK_BITS: Final = 64


def counted_as(host: str) -> str:
    """The address as which a client is counted: whoever has one of IPv6 has as many as he likes, of one network.

    >>> counted_as("192.168.1.7"), counted_as("::ffff:192.168.1.7"), counted_as("fe80::1:2%eth0")
    ('192.168.1.7', '192.168.1.7', 'fe80::/64')
    """
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv4Address):
        return f"{address}"
    if address.ipv4_mapped is not None:
        return f"{address.ipv4_mapped}"
    return f"{address}" if address.is_loopback else f"{ipaddress.ip_network((address, _NETWORK_BITS), strict=False)}"


class Connection(H11Protocol):
    """A connection that leaves for others when there are too many, and is cut when nobody asks or listens on it."""

    most: ClassVar[int] = MOST_CONNECTIONS
    kept: ClassVar[int] = KEPT_CONNECTIONS
    of_one: ClassVar[int] = MOST_OF_ONE
    of_owner: ClassVar[int] = MOST_OF_OWNER
    hurry_seconds: ClassVar[float] = HURRY_SECONDS
    address = ""
    _waiting: asyncio.TimerHandle | None = None
    _came = 0.0
    _left = False
    _unsent = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as in the base class
        """Take a new connection, and let another one go for it if there are too many."""
        super().connection_made(transport)
        self.address = counted_as(self.client[0]) if self.client else ""
        self._came = self.loop.time()
        leaves = self._who_leaves()
        if leaves is not None:
            leaves.cut()
        if leaves is not self:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget it."""
        self._left = True
        if self._waiting is not None:
            self._waiting.cancel()
        super().connection_lost(exc)

    def cut(self) -> None:
        """End it at once."""
        self._left = True
        self.transport.abort()

    @property
    def is_preferred(self) -> bool:
        """Whether it is of the board itself, or of who has shown the PIN."""
        knows: Callable[[str], bool] | None = self.app_state.get(KNOWS_OWNER)
        return self.address in BOARD_ITSELF or (knows is not None and knows(self.address))

    @property
    def is_answering(self) -> bool:
        """Whether an answer is under way."""
        return self.cycle is not None and not self.cycle.response_complete

    def _who_leaves(self) -> Connection | None:
        there = [each for each in self.connections if isinstance(each, Connection) and not each._left]  # noqa: SLF001
        own = [each for each in there if each.address == self.address]
        is_preferred = self.is_preferred
        if len(own) > (self.of_owner if is_preferred else self.of_one):
            return _first_to_leave(own, self)
        strangers = [each for each in there if not each.is_preferred]
        if not is_preferred and len(strangers) > self.most - self.kept:
            return self._of_the_greediest(strangers)
        if len(there) > self.most:
            return self._of_the_greediest(
                there if is_preferred and len(strangers) <= self.most - self.kept else strangers
            )
        return None

    def _of_the_greediest(self, among: list[Connection]) -> Connection:
        ((greediest, count),) = Counter(each.address for each in among).most_common(1)
        # Where everybody has one only, who is there already stays.
        return self if count == 1 else _first_to_leave([each for each in among if each.address == greediest], self)

    def _wait(self) -> None:
        self._waiting = self.loop.call_later(self.hurry_seconds, self._look)

    def _look(self) -> None:
        """Cut it unless an answer is under way and taken, or the last one so fresh that another request may follow."""
        unsent, before = self.transport.get_write_buffer_size(), self._unsent
        self._unsent = unsent
        is_stuck = 0 < before <= unsent
        if (self.is_answering or self.timeout_keep_alive_task is not None) and not is_stuck:
            self._wait()
        else:
            self.cut()


def _first_to_leave(connections: list[Connection], newcomer: Connection) -> Connection:
    return min(
        (each for each in connections if each is not newcomer),
        key=lambda each: (each.is_answering, each._came),  # noqa: SLF001
    )


# --- Who may do what --------------------------------------------------------------------------------------------------

WRONG_PINS: Final = 5
"""After so many an address waits for a minute, and after each further one twice as long as before."""
WRONG_PINS_OF_ALL: Final = 30
"""In a minute, of all addresses: then whoever has given a wrong one waits, but the board itself and its owner."""
MINUTE_SECONDS: Final = 60.0
LONGEST_WAIT_SECONDS: Final = 3_600.0
MOST_ADDRESSES: Final = 1_000
MOST_OWNERS: Final = 50
WRITES_A_SECOND: Final = 20
"""Of one address: more than fingers can tap; what is above that is refused before it reaches the game."""
WRITES_OF_ALL: Final = 60
REQUESTS_A_SECOND: Final = 100
"""Of one address; a page takes some forty at its start and then streams."""
REQUESTS_OF_ALL: Final = 300

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


class Rates:
    """So many in so many seconds of one address, and of all addresses together; addresses with none are forgotten."""

    def __init__(self, of_one: int, of_all: int, seconds: float) -> None:
        self._of_one, self._seconds = of_one, seconds
        self._all = Rate(of_all, seconds)
        self._each: OrderedDict[str, Rate] = OrderedDict()

    def full(self, address: str, now: float, *, is_owner: bool = False) -> bool:
        """Whether no more may come from there at present; the owner is only counted among all."""
        own = self._each.get(address)
        if is_owner:
            return own is not None and own.full(now) and self._all.full(now)
        return self._all.full(now) or (own is not None and own.full(now))

    def count(self, address: str, now: float) -> None:
        """One more has come from there."""
        self._all.count(now)
        self._each.setdefault(address, Rate(self._of_one, self._seconds)).count(now)
        self._each.move_to_end(address)
        if len(self._each) > MOST_ADDRESSES:
            self._each.popitem(last=False)


@dataclass
class Guesses:
    """The wrong guesses of one address, and until when it has to wait."""

    wrong: int = 0
    until: float = 0.0


class GuessLimit:
    """Who guesses a secret waits, after each wrong one longer; who has given no wrong one never does."""

    def __init__(
        self, now: Now, secret: str, waits: RefusalReason, say: Callable[[str], None] = lambda _: None
    ) -> None:
        self._now = now
        self._secret = secret
        self._waits = waits
        self._say = say
        self._wrong = Rate(WRONG_PINS_OF_ALL, MINUTE_SECONDS)
        self._guesses: OrderedDict[str, Guesses] = OrderedDict()
        self._unsaid: Counter[str] = Counter()
        self._said_at = -MINUTE_SECONDS

    def check(self, address: str, *, is_known: bool) -> None:
        """Refuse a guess while its address has to wait; what others guess never holds up one that is known."""
        now, guesses = self._now(), self._guesses.get(address, Guesses())
        # Who has given no wrong one is never kept waiting: it may be the owner, whatever others do meanwhile.
        is_held_up = guesses.wrong > 0 and self._wrong.full(now) and not is_known
        waits = max(guesses.until - now, MINUTE_SECONDS if is_held_up else 0.0)
        if waits > 0:
            minutes = math.ceil(waits / MINUTE_SECONDS)
            said = "a minute" if minutes == 1 else f"{minutes} minutes"
            raise Refused(429, f"too many wrong {self._secret}s: wait {said}.", self._waits)

    def right(self, address: str) -> None:
        """The secret was right: what was guessed before is forgotten."""
        self._guesses.pop(address, None)

    def wrong(self, address: str) -> None:
        """The secret was wrong: count it, and say so in the log now and then."""
        now, guesses = self._now(), self._guesses.get(address, Guesses())
        self._wrong.count(now)
        guesses.wrong += 1
        above = guesses.wrong - WRONG_PINS
        if above >= 0:
            # At the board itself a guest may have guessed as well: there the owner never waits longer than a minute.
            wait = MINUTE_SECONDS if address in BOARD_ITSELF else MINUTE_SECONDS * 2.0 ** min(above, 10)
            guesses.until = now + min(wait, LONGEST_WAIT_SECONDS)
        self._guesses[address] = guesses
        self._guesses.move_to_end(address)
        if len(self._guesses) > MOST_ADDRESSES:
            self._guesses.popitem(last=False)
        self._unsaid[address] += 1
        if now - self._said_at >= MINUTE_SECONDS:
            self._said_at = now
            count, addresses = self._unsaid.total(), ", ".join(sorted(self._unsaid)[:SAID_ADDRESSES])
            self._say(f"{count} wrong {self._secret}{'' if count == 1 else 's'} given on the page, from {addresses}.")
            self._unsaid.clear()


class Guard:
    """Lets those write who may: everybody at a simulated board, who knows the PIN at a real one."""

    def __init__(
        self, now: Now, *, free: bool = False, pin: str = "", say: Callable[[str], None] = lambda _: None
    ) -> None:
        self._now = now
        self._free = free
        self._pin = pin.encode("utf-8")
        self._writes = Rates(WRITES_A_SECOND, WRITES_OF_ALL, 1.0)
        self._limit = GuessLimit(now, "PIN", RefusalReason.PIN_WAIT, say)
        self._owners: OrderedDict[str, None] = OrderedDict()
        self.wrong_pins = 0
        """How many wrong PINs were given since the right one was given last."""

    @property
    def writing(self) -> str:
        """How somebody may write: "free", "pin" or "no"."""
        return "free" if self._free else "pin" if self._pin else "no"

    def knows(self, address: str) -> bool:
        """Whether this is the board itself, or an address that has shown the PIN."""
        return address in BOARD_ITSELF or address in self._owners

    def admit(self, request: Request) -> None:
        """Let a request pass that changes something; raises where it must not."""
        check_origin(request.headers)
        address = counted_as(request.client.host) if request.client else ""
        if not self._free:
            self._check_pin(request, address)
        now = self._now()
        if self._writes.full(address, now):
            raise Refused(429, "that was a lot at once: wait a moment.", RefusalReason.TOO_FAST)
        self._writes.count(address, now)

    def _check_pin(self, request: Request, address: str) -> None:
        if not self._pin:
            raise Refused(403, "this board is only to be looked at: its owner has set no PIN.", RefusalReason.LOOK_ONLY)
        self._limit.check(address, is_known=self.knows(address))
        given = request.headers.get("x-pin", "").encode("latin-1", "replace")
        if not given:
            raise Refused(403, "this needs the owner's PIN, in the header X-Pin.", RefusalReason.PIN_MISSING)
        if not hmac.compare_digest(given, self._pin):
            self.wrong_pins += 1
            self._limit.wrong(address)
            raise Refused(403, "that is not the PIN of this board.", RefusalReason.PIN_WRONG)
        self.wrong_pins = 0
        self._limit.right(address)
        self._owners[address] = None
        self._owners.move_to_end(address)
        if len(self._owners) > MOST_OWNERS:
            self._owners.popitem(last=False)


SAID_ADDRESSES: Final = 5
"""So many addresses of who has guessed stand in one line of the log."""


def check_origin(headers: Headers) -> None:
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


class KnowsAddress(Protocol):
    """Tells whether an address is one of who is let in, and so is not held up by what others ask."""

    def knows(self, address: str) -> bool:
        """Whether it is."""


class Armour:
    """Around the whole service: refuses strange hosts and floods, and puts the headers on every answer."""

    def __init__(
        self, app: ASGIApp, now: Now, guard: KnowsAddress, is_own_name: Callable[[str], bool] | None = None
    ) -> None:
        self._app = app
        self._now = now
        self._guard = guard
        self._is_own_name = is_own_name or is_local_name
        self._requests = Rates(REQUESTS_A_SECOND, REQUESTS_OF_ALL, 1.0)

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

        if not self._is_own_name(Headers(scope=scope).get("host", "")):
            await _refuse(send_armoured, 421, "use the address of this machine, or its local name.")
            return
        address, now = counted_as(scope["client"][0]) if scope.get("client") else "", self._now()
        if self._requests.full(address, now, is_owner=self._guard.knows(address)):
            await _refuse(send_armoured, 429, "the board is asked too much: wait a moment.", RefusalReason.TOO_FAST)
            return
        self._requests.count(address, now)
        await self._app(scope, receive, send_armoured)


async def _refuse(send: Send, status: int, sentence: str, reason: RefusalReason | None = None) -> None:
    refused = Refused(status, sentence, reason)
    # Whoever has more to ask of this kind has to begin anew.
    headers = [(b"content-type", b"application/json"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": json.dumps(refused.as_json()).encode("utf-8")})

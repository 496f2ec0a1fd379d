"""Who asks, and whether he may: sessions in cookies, slow passwords, limits for who guesses, and no other site's page.

The cookie is a random token, of which the hub keeps a digest in memory: a hub that is started again has everybody log
in again. Whoever is removed, or gets another password or role, is out.

The cookie is HttpOnly and SameSite=Strict, and `Secure` with a name that only this host can set where the page is
encrypted. What changes something is a POST with a JSON body whose Origin, where a browser names one, is this page.
"""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from quarto_pi.hub.people import HubUser, PeopleFile, Role
from quarto_pi.web.guard import (
    BOARD_ITSELF,
    WRITES_A_SECOND,
    WRITES_OF_ALL,
    GuessLimit,
    Now,
    Rates,
    check_origin,
    counted_as,
)
from quarto_pi.web.wishes import RefusalReason, Refused

# --- Who is logged in on the hub's page: a random token in a cookie, of which the hub keeps a digest in memory --------

SESSION_IDLE_SECONDS: Final = 12 * 3_600.0
LONGEST_SESSION_SECONDS: Final = 30 * 86_400.0
MOST_SESSIONS: Final = 2_000
MOST_SESSIONS_OF_ONE: Final = 20


@dataclass(slots=True)
class Session:
    """Somebody who is logged in somewhere; it goes on below another token when he chooses another password."""

    digest: str
    user: HubUser
    address: str
    began: float
    used: float


class Sessions:
    """All sessions; the oldest leave where there are too many."""

    def __init__(self, people: PeopleFile, now: Callable[[], float]) -> None:
        self._people = people
        self._now = now
        self._by_digest: OrderedDict[str, Session] = OrderedDict()

    def begin(self, user: HubUser, address: str) -> str:
        """Log somebody in; returns the token."""
        now = self._now()
        return self._enter(Session("", user, address, now, now))

    def renew(self, token: str, user: HubUser, address: str) -> str:
        """Have the session go on with somebody as he is now, below another token, which is returned."""
        session = self._by_digest.pop(_digest(token), None)
        if session is None:
            return self.begin(user, address)
        session.user, session.address = user, address
        session.began = session.used = self._now()
        return self._enter(session)

    def _enter(self, session: Session) -> str:
        token = secrets.token_urlsafe(32)
        own = [digest for digest, each in self._by_digest.items() if each.user.name == session.user.name]
        for digest in own[: max(0, len(own) - MOST_SESSIONS_OF_ONE + 1)]:
            del self._by_digest[digest]
        if len(self._by_digest) >= MOST_SESSIONS:
            self._by_digest.popitem(last=False)
        session.digest = _digest(token)
        self._by_digest[session.digest] = session
        return token

    def of(self, token: str) -> Session | None:
        """The session with this token; None where it has ended, or never was."""
        return self._by_digest.get(_digest(token))

    def user(self, session: Session | None, *, counts: bool = True) -> HubUser | None:
        """Whose session this is; None where it is over. What counts keeps it from running out."""
        if session is None or self._by_digest.get(session.digest) is not session:
            return None
        now = self._now()
        is_over = now - session.used > SESSION_IDLE_SECONDS or now - session.began > LONGEST_SESSION_SECONDS
        if is_over or self._people.find(session.user.name) != session.user:
            del self._by_digest[session.digest]
            return None
        if counts:
            session.used = now
        return session.user

    def end(self, token: str) -> None:
        """Log somebody out."""
        self._by_digest.pop(_digest(token), None)

    def knows(self, address: str) -> bool:
        """Whether somebody is logged in from this address."""
        return any(session.address == address for session in self._by_digest.values())


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


# --- Who asks, and whether he may -------------------------------------------------------------------------------------

LOGINS_AT_ONCE: Final = 2
"""Each takes a tenth of a second of a processor and 32 MB: that is what makes guessing slow."""
LOGINS_WAITING: Final = 20


class Logins:
    """Lets those in who have a name and a password, and tells who somebody is afterwards."""

    def __init__(
        self, people: PeopleFile, now: Now, *, encrypted: bool, say: Callable[[str], None] = lambda _: None
    ) -> None:
        self._people = people
        self._now = now
        self._encrypted = encrypted
        self._sessions = Sessions(people, now)
        self._limit = GuessLimit(now, "password", RefusalReason.LOGIN_WAIT, say)
        self._writes = Rates(WRITES_A_SECOND, WRITES_OF_ALL, 1.0)
        self._at_once = asyncio.Semaphore(LOGINS_AT_ONCE)
        self._waiting = 0

    @property
    def cookie(self) -> str:
        """The cookie's name."""
        return "__Host-quarto-hub" if self._encrypted else "quarto-hub"

    def knows(self, address: str) -> bool:
        """Whether this is the hub's own machine, or somebody is logged in from there."""
        return address in BOARD_ITSELF or self._sessions.knows(address)

    def who(self, request: Request, *, counts: bool = True) -> HubUser:
        """Who asks; `Refused` where nobody is logged in. A look that does not count leaves the session to run out."""
        return self._logged_in(self._session(request), counts=counts)

    def onlooker(self, request: Request) -> Callable[[], HubUser]:
        """Tells who looks on from now on, by the session that he has now; `Refused` once that is over."""
        session = self._session(request)
        self._logged_in(session, counts=True)
        return lambda: self._logged_in(session, counts=False)

    def _session(self, request: Request) -> Session | None:
        return self._sessions.of(request.cookies.get(self.cookie, ""))

    def _logged_in(self, session: Session | None, *, counts: bool) -> HubUser:
        user = self._sessions.user(session, counts=counts)
        if user is None:
            raise Refused(401, "log in first.", RefusalReason.LOG_IN)
        return user

    def owner(self, request: Request) -> HubUser:
        """Who asks, if it is an owner."""
        user = self.who(request)
        if user.role is not Role.OWNER:
            raise Refused(403, "only an owner can do this.", RefusalReason.NOT_YOURS)
        return user

    def admit(self, request: Request) -> None:
        """Let a request pass that changes something, whoever it is of; raises where it must not."""
        check_origin(request.headers)
        address, now = address_of_client(request), self._now()
        if self._writes.full(address, now):
            raise Refused(429, "that was a lot at once: wait a moment.", RefusalReason.TOO_FAST)
        self._writes.count(address, now)

    async def log_in(
        self, request: Request, name: str, password: str, answer: Callable[[HubUser], Response]
    ) -> Response:
        """Let somebody in, if name and password fit; the answer has the cookie."""
        self.admit(request)
        user = await self._checked(request, name, password)
        token = self._sessions.begin(user, address_of_client(request))
        return self._with_token(token, answer(user))

    def renew(self, request: Request, user: HubUser, response: Response) -> Response:
        """Keep somebody logged in who has chosen another password, with another cookie; his other sessions are over."""
        old = request.cookies.get(self.cookie, "")
        return self._with_token(self._sessions.renew(old, user, address_of_client(request)), response)

    def _with_token(self, token: str, response: Response) -> Response:
        response.set_cookie(
            self.cookie,
            token,
            max_age=int(LONGEST_SESSION_SECONDS),
            path="/",
            secure=self._encrypted,
            httponly=True,
            samesite="strict",
        )
        return response

    def log_out(self, request: Request, response: Response) -> Response:
        """End the session; the answer takes the cookie away."""
        self.admit(request)
        self._sessions.end(request.cookies.get(self.cookie, ""))
        response.delete_cookie(self.cookie, path="/", secure=self._encrypted, httponly=True, samesite="strict")
        return response

    async def confirm(self, request: Request, user: HubUser, password: str) -> None:
        """Make sure that it is still the same person at a page that was left open."""
        await self._checked(request, user.name, password)

    async def _checked(self, request: Request, name: str, password: str) -> HubUser:
        address = address_of_client(request)
        self._limit.check(address, is_known=self.knows(address))
        if self._waiting >= LOGINS_WAITING:
            raise Refused(503, "many people log in just now: try again in a moment.", RefusalReason.BUSY)
        self._waiting += 1
        try:
            async with self._at_once:
                # What others have guessed from there meanwhile counts for this one as well.
                self._limit.check(address, is_known=self.knows(address))
                user = await asyncio.to_thread(self._people.admitted, name, password)
                if user is None:
                    self._limit.wrong(address)
        finally:
            self._waiting -= 1
        if user is None:
            raise Refused(403, "that name and that password are none that belong together.", RefusalReason.LOGIN_WRONG)
        self._limit.right(address)
        return user


def address_of_client(request: Request) -> str:
    """The address as which who asks is counted."""
    return counted_as(request.client.host) if request.client else ""

"""Who is logged in on the hub's page: a random token in a cookie, of which the hub keeps a digest in memory.

A hub that is started again has everybody log in again. Whoever is removed, or gets another password or role, is out.
"""

from __future__ import annotations

import hashlib
import secrets
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from quarto_pi.hub.people import HubUser, PeopleFile

SESSION_IDLE_SECONDS: Final = 12 * 3_600.0
LONGEST_SESSION_SECONDS: Final = 30 * 86_400.0
MOST_SESSIONS: Final = 2_000
MOST_SESSIONS_OF_ONE: Final = 20


@dataclass(slots=True)
class _Session:
    user: HubUser
    address: str
    began: float
    used: float


class Sessions:
    """All sessions; the oldest leave where there are too many."""

    def __init__(self, people: PeopleFile, now: Callable[[], float]) -> None:
        self._people = people
        self._now = now
        self._by_digest: OrderedDict[str, _Session] = OrderedDict()

    def begin(self, user: HubUser, address: str) -> str:
        """Log somebody in; returns the token."""
        token = secrets.token_urlsafe(32)
        now = self._now()
        own = [digest for digest, each in self._by_digest.items() if each.user.name == user.name]
        for digest in own[: max(0, len(own) - MOST_SESSIONS_OF_ONE + 1)]:
            del self._by_digest[digest]
        if len(self._by_digest) >= MOST_SESSIONS:
            self._by_digest.popitem(last=False)
        self._by_digest[_digest(token)] = _Session(user, address, now, now)
        return token

    def user(self, token: str, *, counts: bool = True) -> HubUser | None:
        """Who has this token; None where the session is over, or never was. What counts keeps it from running out."""
        digest = _digest(token)
        session = self._by_digest.get(digest)
        if session is None:
            return None
        now = self._now()
        is_over = now - session.used > SESSION_IDLE_SECONDS or now - session.began > LONGEST_SESSION_SECONDS
        if is_over or self._people.find(session.user.name) != session.user:
            del self._by_digest[digest]
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

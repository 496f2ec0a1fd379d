"""The boards and alarms for everybody who looks on: all of them at first, afterwards what has changed."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import Final

from quarto_pi.hub.page_json import alarm_as_json, row_as_json, sees_alarm
from quarto_pi.hub.people import HubUser
from quarto_pi.hub.watch import Watch
from quarto_pi.web.streams import ALIVE_SECONDS, WaitingClients
from quarto_pi.web.wishes import Json, Refused

NEWS_SECONDS: Final = 0.25
"""The shortest time between two news to one page: what changed in between is in the newer one."""

Whose = Callable[[], HubUser]
"""Tells who looks on; raises `Refused` once he may no longer."""


class WatchStreams:
    """The pages that wait for news; all in one event loop."""

    def __init__(self, watch: Watch, alive_seconds: float = ALIVE_SECONDS, news_seconds: float = NEWS_SECONDS) -> None:
        self._watch = watch
        self._waiting = WaitingClients(alive_seconds)
        self._news_seconds = news_seconds
        self._stirred = asyncio.Event()

    @property
    def clients(self) -> int:
        """How many look on."""
        return len(self._waiting)

    async def run(self) -> None:
        """Wake those who wait whenever something has changed."""
        loop = asyncio.get_running_loop()

        def wake() -> None:
            # The event loop may have gone when the hub still hears something.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(self._stirred.set)

        self._watch.wake_by(wake)
        try:
            while True:
                await self._stirred.wait()
                self._stirred.clear()
                self._waiting.wake()
                await asyncio.sleep(self._news_seconds)
        finally:
            self.end()

    def wake(self) -> None:
        """Have all streams look again."""
        self._waiting.wake()

    def end(self) -> None:
        """Let all streams end."""
        self._waiting.end()

    async def events(self, whose: Whose) -> AsyncIterator[str]:
        """What one page is sent."""
        seq, listing, alarms_seq, tournaments = -1, -1, -1, 0
        linked: bool | None = None
        with self._waiting.joined() as waits:
            while not self._waiting.ended:
                try:
                    user = whose()
                except Refused:
                    yield "event: over\ndata: {}\n\n"
                    return
                news = self._watch.news(seq, listing, alarms_seq)
                rows = [row_as_json(row) for row in news.rows if user.sees(row.house)]
                if rows or news.is_whole or news.linked != linked:
                    yield _event("boards", {"whole": news.is_whole, "linked": news.linked, "boards": rows})
                if news.alarms is not None:
                    shown = [alarm_as_json(alarm) for alarm in news.alarms if sees_alarm(user, alarm)]
                    yield _event("alarms", {"alarms": shown})
                if news.tournaments_seq != tournaments:
                    yield _event("tournaments", {})
                tournaments = news.tournaments_seq
                seq, listing, alarms_seq, linked = news.seq, news.listing, news.alarms_seq, news.linked
                if still_here := await waits():
                    yield still_here

    async def events_of_board(self, told: Callable[[], Json | None]) -> AsyncIterator[str]:
        """What somebody is sent who watches one board: what is told of it whenever that changes, until it is None."""
        before: Json | None = None
        with self._waiting.joined() as waits:
            while not self._waiting.ended:
                now = told()
                if now is None:
                    yield "event: over\ndata: {}\n\n"
                    return
                if now != before:
                    yield _event("board", now)
                before = now
                if still_here := await waits():
                    yield still_here


def _event(name: str, body: Json) -> str:
    return f"event: {name}\ndata: {json.dumps(body, separators=(',', ':'))}\n\n"

"""The boards and alarms, as JSON, for everybody who looks on: all of them at first, afterwards what has changed.

Nothing here depends on whether an alignment is open (D8).
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import Final

from quarto_pi.chain.messages import Ailment
from quarto_pi.hub.alarms import TOLD_KINDS, Alarm
from quarto_pi.hub.fleet import FleetRow, LiveGame
from quarto_pi.hub.people import HubUser
from quarto_pi.hub.watch import Watch
from quarto_pi.web.streams import ALIVE_SECONDS, WaitingClients
from quarto_pi.web.wishes import Json, Refused

# --- What the hub's page is told, as JSON. Nothing here depends on whether an alignment is open (D8) ------------------


def row_as_json(row: FleetRow) -> Json:
    """One board."""
    status = row.status
    return {
        "name": row.name,
        "house": row.house,
        "condition": row.condition.value,
        "since": row.since,
        "here": row.here,
        "ever_heard": row.ever_heard,
        "doing": None if status is None else status.doing.value,
        "language": None if status is None else status.language,
        "version": None if status is None else status.version,
        "queued": 0 if status is None else status.queued,
        "game": None if row.game is None else _live_as_json(row.game),
        "other": "" if status is None else status.other,
        "to_do": [_ailment_as_json(each) for each in row.to_do],
    }


def watched_as_json(row: FleetRow) -> Json:
    """One board for who watches it without being logged in: its game, and nothing of its house or health."""
    return {
        "name": row.name,
        "here": row.here,
        "doing": None if row.status is None else row.status.doing.value,
        "game": None if row.game is None else _live_as_json(row.game),
    }


def _live_as_json(game: LiveGame) -> Json:
    return {
        "number": game.number,
        "position": str(game.position),
        "seats": list(game.seats),
        "to_act": game.to_act,
        "over": game.over,
        "winner": game.winner,
    }


def _ailment_as_json(ailment: Ailment) -> Json:
    return {"device": ailment.device, "detail": ailment.detail, "fix": ailment.fix}


def alarm_as_json(alarm: Alarm) -> Json:
    """One alarm."""
    return {
        "number": alarm.number,
        "kind": alarm.cause.kind.value,
        "where": alarm.cause.where,
        "device": alarm.cause.device,
        "house": alarm.house,
        "detail": alarm.detail,
        "fix": alarm.fix,
        "raised": alarm.raised,
        "times": alarm.times,
        "cleared": alarm.cleared,
        "acknowledged_by": alarm.acknowledged_by,
        "acknowledged": alarm.acknowledged,
        "put_aside_by": alarm.put_aside_by,
        "may_be_put_aside": alarm.cause.kind in TOLD_KINDS and not alarm.cleared,
    }


def user_as_json(user: HubUser) -> Json:
    """Somebody who may use the page, without what is kept of the password."""
    return {"name": user.name, "role": user.role.value, "house": user.house}


def sees_alarm(user: HubUser, alarm: Alarm) -> bool:
    """Whether an alarm is for somebody: those of no house are for who sees all of them."""
    return user.sees(alarm.house) if alarm.house else user.only_house is None


# --- The boards and alarms for everybody who looks on: all of them at first, afterwards what has changed --------------

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

"""The newest snapshot for everybody who looks on: made once for all of them, in the page's own thread."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import Final

from quarto_pi.web.feed import Feed
from quarto_pi.web.moment import Json, Moment
from quarto_pi.web.requests import Refused
from quarto_pi.web.snapshot import snapshot
from quarto_pi.words import Words

PACE_SECONDS: Final = 0.05
"""So long at least lies between two snapshots: what changed in between is seen in the newer one."""
ALIVE_SECONDS: Final = 15.0
"""A stream on which nothing happens gets a comment that often, so that nobody in between takes it for dead."""
MOST_STREAMS: Final = 200

NOTHING_BELOW: Final[Json] = {"oled": None, "table": None, "readers": None, "faults": None, "recording": None}

Below = Callable[[], Json]
"""Tells what lies below the drivers: dots of the display, pieces on the table, readers' health."""


def nothing_below() -> Json:
    """What is told of a board into which nobody looks."""
    return dict(NOTHING_BELOW)


class Streams:
    """Snapshots with their numbers, and the clients that wait for them; all in one event loop."""

    def __init__(self, feed: Feed, below: Below = nothing_below, alive_seconds: float = ALIVE_SECONDS) -> None:
        self._feed = feed
        self._below = below
        self._alive_seconds = alive_seconds
        self._words = Words()
        self._shown: tuple[Moment, Json] | None = None
        self._content: Json | None = None
        self._state = ""
        self._seq = 0
        self._stirred = asyncio.Event()
        self._clients: set[asyncio.Event] = set()
        self._ended = False

    @property
    def clients(self) -> int:
        """How many look on."""
        return len(self._clients)

    def newest(self) -> str:
        """The newest snapshot as JSON."""
        if not self._look():
            raise Refused(503, "the board is just starting: ask again in a moment.")
        return self._state

    async def run(self) -> None:
        """Look whenever something has stirred, and wake those who wait if it is news."""
        loop = asyncio.get_running_loop()

        def wake() -> None:
            # The event loop may have gone when the game's thread still has something to say.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(self._stirred.set)

        self._feed.wake_by(wake)
        try:
            while True:
                await self._stirred.wait()
                self._stirred.clear()
                if self._clients:
                    self._look()
                    self._wake_clients()
                await asyncio.sleep(PACE_SECONDS)
        finally:
            self._feed.wake_by(None)
            self.end()

    def end(self) -> None:
        """Let all streams end."""
        self._ended = True
        self._wake_clients()

    async def events(self) -> AsyncIterator[str]:
        """What one client is sent: the newest snapshot at once and on every change, and what is told."""
        woken = asyncio.Event()
        told, seq = self._feed.told, -1
        self._clients.add(woken)
        try:
            self._look()
            while not self._ended:
                for number, line in self._feed.lines_after(told):
                    told = number
                    yield f"event: told\ndata: {line}\n\n"
                if self._state and seq != self._seq:
                    seq = self._seq
                    yield f"event: state\nid: {seq}\ndata: {self._state}\n\n"
                try:
                    await asyncio.wait_for(woken.wait(), self._alive_seconds)
                    woken.clear()
                except TimeoutError:
                    yield ": still here\n\n"
        finally:
            self._clients.discard(woken)

    def _wake_clients(self) -> None:
        for woken in self._clients:
            woken.set()

    def _look(self) -> bool:
        """Bring the snapshot up to date; only what differs from the last one gets a new number."""
        moment = self._feed.moment
        if moment is None:
            return False
        if self._shown is None or self._shown[0] is not moment:
            language = moment.view.settings.language
            if language != self._words.language:
                self._words = Words(language)
            self._shown = (moment, snapshot(moment, self._words))
        content = {**self._shown[1], **self._below()}
        if content != self._content:
            self._content = content
            self._seq += 1
            self._state = json.dumps({"seq": self._seq, **content}, separators=(",", ":"))
        return True

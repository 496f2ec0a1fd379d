"""The newest snapshot for everybody who looks on: made once for all of them, in the page's own thread."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Final

from quarto_pi.rules import Game
from quarto_pi.web.requests import Moment
from quarto_pi.web.snapshot import snapshot
from quarto_pi.web.wishes import Json, RefusalReason, Refused
from quarto_pi.words import Words

# --- From the thread of the game to that of the page: the newest moment, and the last lines that were told ------------
#
# Whoever writes here never waits: a reference is replaced, a line is put down, and the other thread is woken.

KEPT_LINES: Final = 500
"""A client that is further behind than this has missed something; a new `state` tells it how things stand."""
KEPT_GAMES: Final = 100

Levels = tuple[int | None, int | None]
"""On each side the computer's level, None for a person."""


@dataclass(frozen=True, slots=True)
class EndedGame:
    """A game that has ended, its number, and who played it."""

    number: int
    game: Game
    levels: Levels = (None, None)


class Feed:
    """What the game's thread gives and the page's thread takes; one of each."""

    def __init__(self) -> None:
        self.moment: Moment | None = None
        self.games: deque[EndedGame] = deque(maxlen=KEPT_GAMES)
        """The games that have ended."""
        self.lines: deque[tuple[int, str]] = deque(maxlen=KEPT_LINES)
        """What was told, each line with its number."""
        self.tournament: Json | None = None
        """The tournament of the board's house, where it is on a chain and its house has one."""
        self._told = 0
        self._wake: Callable[[], None] | None = None

    def announce(self, tournament: Json | None) -> None:
        """This is the tournament of the board's house from now on; it may be called in any thread."""
        self.tournament = tournament
        self.stir()

    def show(self, moment: Moment) -> None:
        """From now on this is to be seen."""
        self.moment = moment
        self.stir()

    def tell(self, line: str) -> None:
        """One more line was told."""
        self._told += 1
        self.lines.append((self._told, line))
        self.stir()

    def keep(self, number: int, game: Game, levels: Levels = (None, None)) -> None:
        """A game has ended; the board counts its games, also those of the evenings before where it keeps them."""
        self.games.append(EndedGame(number, game, levels))

    def stir(self) -> None:
        """Something may have changed: have the other thread look."""
        wake = self._wake
        if wake is not None:
            wake()

    def wake_by(self, wake: Callable[[], None] | None) -> None:
        """Who is to be woken; it must not wait, and may be called from any thread."""
        self._wake = wake

    @property
    def told(self) -> int:
        """The number of the newest line."""
        return self._told

    def lines_after(self, number: int) -> list[tuple[int, str]]:
        """The lines after this one that are still kept."""
        # A copy in one step, which the other thread cannot come between.
        return [(each, line) for each, line in list(self.lines) if each > number]


# --- The newest snapshot for everybody who looks on: made once for all of them, in the page's own thread --------------

PACE_SECONDS: Final = 0.02
"""The shortest time between two snapshots: what changed in between is seen in the newer one."""
ALIVE_SECONDS: Final = 15.0
"""A stream on which nothing happens gets a comment that often, so that nobody in between takes it for dead."""
ENDS_STREAMS: Final = "ends_streams"
"""Under this an application tells its server what ends all streams: they have to end before it waits for answers."""
STILL_HERE: Final = ": still here\n\n"

NOTHING_BELOW: Final[Json] = {
    "oled": None,
    "table": None,
    "readers": None,
    "faults": None,
    "recording": None,
    "chain": None,
}

Below = Callable[[], Json]
"""Tells what lies below the drivers: dots of the display, pieces on the table, readers' health."""


def nothing_below() -> Json:
    """What is told of a board into which nobody looks."""
    return dict(NOTHING_BELOW)


class WaitingClients:
    """Those in one event loop who wait for news; a comment tells each now and then that nobody is gone."""

    def __init__(self, alive_seconds: float) -> None:
        self._alive_seconds = alive_seconds
        self._clients: set[asyncio.Event] = set()
        self.ended = False
        """Whether there will be no more news for anybody."""

    def __len__(self) -> int:
        return len(self._clients)

    def wake(self) -> None:
        """Have all of them look again."""
        for woken in self._clients:
            woken.set()

    def end(self) -> None:
        """Let all of them go."""
        self.ended = True
        self.wake()

    @contextmanager
    def joined(self) -> Iterator[Callable[[], Awaitable[str]]]:
        """Be one of them: what is yielded waits for news, and returns what is to be sent where none came for long."""
        woken = asyncio.Event()

        async def waits() -> str:
            try:
                await asyncio.wait_for(woken.wait(), self._alive_seconds)
            except TimeoutError:
                return STILL_HERE
            woken.clear()
            return ""

        self._clients.add(woken)
        try:
            yield waits
        finally:
            self._clients.discard(woken)


class Streams:
    """Snapshots with their numbers, and the clients that wait for them; all in one event loop."""

    def __init__(self, feed: Feed, below: Below = nothing_below, alive_seconds: float = ALIVE_SECONDS) -> None:
        self._feed = feed
        self._below = below
        self._waiting = WaitingClients(alive_seconds)
        self._words = Words()
        self._shown: tuple[Moment, Json] | None = None
        self._content: Json | None = None
        self._state = ""
        self._seq = 0
        self._stirred = asyncio.Event()

    @property
    def clients(self) -> int:
        """How many look on."""
        return len(self._waiting)

    def newest(self) -> str:
        """The newest snapshot as JSON."""
        if not self._look():
            raise Refused(503, "the board is just starting: ask again in a moment.", RefusalReason.BUSY)
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
                if self._waiting:
                    self._look()
                    self._waiting.wake()
                await asyncio.sleep(PACE_SECONDS)
        finally:
            self._feed.wake_by(None)
            self.end()

    def end(self) -> None:
        """Let all streams end."""
        self._waiting.end()

    async def events(self) -> AsyncIterator[str]:
        """What one client is sent: the newest snapshot at once and on every change, and what is told."""
        told, seq = self._feed.told, -1
        with self._waiting.joined() as waits:
            self._look()
            while not self._waiting.ended:
                for number, line in self._feed.lines_after(told):
                    told = number
                    yield f"event: told\ndata: {line}\n\n"
                if self._state and seq != self._seq:
                    seq = self._seq
                    yield f"event: state\nid: {seq}\ndata: {self._state}\n\n"
                if still_here := await waits():
                    yield still_here

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
        content = {**self._shown[1], "tournament": self._feed.tournament, **self._below()}
        if content != self._content:
            self._content = content
            self._seq += 1
            self._state = json.dumps({"seq": self._seq, **content}, separators=(",", ":"))
        return True

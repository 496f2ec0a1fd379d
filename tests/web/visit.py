"""A simulated board and somebody who visits its page; the board's time passes only while somebody waits for it."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import ExitStack, contextmanager
from itertools import count
from typing import Any

import httpx2 as httpx
from starlette.testclient import TestClient

from quarto_pi.config import Config
from quarto_pi.wiring.platform import simulated_hardware

# The stand-ins for the Pi's packages have to be in place before the drivers are imported.
simulated_hardware()

from quarto_pi.referee import Settings, View  # noqa: E402
from quarto_pi.referee.messages import ChooseFirst  # noqa: E402
from quarto_pi.referee.phases import RefereePhase  # noqa: E402
from quarto_pi.rules import Board as Pieces  # noqa: E402
from quarto_pi.rules import Player  # noqa: E402
from quarto_pi.web.requests import Moment, ShownLights  # noqa: E402
from quarto_pi.web.service import (  # noqa: E402
    PageServer,
    ServedBoard,
    service,
)
from quarto_pi.web.serving import listen  # noqa: E402
from quarto_pi.web.streams import Feed  # noqa: E402
from quarto_pi.wiring.playground import Playground  # noqa: E402

LINE = [("LTRF", "a1"), ("LTQF", "b1"), ("LSRF", "c1"), ("DTRF", "d1")]
KNOWN_MS = 1_000
"""After how long what hands have done is certain; each sweep costs much to simulate."""
Parsed = Any
"""JSON as it was read: what is in it is what the tests are about."""
LOCAL = "http://localhost"
LOOK_SECONDS = 0.002
"""How often it is looked whether a request has something to ask of the board."""


class Visit:
    """A board with hands, and its page; every request lets the board's time pass until it is answered."""

    def __init__(self, stack: ExitStack, config: Config | None = None, *, first_start: bool = False) -> None:
        # A clock on which nobody is ever too fast: how often something may be asked has tests of its own.
        seconds = count(step=10)
        self.playground = Playground(
            config or Config(), stack, paced=False, now=lambda: float(next(seconds)), first_start=first_start
        )
        self.client = stack.enter_context(TestClient(self.playground.app, base_url=LOCAL))
        self._pool = stack.enter_context(ThreadPoolExecutor(1))
        self.wait(1_500)

    @property
    def now(self) -> float:
        return self.playground.board.clock.ns / 1_000_000

    def wait(self, milliseconds: float) -> None:
        end = self.now + milliseconds
        self.playground.run(lambda: self.now < end)

    def post(self, what: str, body: object) -> httpx.Response:
        return self.send(what, json.dumps(body).encode(), {"content-type": "application/json"})

    def send(self, what: str, content: bytes, headers: Mapping[str, str]) -> httpx.Response:
        path = f"/api/v1/{what}"
        answer = self._pool.submit(self.client.post, path, content=content, headers=dict(headers))
        # A request that is on its way, or is worked at, costs the board no time, however slow the machine is.
        while not answer.done():
            self.playground.run(lambda: self._is_asked)
            wait([answer], LOOK_SECONDS)
        return answer.result()

    @property
    def _is_asked(self) -> bool:
        """Whether something waits for the board's next look at its table."""
        playground = self.playground
        loop = playground._loop or playground.guide
        assert loop is not None
        return not (playground._tasks._waiting.empty() and loop._poller._posted.empty())

    def get(self, what: str) -> Parsed:
        answer = self.client.get(f"/api/v1/{what}")
        assert answer.status_code == 200, answer.text
        return answer.json()

    @property
    def state(self) -> Parsed:
        return self.get("state")

    def put(self, piece: str, cell: str) -> None:
        answer = self.post("hands", {"do": "put", "piece": piece, "cell": cell})
        assert (answer.status_code, answer.json()) == (200, {})
        self.wait(KNOWN_MS)

    def turn(self, piece: str, square: str) -> None:
        """Give a piece and place it."""
        self.put(piece, "offer")
        self.put(piece, square)

    def press(self, milliseconds: float = 150) -> None:
        assert self.post("button", {"button": "call", "down": True}).status_code == 200
        self.wait(milliseconds)
        assert self.post("button", {"button": "call", "down": False}).status_code == 200
        self.wait(500)

    def clear(self) -> None:
        assert self.post("hands", {"do": "clear"}).status_code == 200
        self.wait(5_000)

    def win(self) -> None:
        for piece, square in LINE:
            self.turn(piece, square)
        self.press()


def moment(
    games: int = 0, language: str = "en", phase: RefereePhase = RefereePhase.CHOOSE, board: Pieces | None = None
) -> Moment:
    """A moment of a game, at first that at which it begins, told apart by the number of games that were played."""
    from quarto_pi.referee.tally import Tally  # noqa: PLC0415

    settings = Settings(language=language)
    view = View(phase, ChooseFirst(Player.A), settings, board or Pieces(), tally=Tally(games=games))
    return Moment(view, ShownLights({"a": "on"}, {}), settings)


@contextmanager
def served(board: ServedBoard, port: int = 0) -> Iterator[str]:
    """A service on a free port of this machine."""
    bound = listen("127.0.0.1", port)
    with PageServer(service(board), bound):
        yield f"http://127.0.0.1:{bound.getsockname()[1]}"


def feed_with(shown: Moment) -> Feed:
    feed = Feed()
    feed.show(shown)
    return feed


async def events(client: httpx.AsyncClient, address: str) -> AsyncIterator[tuple[str, Parsed]]:
    """What a stream sends: pairs of event and data, comments as pairs of nothing and text."""
    async with client.stream("GET", f"{address}/api/v1/stream") as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        name = ""
        async for line in answer.aiter_lines():
            if line.startswith("event: "):
                name = line.removeprefix("event: ")
            elif line.startswith("data: "):
                yield name, json.loads(line.removeprefix("data: "))

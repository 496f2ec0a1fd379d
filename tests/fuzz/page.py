"""The page's interface: any request is answered in one response, any bytes on the wire leave the service alive."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import MutableMapping
from contextlib import ExitStack
from functools import cache
from itertools import count
from typing import Any

from quarto_pi.config import Config
from quarto_pi.web.service import ServedBoard
from quarto_pi.wiring.playground import Playground
from tests.fuzz.dice import Dice
from tests.fuzz.verdict import Broken, check_sentence
from tests.web.visit import feed_with, moment, served

METHODS = ("GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH", "get", "BREW", "")
PATHS = (
    *(f"/api/v1/{name}" for name in ("state", "stream", "games", "games/1", "games/1/record", "words/en", "seen", "")),
    *(f"/api/v1/{name}" for name in ("settings", "order", "hands", "button", "faults", "record")),
    *("/", "/static/", "/static/page.js", "/static/../service.py", "/api/v1/games/-1", "/api/v1/words/../en"),
)
NAMES = (
    b"content-type",
    b"host",
    b"origin",
    b"x-pin",
    b"content-length",
    b"sec-fetch-site",
    b"range",
    b"if-none-match",
)
VALUES = (
    *(b"application/json", b"text/html", b"localhost", b"evil.example", b"http://localhost", b"null", b"cross-site"),
    *(b"bytes=0-", b"bytes=9-1,-", b"-1", b"99999999999999999999", b"\xff\xfe", b"", b"[::1", b"*"),
)
BODIES = (
    *(b'{"order":"pause"}', b'{"order":"undo"}', b'{"do":"put","piece":"LTRF","cell":"b2"}', b'{"do":"clear"}'),
    *(b'{"button":"call","down":true}', b'{"button":"menu","down":false}', b'{"noise":0.5}', b'{"repair":true}'),
    *(b'{"levels":[1,0]}', b'{"traits":["colour"]}', b'{"clock_seconds":60}', b'{"language":"lt"}', b'{"on":true}'),
    *(rb'{"\ud800":1}', rb'{"language":"\udfff"}', rb'{"do":"\ud800"}'),
    *(b"[" * 3_000, b"{", b"NaN", b"x" * 5_000),
)
FAILURES = (500, 501, 502)
PATIENCE_SECONDS = 180.0
STEPS = 20
MOST_HEARD = 100_000
"""Bytes of an answer that are waited for: a stream does not end by itself."""


class Service:
    """The page of a simulated board; its game goes on while a request is answered."""

    def __init__(self) -> None:
        seconds = count(step=10)
        self._stack = ExitStack()
        self._playground = Playground(Config(), self._stack, paced=False, now=lambda: float(next(seconds)))
        self._runner = asyncio.Runner()
        self._loop = self._playground.loop
        for _ in range(20):
            self._loop.turn()

    def ask(self, scope: dict[str, Any], chunks: list[bytes]) -> list[dict[str, Any]]:
        """All that is sent in answer to a request."""
        return self._runner.run(self._ask(scope, chunks))

    async def _ask(self, scope: dict[str, Any], chunks: list[bytes]) -> list[dict[str, Any]]:
        sent: list[dict[str, Any]] = []

        async def receive() -> dict[str, Any]:
            if not chunks:
                return {"type": "http.disconnect"}
            return {"type": "http.request", "body": chunks.pop(0), "more_body": bool(chunks)}

        async def send(message: MutableMapping[str, Any]) -> None:
            sent.append(dict(message))

        async def answer() -> None:
            await self._playground.app(scope, receive, send)

        answering = asyncio.create_task(answer())
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not answering.done():
                # What only reads is answered within a few steps, without the game.
                for _ in range(STEPS):
                    await asyncio.sleep(0)
                if not answering.done():
                    self._loop.turn()
        await answering
        return sent


@cache
def _service() -> Service:
    return Service()


def requests(data: bytes) -> None:
    """A request of any kind, straight into the application."""
    dice = Dice(data)
    method, path = dice.choice(METHODS), dice.choice(PATHS)
    if dice.chance(30):
        path += dice.some(40).decode("latin-1")
    headers = [(b"host", b"localhost"), (b"content-type", b"application/json")]
    for _ in range(dice.number(4)):
        name = dice.choice(NAMES)
        headers = [(key, value) for key, value in headers if key != name]
        headers.append((name, dice.some(60) if dice.chance(30) else dice.choice(VALUES)))
    body = dice.choice(BODIES) if dice.chance(50) else dice.some(300)
    cut = dice.number(len(body) + 1)
    scope = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "scheme": "http",
        "method": method,
        "path": path,
        "raw_path": path.encode("utf-8"),
        "root_path": "",
        "query_string": dice.some(20),
        "headers": headers,
        "client": ("127.0.0.1", 50_000),
        "server": ("127.0.0.1", 8040),
    }
    _check_answer(scope, _service().ask(scope, [body[:cut], body[cut:]]))


def _check_answer(scope: dict[str, Any], sent: list[dict[str, Any]]) -> None:
    begun = [message for message in sent if message["type"] == "http.response.start"]
    if len(begun) != 1:
        raise Broken(f"{scope['method']} {scope['path']} was answered {len(begun)} times")
    status = begun[0]["status"]
    if status in FAILURES:
        raise Broken(f"{scope['method']} {scope['path']} ended in {status}")
    answer = b"".join(message.get("body", b"") for message in sent)
    kind = dict(begun[0]["headers"]).get(b"content-type", b"")
    if status >= 400 and answer and kind == b"application/json":
        check_sentence(json.loads(answer)["error"])


@cache
def _served() -> tuple[str, ExitStack]:
    # For as long as the process lives: what a stack holds is closed when the stack is forgotten.
    stack = ExitStack()
    return stack.enter_context(served(ServedBoard(feed_with(moment()), lambda _: None))), stack


def wire(data: bytes) -> None:
    """Bytes on the wire that may or may not be a request; whoever comes next is answered."""
    _exchange(data)
    answer = _exchange(b"GET /api/v1/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    if b" 200 " not in answer.split(b"\r\n")[0] and b" 429 " not in answer.split(b"\r\n")[0]:
        raise Broken(f"the service does not answer any more: {answer!r}")


def _exchange(data: bytes) -> bytes:
    host, _, port = _served()[0].removeprefix("http://").rpartition(":")
    answer = b""
    with socket.create_connection((host, int(port)), PATIENCE_SECONDS) as connection:
        try:
            connection.sendall(data)
            connection.shutdown(socket.SHUT_WR)
            while len(answer) < MOST_HEARD and (heard := connection.recv(65_536)):
                answer += heard
        except (ConnectionResetError, BrokenPipeError):
            return answer
    return answer

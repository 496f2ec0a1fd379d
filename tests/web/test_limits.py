"""The limits of the page, as SECURITY.md states them, at the real server and from many addresses of this machine."""

from __future__ import annotations

import asyncio
import re
import select
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path

import pytest
from starlette.types import Receive, Scope, Send

from quarto_pi.web import guard
from quarto_pi.web.guard import Connection, Now
from quarto_pi.web.service import PageServer, ServedBoard, service
from quarto_pi.web.serving import listen
from tests.web.visit import feed_with, moment

PIN = "open sesame"
OURS = "127.0.0.1"
PATIENCE = 60.0
HALF = b"GET /api/v1/ HTTP/1.1\r\nHost: localhost\r\nX-"
STREAM = b"GET /api/v1/stream HTTP/1.1\r\nHost: localhost\r\n\r\n"
ABOUT = b"GET /api/v1/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"


class Crowd:
    """Clients of a page at any of this machine's addresses."""

    def __init__(self, address: str, stack: ExitStack) -> None:
        self._port = int(address.rpartition(":")[2])
        self._stack = stack

    def open(self, host: str, sent: bytes = b"") -> socket.socket:
        """A connection from this address, on which this is sent."""
        connection = socket.create_connection((OURS, self._port), PATIENCE, (host, 0))
        self._stack.enter_context(connection)
        connection.sendall(sent)
        return connection

    def ask(self, host: str, sent: bytes = ABOUT) -> bytes:
        """All that is answered from this address, until the other side ends it."""
        connection, heard = self.open(host, sent), b""
        try:
            while more := connection.recv(65_536):
                heard += more
        except ConnectionError:
            pass
        return heard

    def wrong_pin(self, host: str, pin: str = "no such PIN") -> bytes:
        body = b'{"order": "pause"}'
        head = f"POST /api/v1/order HTTP/1.1\r\nHost: localhost\r\nX-Pin: {pin}\r\nConnection: close\r\n"
        return self.ask(
            host, f"{head}Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body
        )


def alive(held: list[socket.socket]) -> int:
    """How many of these have not been cut; what was sent on them is read."""
    count = 0
    for connection in held:
        connection.setblocking(False)
        try:
            while connection.recv(65_536):
                pass
        except BlockingIOError:
            count += 1
        except ConnectionError:
            pass
    return count


@contextmanager
def crowd_on(now: Now) -> Iterator[Crowd]:
    board = ServedBoard(feed_with(moment()), lambda _: None, pin=PIN)
    bound = listen(OURS, 0)
    with ExitStack() as stack:
        stack.enter_context(PageServer(service(board, now), bound))
        yield Crowd(f"{OURS}:{bound.getsockname()[1]}", stack)


@pytest.fixture
def crowd(monkeypatch: pytest.MonkeyPatch) -> Iterator[Crowd]:
    """Clients of whom none is ever too fast: minutes go by between any two requests. Nor is a slow machine too slow."""
    monkeypatch.setattr(Connection, "hurry_seconds", 3_600.0)
    seconds = count(step=100)
    with crowd_on(lambda: float(next(seconds))) as crowd:
        yield crowd


@pytest.fixture
def hurried() -> Iterator[Crowd]:
    """Clients who do everything at the same instant."""
    with crowd_on(lambda: 0.0) as crowd:
        yield crowd


@pytest.mark.parametrize("sent", [b"", HALF, STREAM], ids=["nothing", "half a header", "a stream"])
def test_one_address_has_so_many_connections_and_nobody_is_kept_out_by_them(crowd: Crowd, sent: bytes) -> None:
    held = [crowd.open("127.0.0.9", sent) for _ in range(300)]
    for host in ("127.0.0.10", OURS, "127.0.0.9"):
        assert crowd.ask(host).startswith(b"HTTP/1.1 200")
    # The newest of its own took the place of one more.
    assert guard.MOST_OF_ONE - 1 <= alive(held) <= guard.MOST_OF_ONE


def test_strangers_leave_places_for_the_board_itself_and_for_who_has_shown_the_pin(crowd: Crowd) -> None:
    assert crowd.wrong_pin("127.0.0.200", PIN).startswith(b"HTTP/1.1 409")
    strangers = guard.MOST_CONNECTIONS - guard.KEPT_CONNECTIONS
    held = [crowd.open(f"127.0.1.{number + 1}", STREAM) for number in range(strangers + 20)]
    first, *_ = [crowd.open("127.0.0.200", STREAM)]
    for host in (OURS, "127.0.0.200"):
        assert crowd.ask(host).startswith(b"HTTP/1.1 200")
    # Where everybody has one, who came first stays.
    assert alive(held) == alive(held[:strangers]) == strangers
    assert alive([first]) == 1


def test_newcomer_takes_a_place_of_who_has_the_most(crowd: Crowd) -> None:
    strangers = guard.MOST_CONNECTIONS - guard.KEPT_CONNECTIONS
    addresses = [f"127.0.2.{number + 1}" for number in range(strangers // guard.MOST_OF_ONE)]
    held = {host: [crowd.open(host, HALF) for _ in range(guard.MOST_OF_ONE)] for host in addresses}
    assert crowd.ask("127.0.0.10").startswith(b"HTTP/1.1 200")
    assert sum(alive(each) for each in held.values()) == strangers - 1


@pytest.mark.parametrize(
    "dripped", [HALF, b"POST /api/v1/order HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4000\r\n\r\n{"]
)
def test_who_sends_drop_by_drop_is_cut(crowd: Crowd, monkeypatch: pytest.MonkeyPatch, dripped: bytes) -> None:
    monkeypatch.setattr(Connection, "hurry_seconds", 0.2)
    dripping = crowd.open("127.0.0.9", dripped)
    answered = b""
    for _ in range(20_000):
        if select.select([dripping], [], [], 0.01)[0]:
            try:
                more = dripping.recv(65_536)
            except ConnectionError:
                return
            if not more:
                return
            answered += more
        try:
            dripping.sendall(b"x")
        except OSError:
            return
    pytest.fail(f"it may go on for ever; it was answered {answered!r}")


def test_who_takes_nothing_of_an_answer_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Connection, "hurry_seconds", 0.1)
    gone = threading.Event()

    async def endless(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        await send({"type": "http.response.start", "status": 200, "headers": []})
        ended = asyncio.ensure_future(receive())
        while not ended.done():
            await send({"type": "http.response.body", "body": bytes(65_536), "more_body": True})
            if (await asyncio.wait([ended], timeout=0))[0] and (await ended)["type"] != "http.disconnect":
                ended = asyncio.ensure_future(receive())
        gone.set()

    with ExitStack() as stack:
        bound = listen(OURS, 0)
        stack.enter_context(PageServer(endless, bound))
        Crowd(f"{OURS}:{bound.getsockname()[1]}", stack).open("127.0.0.9", ABOUT)
        assert gone.wait(PATIENCE)


def test_one_address_asks_so_often_in_a_second_and_no_more(hurried: Crowd) -> None:
    flood = b"GET /api/v1/ HTTP/1.1\r\nHost: localhost\r\n\r\n" * 150
    heard = hurried.ask("127.0.0.9", flood)
    assert heard.count(b"HTTP/1.1 200") == guard.REQUESTS_A_SECOND
    assert heard.count(b"HTTP/1.1 429") == 1, "who is refused has to come again"
    assert hurried.ask("127.0.0.10").startswith(b"HTTP/1.1 200")


def test_guessing_from_many_addresses_keeps_neither_the_board_itself_nor_its_owner_out(hurried: Crowd) -> None:
    assert hurried.wrong_pin("127.0.0.200", PIN).startswith(b"HTTP/1.1 409")
    for number in range(guard.WRONG_PINS_OF_ALL):
        assert hurried.wrong_pin(f"127.0.3.{number + 1}").startswith(b"HTTP/1.1 403")
    # Whoever has given a wrong one waits; who has not may be the owner with a phone that the board has never seen.
    assert hurried.wrong_pin("127.0.3.1").startswith(b"HTTP/1.1 429")
    for host in (OURS, "127.0.0.200", "127.0.0.201"):
        assert hurried.wrong_pin(host, PIN).startswith(b"HTTP/1.1 409")


def test_nonsense_without_end_writes_a_few_lines_into_the_log(
    hurried: Crowd, capfd: pytest.CaptureFixture[str]
) -> None:
    upgrade = b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: upgrade, close\r\nUpgrade: websocket\r\n\r\n"
    for number in range(60):
        hurried.ask(f"127.0.4.{number + 1}", upgrade if number % 2 else b"\x16\x03\x01\x02\x00")
        hurried.wrong_pin(f"127.0.4.{number + 1}")
    lines = capfd.readouterr().err.splitlines()
    assert 1 <= len(lines) <= 4, lines
    assert "1 wrong PIN given on the page, from 127.0.4.1." in lines


def test_limits_in_the_document_are_those_of_the_code() -> None:
    document = (Path(__file__).parents[2] / "SECURITY.md").read_text(encoding="utf-8")
    stated = dict(re.findall(r"^\| (.*?) \| ([\d,]+) .*\|$", document.partition("## Limits")[2], re.MULTILINE))
    assert {name: int(number.replace(",", "")) for name, number in stated.items()} == {
        "connections": guard.MOST_CONNECTIONS,
        "of these for the board itself and who has shown the PIN": guard.KEPT_CONNECTIONS,
        "connections of one address": guard.MOST_OF_ONE,
        "connections of who has shown the PIN": guard.MOST_OF_OWNER,
        "for a whole request, or for taking some of an answer": int(guard.HURRY_SECONDS),
        "requests of one address": guard.REQUESTS_A_SECOND,
        "requests of all": guard.REQUESTS_OF_ALL,
        "orders of one address": guard.WRITES_A_SECOND,
        "orders of all": guard.WRITES_OF_ALL,
        "wrong PINs before an address waits": guard.WRONG_PINS,
        "wrong PINs before everybody waits who has given one": guard.WRONG_PINS_OF_ALL,
        "the longest wait": int(guard.LONGEST_WAIT_SECONDS),
    }

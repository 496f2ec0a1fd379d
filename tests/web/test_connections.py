"""Connections: strangers neither use up the process's open files nor keep the service from others for long."""

from __future__ import annotations

import asyncio
import socket
from contextlib import ExitStack

import httpx2 as httpx
import pytest

from quarto_pi.web.guard import Connection
from quarto_pi.web.service import ServedBoard
from tests.web.visit import feed_with, moment, served

PATIENCE = 180.0
STRANGE = [b"\x16\x03\x01\x02\x00", b"GET /\r\n\r\n", b"POST / HTTP/1.1\r\nContent-Length: x\r\n\r\n"]


def connected(address: str) -> socket.socket:
    host, _, port = address.removeprefix("http://").rpartition(":")
    return socket.create_connection((host, int(port)), PATIENCE)


def is_cut(connection: socket.socket) -> bool:
    """Wait for the other side to say something or to hang up."""
    try:
        return connection.recv(1) == b""
    except ConnectionError:
        return True


def test_newcomer_above_the_most_takes_the_place_of_the_oldest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Connection, "of_owner", 5)
    with served(ServedBoard(feed_with(moment()), lambda _: None)) as address, ExitStack() as stack:
        held = [stack.enter_context(connected(address)) for _ in range(6)]
        assert is_cut(held[0])
        held[-1].sendall(b"GET /api/v1/ HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert not is_cut(held[-1])


@pytest.mark.parametrize("sent", [b"", b"GET /api/v1/state HTTP/1.1\r\nHost: loc"])
def test_connection_on_which_nobody_asks_anything_is_cut(monkeypatch: pytest.MonkeyPatch, sent: bytes) -> None:
    monkeypatch.setattr(Connection, "hurry_seconds", 0.05)
    with served(ServedBoard(feed_with(moment()), lambda _: None)) as address, connected(address) as silent:
        silent.sendall(sent)
        assert is_cut(silent)


def test_stream_is_not_cut_however_long_it_lasts(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Connection] = []
    connect = Connection.connection_made

    def noted(connection: Connection, transport: asyncio.Transport) -> None:
        connect(connection, transport)
        made.append(connection)

    monkeypatch.setattr(Connection, "connection_made", noted)
    feed = feed_with(moment(0))
    with (
        served(ServedBoard(feed, lambda _: None)) as address,
        httpx.stream("GET", f"{address}/api/v1/stream", timeout=PATIENCE) as answer,
    ):
        for games, line in enumerate(line for line in answer.iter_lines() if line.startswith("data: ")):
            assert f'"games":{games}' in line
            if games == 20:
                return
            # As often as it is looked at whether somebody hurries, without waiting for that.
            for each in made:
                each.loop.call_soon_threadsafe(each._look)
            feed.show(moment(games + 1))
    pytest.fail("it was cut")


@pytest.mark.parametrize(
    "sent", [b"\x16\x03\x01\x02\x00", b"GET /\r\n\r\n", b"POST / HTTP/1.1\r\nContent-Length: x\r\n\r\n"]
)
def test_what_is_not_http_is_refused_and_others_are_served(sent: bytes) -> None:
    with served(ServedBoard(feed_with(moment()), lambda _: None)) as address:
        with connected(address) as strange:
            strange.sendall(sent)
            assert strange.recv(12) in (b"HTTP/1.1 400", b"")
        assert httpx.get(f"{address}/api/v1/state").status_code == 200

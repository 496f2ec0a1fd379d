"""What strangers ask a board for is not written to its card: a running process, and what the kernel has it write."""

from __future__ import annotations

import http.client
import json
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.ports import free_port

pytestmark = pytest.mark.slow

PIN = "open sesame"
START_SECONDS = 180.0
FLOOD = 3_000
ROUNDS = 5
MOST_LINES = 12
"""Of the log, for all that strangers do within a minute: a few kinds of lines, each a few times."""
STRAY = (
    b"GET /phpmyadmin HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    b"POST /api/v1/settings HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Pin: 000000\r\nContent-Type: application/json\r\n"
    b'Content-Length: 16\r\n\r\n{"squares":true}',
)


@dataclass(frozen=True, slots=True)
class Board:
    """A board that keeps its games, in a process of its own."""

    process: subprocess.Popen[str]
    port: int
    kept: Path
    lines: list[str]
    """What it has said for the log, which others keep."""

    def written(self) -> int:
        """How many bytes the kernel has had it write to a disk."""
        told = dict(line.split(": ") for line in Path(f"/proc/{self.process.pid}/io").read_text().splitlines())
        return int(told["write_bytes"])

    def files(self) -> dict[str, tuple[int, int]]:
        """What it keeps: sizes, and when it was written to last."""
        return {path.name: (path.stat().st_size, path.stat().st_mtime_ns) for path in self.kept.iterdir()}

    def send(self, request: bytes, host: str) -> bytes:
        """Send something from an address, and read what comes back."""
        with socket.create_connection(("127.0.0.1", self.port), START_SECONDS, (host, 0)) as connection:
            connection.sendall(request)
            connection.shutdown(socket.SHUT_WR)
            try:
                return connection.recv(65_536)
            except ConnectionError:
                return b""

    def choose(self, **settings: object) -> int:
        """Choose something as the owner; the status of the answer."""
        headers = {"X-Pin": PIN, "Content-Type": "application/json"}
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=START_SECONDS)) as asked:
            asked.request("POST", "/api/v1/settings", json.dumps(settings), headers)
            return asked.getresponse().status


@pytest.fixture
def board(tmp_path: Path) -> Iterator[Board]:
    kept, config = tmp_path / "kept", tmp_path / "quarto-pi.toml"
    port = free_port()
    config.write_text(f'[page]\nhost = "127.0.0.1"\nport = {port}\npin = "{PIN}"\n', encoding="utf-8")
    command = [sys.executable, "-m", "quarto_pi", "run", "--simulated", "--keep", f"{kept}", "--config", f"{config}"]
    with subprocess.Popen(  # noqa: S603 - our own command
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    ) as process:
        board = Board(process, port, kept, [])
        threading.Thread(target=listen, args=(process, board.lines), daemon=True).start()
        until(lambda: "The board is running." in board.lines)
        # Its thread has made the first backup by then, and nothing is left to be written.
        until(lambda: any(name.startswith("backup-") for name in board.files()))
        yield board
        process.terminate()


def listen(process: subprocess.Popen[str], lines: list[str]) -> None:
    """Take down what it says."""
    assert process.stderr is not None
    for line in process.stderr:
        lines.append(line.rstrip())  # noqa: PERF401 - as it comes


def until(happened: Callable[[], bool]) -> None:
    """Wait for what the process does on its own."""
    end = time.monotonic() + START_SECONDS
    while not happened():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_three_stray_requests_and_a_flood_are_not_written_to_the_card(board: Board) -> None:
    if not board.written():
        pytest.skip("what is written here goes to no disk")
    lines, began = len(board.lines), time.monotonic()
    grown = []
    # A board that a busy machine slows down writes of its own now and then; what requests write, they write always.
    for _ in range(ROUNDS):
        written, files = board.written(), board.files()
        for request in STRAY:
            board.send(request, "127.0.0.9")
        for number in range(FLOOD):
            board.send(STRAY[number % len(STRAY)], f"127.0.{number % 3}.{number % 200 + 2}")
        grown.append((board.written() - written, board.files() != files))
        if grown[-1] == (0, False):
            break
    assert grown[-1] == (0, False), grown
    minutes = 1 + int((time.monotonic() - began) / 60)
    assert len(board.lines) - lines <= MOST_LINES * minutes, board.lines[-MOST_LINES:]
    # What its owner chooses is written: so the counter does count.
    assert board.choose(squares=True) == 200
    until(lambda: board.written() > written)

"""A service manager's end of the socket."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class Listener:
    """Hears what it is told, as systemd does."""

    def __init__(self, line: socket.socket, address: str) -> None:
        self._line = line
        self.address = address

    def heard(self) -> list[str]:
        """All lines that have come in since this was asked last."""
        lines: list[str] = []
        self._line.setblocking(False)
        while True:
            try:
                lines += self._line.recv(4096).decode().split("\n")
            except BlockingIOError:
                return lines

    def wait_for(self, line: str) -> list[str]:
        """Listen until this is told, and return all that was told before it."""
        self._line.setblocking(True)
        lines: list[str] = []
        while line not in lines:
            lines += self._line.recv(4096).decode().split("\n")
        return lines


@contextmanager
def listening(folder: Path) -> Iterator[Listener]:
    """A socket in this folder that somebody listens at."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        address = str(folder / "notify")
        line.bind(address)
        yield Listener(line, address)

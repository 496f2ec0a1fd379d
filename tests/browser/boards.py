"""Boards for a browser to look at: the commands as people start them, each in a process of its own."""

from __future__ import annotations

import json
import queue
import socket
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any, Final, Self

START_SECONDS: Final = 180.0
SAID: Final = "http://"
SPEED: Final = 4
"""So many times as fast as at a table time passes at a simulated board; what is told for some seconds is still seen."""


class Running:
    """A `quarto-pi` that serves a page, from its start until it is stopped."""

    def __init__(self, *arguments: str, environ: Mapping[str, str] | None = None) -> None:
        self._process = subprocess.Popen(  # noqa: S603 - our own command
            [sys.executable, "-m", "quarto_pi", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=environ,
        )
        assert self._process.stdout is not None
        self._lines: queue.Queue[str | None] = queue.Queue()
        threading.Thread(target=self._read, args=(self._process.stdout,), daemon=True).start()
        self.address = self._wait_for_address()

    @property
    def port(self) -> int:
        """Where it serves."""
        return int(self.address.rstrip("/").rsplit(":", 1)[1])

    def state(self) -> dict[str, Any]:
        """The snapshot, as other programs read it."""
        with urllib.request.urlopen(f"{self.address}api/v1/state", timeout=START_SECONDS) as answer:  # noqa: S310
            return dict(json.load(answer))

    def wait(self) -> None:
        """Wait until it ends by itself."""
        self._process.wait(START_SECONDS)

    def stop(self) -> None:
        """End it, and wait until the port is free."""
        self._process.terminate()
        self._process.wait(START_SECONDS)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _read(self, stream: IO[str]) -> None:
        with stream:
            for line in stream:
                self._lines.put(line)
        self._lines.put(None)

    def _wait_for_address(self) -> str:
        said = []
        while (line := self._lines.get(timeout=START_SECONDS)) is not None:
            said.append(line)
            if SAID in line:
                return line[line.index(SAID) :].split()[0]
        raise AssertionError("no page was served: " + "".join(said))


def simulated(*more: str, port: int = 0, speed: int = SPEED) -> Running:
    """A simulated board with hands."""
    return Running("simulate", "--no-browser", "--port", str(port), "--speed", str(speed), *more)


def looked_at(folder: Path, pin: str = "", more: str = "", *arguments: str) -> Running:
    """A board without hands: a real controller with its page, above simulated chips."""
    config = folder / "board.toml"
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    config.write_text(f'[page]\nport = {port}\npin = "{pin}"\n{more}', encoding="utf-8")
    return Running("run", "--simulated", "--speed", str(SPEED), "--config", str(config), *arguments)

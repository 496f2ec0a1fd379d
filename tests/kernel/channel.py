"""A line into the virtual machine: one JSON object there, one back."""

from __future__ import annotations

import json
import socket
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

Json = dict[str, Any]


class Silent(RuntimeError):
    """Nobody answers in there."""


class Channel:
    """One port of the machine, as a socket in a file; what is asked is answered before the next thing is asked."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._line: socket.socket | None = None
        self._heard = b""

    def ask(self, seconds: float, /, **said: object) -> Json:
        """Say something, and return the answer; a machine that still starts is waited for."""
        ends = time.monotonic() + seconds
        line = self._connected(ends)
        line.sendall(json.dumps(said).encode() + b"\n")
        while b"\n" not in self._heard:
            left = ends - time.monotonic()
            if left <= 0:
                raise Silent(f"{self._path.name} does not answer {said} within {seconds:.0f} s")
            line.settimeout(left)
            with suppress(TimeoutError):
                came = line.recv(1 << 20)
                if not came:
                    raise Silent(f"{self._path.name}: the machine is off")
                self._heard += came
        answer, _, self._heard = self._heard.partition(b"\n")
        said_back: Json = json.loads(answer)
        return said_back

    def close(self) -> None:
        """Hang up."""
        if self._line is not None:
            self._line.close()
            self._line = None
        self._heard = b""

    def _connected(self, ends: float) -> socket.socket:
        while self._line is None:
            line = socket.socket(socket.AF_UNIX)
            try:
                line.connect(str(self._path))
            except OSError:
                line.close()
                if time.monotonic() > ends:
                    raise Silent(f"{self._path.name} is not there") from None
                time.sleep(0.1)
            else:
                self._line = line
        return self._line

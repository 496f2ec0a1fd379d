"""Ports that a test's own process alone has: none that any other test, or the other end of a connection, may get.

The system gives an outgoing connection any port of its own range. A port of that range is free when it is asked for,
and may be somebody's a moment later: before a server is started there, or while one that was killed is started again.
"""

from __future__ import annotations

import fcntl
import random
import socket
import tempfile
from contextlib import ExitStack, suppress
from itertools import chain
from pathlib import Path
from typing import IO, Final

PORTS: Final = range(12_000, 30_000)
"""Below those that systems give to outgoing connections, and above those of well-known services."""
_LOCKS: Final = Path(tempfile.gettempdir()) / "quarto-pi-ports"
_chance: Final = random.SystemRandom()
_held: Final[list[IO[str]]] = []
"""Open as long as the process lives, and with it locked: so two processes never have the same port."""


def free_port() -> int:
    """A port at which nobody listens, and that no other process of the tests gets while this one lives."""
    _LOCKS.mkdir(mode=0o777, exist_ok=True)
    with suppress(PermissionError):  # somebody else's, who has done so
        _LOCKS.chmod(0o1777)
    first = _chance.randrange(len(PORTS))
    for port in chain(PORTS[first:], PORTS[:first]):
        if _is_ours(port) and _nobody_listens(port):
            return port
    raise AssertionError(f"no port from {PORTS.start} to {PORTS.stop - 1} is free")


def _is_ours(port: int) -> bool:
    with ExitStack() as stack:
        try:
            lock = stack.enter_context((_LOCKS / f"{port}").open("a"))
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        stack.pop_all()
    _held.append(lock)
    return True


def _nobody_listens(port: int) -> bool:
    with socket.socket() as trial:
        try:
            trial.bind(("", port))
        except OSError:
            return False
    return True

"""Where the page is served: a socket that is bound before anything is promised, what people type into a browser, a log.

The log has a few lines a minute: whoever asks for nonsense does not write to the card by it.
"""

from __future__ import annotations

import errno
import logging
import socket
import sys
import time
from collections.abc import Callable
from typing import Final

from quarto_pi.rules import QuartoError

NEXT_PORTS: Final = 20
NOT_TYPED: Final = 80
"""The port of HTTP, which browsers take by themselves."""
LOOK_SECONDS: Final = 5.0
"""The time between two looks at which address the machine has."""
LOOPBACK_OF: Final = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - compared, not bound
"""For what is served at all addresses, the one at which this machine reaches itself."""


class PortTaken(QuartoError, OSError):
    """Nobody can listen there; the text says what to do."""

    is_in_use = False
    """Whether it is another program that has the port."""


class PortInUse(PortTaken):
    """Another program has the port."""

    is_in_use = True


def listen(host: str, port: int, others: int = 0) -> socket.socket:
    """A socket on this port, or on one of so many after it if that is busy; port 0 is any that is free."""
    for number in range(port, port + others + 1):
        try:
            family, kind, protocol, _, address = socket.getaddrinfo(
                host, number, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
            )[0]
        except (OSError, OverflowError) as error:
            raise PortTaken(f"'{host}' with port {number} is no address of this machine: try 127.0.0.1.") from error
        bound = socket.socket(family, kind, protocol)
        try:
            # Without this a port stays busy for a minute after the last page on it was closed.
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            bound.bind(address)
            bound.listen(128)
        except (OSError, OverflowError) as error:
            bound.close()
            if getattr(error, "errno", None) == errno.EADDRINUSE:
                continue
            reason = getattr(error, "strerror", None) or error
            raise PortTaken(f"nobody can listen at {host}, port {number} ({reason}): choose another one.") from error
        return bound
    busy = f"port {port} is" if not others else f"the ports {port} to {port + others} are"
    raise PortInUse(f"{busy} in use by another program: choose another port, or end that program.")


def address_for_others(bound: socket.socket, host: str) -> str:
    """What those who are not at this machine type; empty where they can't reach it."""
    own = bound.getsockname()[0]
    if own in ("0.0.0.0", "::"):  # noqa: S104 - asked whether it is so, not bound
        own = own_address()
        host = own
    if not own or own.startswith("127.") or own == "::1":
        return ""
    return address_of(bound, host)


class AddressOfPage:
    """What others type, looked up again and again: a Wi-Fi may come after the board has started, or change."""

    def __init__(self, bound: socket.socket, host: str, now: Callable[[], float] = time.monotonic) -> None:
        self._bound, self._host, self._now = bound, host, now
        self._address, self._looked_at = address_for_others(bound, host), now()

    def __call__(self) -> str:
        """The address; empty while others can't reach the page."""
        if self._now() - self._looked_at >= LOOK_SECONDS:
            self._address, self._looked_at = address_for_others(self._bound, self._host), self._now()
        return self._address


def own_address() -> str:
    """The address under which this machine is known to others; empty without a network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Nothing is sent: the system only says from where it would be. The address is one kept for documents.
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return ""
        return str(probe.getsockname()[0])


def address_of(bound: socket.socket, host: str) -> str:
    """What people type into a browser."""
    shown = f"[{host}]" if ":" in host else host
    port = bound.getsockname()[1]
    return f"http://{shown}/" if port == NOT_TYPED else f"http://{shown}:{port}/"


# --- The log of the page's server, a few lines a minute: whoever asks for nonsense does not write to the card by it ---

LINES_A_MINUTE: Final = 3
_MINUTE: Final = 60.0
LOGGERS: Final = ("uvicorn", "uvicorn.error", "asyncio")


def say_on_stderr(line: str) -> None:
    """Write a line into the log of whoever has started the program."""
    print(line, file=sys.stderr, flush=True)


class BoundedLog(logging.Handler):
    """Says so many records a minute, each as one line, and then how many were left out."""

    def __init__(self, say: Callable[[str], None] = say_on_stderr, now: Callable[[], float] = time.monotonic) -> None:
        super().__init__(logging.WARNING)
        self._say = say
        self._now = now
        self._since = now()
        self._said = self._left_out = 0

    def emit(self, record: logging.LogRecord) -> None:
        """Say it, or count it."""
        now = self._now()
        if now - self._since >= _MINUTE:
            if self._left_out:
                self._say(f"The page: {self._left_out} more lines of this kind were left out.")
            self._since, self._said, self._left_out = now, 0, 0
        if self._said >= LINES_A_MINUTE:
            self._left_out += 1
            return
        self._said += 1
        why = "" if record.exc_info is None or record.exc_info[1] is None else f" ({record.exc_info[1]!r})"
        first, *_ = record.getMessage().splitlines() or [""]
        self._say(f"The page: {first}{why}")


def bound_log(handler: logging.Handler | None = None) -> None:
    """Have the page's server speak through one bounded log."""
    chosen = handler or BoundedLog()
    for name in LOGGERS:
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [chosen], False

"""The service manager that has started us, and what it is told: systemd's notification protocol, sd_notify(3).

The protocol is one datagram of lines on a socket. That is less than what a package for it would have to be watched for.
"""

from __future__ import annotations

import socket
from collections.abc import MutableMapping
from typing import Final, Self

READY: Final = "READY=1"
STOPPING: Final = "STOPPING=1"
ALIVE: Final = "WATCHDOG=1"
US_PER_MS: Final = 1000
_VARIABLES: Final = ("NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID")


class ServiceManager:
    """Hears what it is told, if it is there; `patience_ms` is how long it waits for a sign of life, 0 for ever."""

    def __init__(self, address: str = "", patience_ms: int = 0) -> None:
        # An address that begins with @ is in Linux's abstract namespace.
        self._address = address.replace("@", "\0", 1) if address.startswith("@") else address
        self.patience_ms = patience_ms

    @classmethod
    def of(cls, environ: MutableMapping[str, str], pid: int) -> Self:
        """The one that the environment names, if any; its variables are taken out: our children are not the service."""
        address, patience, whom = (environ.pop(name, "") for name in _VARIABLES)
        is_for_us = patience.isdecimal() and whom in ("", str(pid))
        return cls(address, int(patience) // US_PER_MS if is_for_us else 0)

    def tell(self, *lines: str) -> bool:
        """Send this, and return whether it has arrived; it never waits and never fails."""
        if not self._address:
            return True
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as line:
            line.setblocking(False)
            try:
                line.sendto("\n".join(lines).encode(), self._address)
            except OSError:
                # Its queue is full, or it is being started anew: whoever tells something important says it again.
                return False
        return True

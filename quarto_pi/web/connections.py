"""The connections of the page: not more than the process can spare, and none that is held open for nothing.

Open files are what the game needs as well, for the computer's engine and for traces; strangers must not use them up.
"""

from __future__ import annotations

import asyncio
from typing import ClassVar, Final

from uvicorn.protocols.http.h11_impl import H11Protocol

MOST_CONNECTIONS: Final = 256
HURRY_SECONDS: Final = 10.0


class Connection(H11Protocol):
    """A connection that is cut when there are too many, or when nobody asks for anything on it."""

    most: ClassVar[int] = MOST_CONNECTIONS
    hurry_seconds: ClassVar[float] = HURRY_SECONDS
    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as in the base class
        """Take a new connection, if there is room for it."""
        super().connection_made(transport)
        if len(self.connections) > self.most:
            transport.abort()
            return
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget it."""
        if self._waiting is not None:
            self._waiting.cancel()
        super().connection_lost(exc)

    def _wait(self) -> None:
        self._waiting = self.loop.call_later(self.hurry_seconds, self._look)

    def _look(self) -> None:
        """Cut it unless an answer is under way, or the last one so fresh that another request may follow."""
        answering = self.cycle is not None and not self.cycle.response_complete
        if answering or self.timeout_keep_alive_task is not None:
            self._wait()
        else:
            self.transport.abort()

"""The connections of the page: so many of one address and of all, places kept for the board itself and for its owner.

A newcomer always gets a place where there is a fair one: for it leaves the oldest connection of the address that has
the most, first one on which nothing is being answered. So nobody who holds many keeps others out, nor even himself.
"""

from __future__ import annotations

import asyncio
import ipaddress
from collections import Counter
from collections.abc import Callable
from typing import ClassVar, Final

from uvicorn.protocols.http.h11_impl import H11Protocol

MOST_CONNECTIONS: Final = 256
"""Open files are what the game needs as well, for the computer's engine and for traces."""
KEPT_CONNECTIONS: Final = 64
"""Of these, places for the board itself and for who has shown the PIN."""
MOST_OF_ONE: Final = 32
"""Of one address: a browser has six; a household behind one address has some more."""
MOST_OF_OWNER: Final = 64
HURRY_SECONDS: Final = 10.0
"""A request has to be there whole after so long, and an answer has to be taken in part."""

BOARD_ITSELF: Final = frozenset({"127.0.0.1", "::1"})
KNOWS_OWNER: Final = "knows_owner"
"""The name in the server's state of who tells whether an address has shown the PIN."""
_NETWORK_BITS: Final = 64


def counted_as(host: str) -> str:
    """The address as which a client is counted: whoever has one of IPv6 has as many as he likes, of one network.

    >>> counted_as("192.168.1.7"), counted_as("::ffff:192.168.1.7"), counted_as("fe80::1:2%eth0")
    ('192.168.1.7', '192.168.1.7', 'fe80::/64')
    """
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv4Address):
        return f"{address}"
    if address.ipv4_mapped is not None:
        return f"{address.ipv4_mapped}"
    return f"{address}" if address.is_loopback else f"{ipaddress.ip_network((address, _NETWORK_BITS), strict=False)}"


class Connection(H11Protocol):
    """A connection that leaves for others when there are too many, and is cut when nobody asks or listens on it."""

    most: ClassVar[int] = MOST_CONNECTIONS
    kept: ClassVar[int] = KEPT_CONNECTIONS
    of_one: ClassVar[int] = MOST_OF_ONE
    of_owner: ClassVar[int] = MOST_OF_OWNER
    hurry_seconds: ClassVar[float] = HURRY_SECONDS
    address = ""
    _waiting: asyncio.TimerHandle | None = None
    _came = 0.0
    _left = False
    _unsent = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as in the base class
        """Take a new connection, and let another one go for it if there are too many."""
        super().connection_made(transport)
        self.address = counted_as(self.client[0]) if self.client else ""
        self._came = self.loop.time()
        leaves = self._who_leaves()
        if leaves is not None:
            leaves.cut()
        if leaves is not self:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget it."""
        self._left = True
        if self._waiting is not None:
            self._waiting.cancel()
        super().connection_lost(exc)

    def cut(self) -> None:
        """End it at once."""
        self._left = True
        self.transport.abort()

    @property
    def is_preferred(self) -> bool:
        """Whether it is of the board itself, or of who has shown the PIN."""
        knows: Callable[[str], bool] | None = self.app_state.get(KNOWS_OWNER)
        return self.address in BOARD_ITSELF or (knows is not None and knows(self.address))

    @property
    def is_answering(self) -> bool:
        """Whether an answer is under way."""
        return self.cycle is not None and not self.cycle.response_complete

    def _who_leaves(self) -> Connection | None:
        there = [each for each in self.connections if isinstance(each, Connection) and not each._left]  # noqa: SLF001
        own = [each for each in there if each.address == self.address]
        is_preferred = self.is_preferred
        if len(own) > (self.of_owner if is_preferred else self.of_one):
            return _first_to_leave(own, self)
        strangers = [each for each in there if not each.is_preferred]
        if not is_preferred and len(strangers) > self.most - self.kept:
            return self._of_the_greediest(strangers)
        if len(there) > self.most:
            return self._of_the_greediest(
                there if is_preferred and len(strangers) <= self.most - self.kept else strangers
            )
        return None

    def _of_the_greediest(self, among: list[Connection]) -> Connection:
        ((greediest, count),) = Counter(each.address for each in among).most_common(1)
        # Where everybody has one only, who is there already stays.
        return self if count == 1 else _first_to_leave([each for each in among if each.address == greediest], self)

    def _wait(self) -> None:
        self._waiting = self.loop.call_later(self.hurry_seconds, self._look)

    def _look(self) -> None:
        """Cut it unless an answer is under way and taken, or the last one so fresh that another request may follow."""
        unsent, before = self.transport.get_write_buffer_size(), self._unsent
        self._unsent = unsent
        is_stuck = 0 < before <= unsent
        if (self.is_answering or self.timeout_keep_alive_task is not None) and not is_stuck:
            self._wait()
        else:
            self.cut()


def _first_to_leave(connections: list[Connection], newcomer: Connection) -> Connection:
    return min(
        (each for each in connections if each is not newcomer),
        key=lambda each: (each.is_answering, each._came),  # noqa: SLF001
    )

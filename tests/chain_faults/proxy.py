"""A bad network between clients and a broker: it knows where messages begin and end, and delays, cuts, repeats and
reorders whole ones by a seed.

Chance is drawn for each connection and direction apart, so that a seed does the same to the same messages; which
messages these are is left to the processes on both sides.
"""

from __future__ import annotations

import asyncio
import random
import ssl
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from threading import Thread
from typing import Any, Self, TypeVar

from tests.chain_faults.packets import NotMqtt, Packet, PacketType, Splitter

_T = TypeVar("_T")

MOST_AT_ONCE = 65_536
HOST = "127.0.0.1"
GUARD_SECONDS = 120.0
AWAY_SECONDS = 30.0
"""Who comes while he is away hears nothing for so long."""
RETAINED = ("/presence", "/state")
"""Topics that end so are neither repeated nor reordered: of what is retained a broker sends the newest last, and no
chain could do without that."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """How bad the network is: shares of whole messages, and for how many seconds at most."""

    delayed: float = 0.0
    longest_seconds: float = 0.0
    repeated: float = 0.0
    reordered: float = 0.0
    cut: float = 0.0
    """Of messages behind which the connection is closed; of half of them nothing is forwarded either."""


GOOD = Trouble()


class Proxy:
    """A port at which a broker answers, through whatever trouble is set; in a thread of its own."""

    def __init__(
        self,
        upstream: int,
        seed: int,
        *,
        server: ssl.SSLContext | None = None,
        client: ssl.SSLContext | None = None,
        host: str = HOST,
    ) -> None:
        self.trouble = GOOD
        self.done: Counter[str] = Counter()
        self._upstream, self._host = upstream, host
        self._seed = seed
        self._server_tls, self._client_tls = server, client
        self._connections: set[_Connection] = set()
        self._came = 0
        self._silent: Callable[[str], bool] = lambda _: False
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, name="proxy", daemon=True)
        self._thread.start()
        self._server = self._ask(self._listen())
        self.port: int = self._server.sockets[0].getsockname()[1]

    def lead_to(self, upstream: int) -> None:
        """Lead new connections to another port."""
        self._upstream = upstream

    def cut(self, who: Callable[[str], bool] = lambda _: True) -> int:
        """Close the connections of these clients in the middle of whatever they say; how many there were."""
        return self._ask(self._cut(who))

    def silence(self, who: Callable[[str], bool]) -> None:
        """From now on nothing comes through from or to these clients, and nobody tells them, until `heal`."""
        self._silent = who

    def heal(self) -> None:
        """Let everything through again, and be a good network."""
        self._silent = lambda _: False
        self.trouble = GOOD

    def close(self) -> None:
        """Close everything."""
        if self._thread.is_alive():
            self._ask(self._close())
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join(GUARD_SECONDS)
            self._loop.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- in the proxy's thread ----------------------------------------------------------------------------------------

    def _ask(self, what: Coroutine[Any, Any, _T]) -> _T:
        return asyncio.run_coroutine_threadsafe(what, self._loop).result(GUARD_SECONDS)

    async def _listen(self) -> asyncio.Server:
        return await asyncio.start_server(self._serve, self._host, 0, ssl=self._server_tls)

    async def _cut(self, who: Callable[[str], bool]) -> int:
        gone = [connection for connection in self._connections if who(connection.client)]
        for connection in gone:
            connection.abort()
        self.done["cut"] += len(gone)
        return len(gone)

    async def _close(self) -> None:
        self._server.close()
        # Who was let in just now has a task that has not begun yet: cancelled before it does, it would leave him open.
        for _ in range(2):
            await asyncio.sleep(0)
        for connection in tuple(self._connections):
            connection.abort()
        tasks = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def is_silent(self, client: str) -> bool:
        """Whether nothing comes through for this client at present."""
        return self._silent(client)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._came += 1
        connection = _Connection(self, (reader, writer), f"{self._seed}-{self._came}")
        self._connections.add(connection)
        try:
            upstream = await asyncio.open_connection(
                self._host,
                self._upstream,
                ssl=self._client_tls,
                server_hostname="localhost" if self._client_tls else None,
            )
            await connection.run(upstream)
        except (OSError, NotMqtt, asyncio.CancelledError):
            # Either end may vanish at any moment, and the broker may not be there.
            pass
        finally:
            connection.abort()
            self._connections.discard(connection)


class _Connection:
    """One client's connection, and that to the broker which stands for it."""

    def __init__(self, proxy: Proxy, client_side: tuple[asyncio.StreamReader, asyncio.StreamWriter], seed: str) -> None:
        self.client = ""
        self._proxy = proxy
        self._client_side = client_side
        self._writers = [client_side[1]]
        self._seed = seed

    def abort(self) -> None:
        """Close both ends at once, whatever is under way."""
        for writer in self._writers:
            writer.transport.abort()

    async def run(self, upstream: tuple[asyncio.StreamReader, asyncio.StreamWriter]) -> None:
        """Forward until one end closes."""
        self._writers.append(upstream[1])
        acknowledged: dict[int, deque[bool]] = defaultdict(deque)
        drawn = [random.Random(f"{self._seed}-{way}") for way in ("up", "down")]
        up = _Direction(self, self._client_side[0], upstream[1], drawn[0], acknowledged, towards_broker=True)
        down = _Direction(self, upstream[0], self._client_side[1], drawn[1], acknowledged, towards_broker=False)
        tasks = [asyncio.create_task(each) for way in (up, down) for each in (way.read(), way.write())]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    @property
    def proxy(self) -> Proxy:
        """Whose connection it is."""
        return self._proxy


@dataclass
class _Direction:
    """One direction of a connection: packets come in, wait, and go out.

    `acknowledged` says of each packet id of the client, for each time that the broker gets it, whether the client is
    to see the PUBACK: those of repeated messages would end a later message that has got the same id.
    """

    connection: _Connection
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    draw: random.Random
    acknowledged: dict[int, deque[bool]]
    towards_broker: bool
    _waiting: deque[tuple[float, Packet, bool]] = field(default_factory=deque)
    _came: asyncio.Event = field(default_factory=asyncio.Event)
    _at: float = 0.0

    async def read(self) -> None:
        """Take packets in, and decide what becomes of them."""
        splitter = Splitter()
        while data := await self.reader.read(MOST_AT_ONCE):
            while self.connection.proxy.is_silent(self.connection.client):
                await asyncio.sleep(0.02)
            for packet in splitter.feed(data):
                if packet.type == PacketType.CONNECT:
                    self.connection.client = packet.client
                    if self.connection.proxy.is_silent(packet.client):
                        # Who was away when he came is away as well.
                        await asyncio.sleep(AWAY_SECONDS)
                self._take(packet)

    def _take(self, packet: Packet) -> None:
        trouble, done, draw = self.connection.proxy.trouble, self.connection.proxy.done, self.draw
        now = asyncio.get_running_loop().time()
        if packet.type == PacketType.PUBACK and not self.towards_broker:
            wanted = self.acknowledged[packet.id]
            if wanted and not wanted.popleft():
                return
        if packet.type != PacketType.PUBLISH:
            self._put(now, packet)
            return
        done["messages"] += 1
        chance = draw.random()
        if chance < trouble.cut:
            done["cut behind a message"] += 1
            if chance < trouble.cut / 2:
                self._put(now, packet)
                self._end()
            else:
                self.connection.abort()
            return
        if draw.random() < trouble.delayed:
            done["delayed"] += 1
            now += draw.uniform(0.0, trouble.longest_seconds)
        self._put(now, packet)
        if packet.topic.endswith(RETAINED):
            return
        if packet.qos and draw.random() < trouble.repeated:
            done["repeated"] += 1
            self._waiting.append((self._at, packet.again(), True))
        if len(self._waiting) > 1 and draw.random() < trouble.reordered:
            self._swap(draw, done)

    def _put(self, at: float, packet: Packet) -> None:
        """Nothing overtakes what came before it."""
        self._at = max(self._at, at)
        self._waiting.append((self._at, packet, False))
        self._came.set()

    def _swap(self, draw: random.Random, done: Counter[str]) -> None:
        """Let the newest message go before another one that waits."""
        others = [
            place
            for place, (_, packet, again) in enumerate(self._waiting)
            if self._may_wait(packet) and not again and place != len(self._waiting) - 1
        ]
        if others and self._waiting[-1][1].type == PacketType.PUBLISH and not self._waiting[-1][2]:
            place = draw.choice(others)
            mine, other = self._waiting[-1], self._waiting[place]
            self._waiting[-1], self._waiting[place] = (mine[0], *other[1:]), (other[0], *mine[1:])
            done["reordered"] += 1

    @staticmethod
    def _may_wait(packet: Packet) -> bool:
        return packet.type == PacketType.PUBLISH and not packet.topic.endswith(RETAINED)

    def _end(self) -> None:
        """Close once everything that waits has gone out."""
        self._waiting.append((self._at, Packet(b""), False))
        self._came.set()

    async def write(self) -> None:
        """Let packets out when it is their time."""
        loop = asyncio.get_running_loop()
        while True:
            while not self._waiting:
                self._came.clear()
                await self._came.wait()
            if (rest := self._waiting[0][0] - loop.time()) > 0:
                await asyncio.sleep(rest)
                continue
            _, packet, again = self._waiting.popleft()
            if not packet.data:
                self.connection.abort()
                return
            if self.towards_broker and packet.type == PacketType.PUBLISH and packet.qos:
                self.acknowledged[packet.id].append(not again)
            self.writer.write(packet.data)
            await self.writer.drain()

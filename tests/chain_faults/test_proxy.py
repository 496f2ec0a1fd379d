"""The bad network does what is asked of it, with a real client and a real broker."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import paho.mqtt.client as paho
import pytest
from paho.mqtt.enums import CallbackAPIVersion

from quarto_pi.chain.paho_client import let_go_of
from tests.chain_faults.mosquitto import HOST, PROGRAM, Mosquitto
from tests.chain_faults.packets import Packet, PacketType, Splitter
from tests.chain_faults.proxy import Proxy, Trouble
from tests.chain_faults.waiting import wait_until

pytestmark = pytest.mark.slow
needs_mosquitto = pytest.mark.skipif(PROGRAM is None, reason="there is no Mosquitto here")

MESSAGES = 200


class Client:
    """A plain client: what it was sent, and how often it was connected."""

    def __init__(self, name: str, port: int, stack: ExitStack) -> None:
        self.got: list[str] = []
        self.acknowledged: list[int] = []
        self.connections = 0
        self._subscribed = threading.Event()
        self.paho = paho.Client(CallbackAPIVersion.VERSION2, name, protocol=paho.MQTTv5)
        self.paho.reconnect_delay_set(0.1, 0.1)  # type: ignore[arg-type] # fractions of a second do as well
        self.paho.on_connect = self._connected
        self.paho.on_message = lambda _client, _data, message: self.got.append(message.payload.decode())
        self.paho.on_publish = lambda _client, _data, mid, _code, _properties: self.acknowledged.append(mid)
        self.paho.on_subscribe = lambda *_: self._subscribed.set()
        self.paho.connect_async(HOST, port, keepalive=5)
        self.paho.loop_start()
        # One that is just connecting again leaves its socket open otherwise.
        stack.callback(let_go_of, self.paho)
        wait_until(f"{name} is connected", self.paho.is_connected)

    def subscribe(self) -> None:
        self.paho.subscribe("told/#", 1)
        assert self._subscribed.wait(10)

    def publish(self, text: str) -> None:
        self.paho.publish("told/something", text, 1)

    def _connected(self, *_: object) -> None:
        self.connections += 1


@pytest.fixture
def clients(tmp_path: Path) -> Callable[[ExitStack, int], tuple[Proxy, Client, Client]]:
    def made(stack: ExitStack, seed: int) -> tuple[Proxy, Client, Client]:
        broker = stack.enter_context(Mosquitto(tmp_path))
        proxy = stack.enter_context(Proxy(broker.port, seed))
        hears = Client("hears", proxy.port, stack)
        hears.subscribe()
        return proxy, Client("tells", proxy.port, stack), hears

    return made


def test_packets_are_cut_where_they_end_however_they_come() -> None:
    connect = bytes.fromhex("10 20 00 04 4d 51 54 54 05 c2 00 14 05 11 00 00 00 0a 00 01 78") + b"\0\5board\0\4word"
    published = b"\x32\x0b\0\3a/b\0\7\0hey"
    stream = connect + published + b"\x40\x02\0\7"
    for size in range(1, len(stream)):
        splitter = Splitter()
        packets = [each for at in range(0, len(stream), size) for each in splitter.feed(stream[at : at + size])]
        assert [packet.type for packet in packets] == [PacketType.CONNECT, PacketType.PUBLISH, PacketType.PUBACK]
        assert packets[0].client == "board"
        assert (packets[1].topic, packets[1].qos, packets[1].id, packets[2].id) == ("a/b", 1, 7, 7)
        assert packets[1].again() == Packet(b"\x3a" + published[1:])


@needs_mosquitto
def test_messages_are_delayed_repeated_and_reordered(
    clients: Callable[[ExitStack, int], tuple[Proxy, Client, Client]],
) -> None:
    with ExitStack() as stack:
        proxy, tells, hears = clients(stack, 1)
        sent = [f"{number}" for number in range(MESSAGES)]
        for text in sent:
            tells.publish(text)
        wait_until("all messages arrive", lambda: len(hears.got) == MESSAGES)
        assert hears.got == sent
        hears.got.clear()
        proxy.trouble = Trouble(delayed=0.2, longest_seconds=0.01, repeated=0.1, reordered=0.1)
        for text in sent:
            tells.publish(text)
        wait_until("all messages arrive", lambda: set(hears.got) == set(sent))
        proxy.heal()
        wait_until("all are acknowledged", lambda: len(tells.acknowledged) == 2 * MESSAGES)
        assert len(hears.got) > MESSAGES
        assert list(dict.fromkeys(hears.got)) != sent
        assert proxy.done["repeated"] > 10
        assert proxy.done["reordered"] > 3
        # A repeated message is acknowledged once to whoever has sent it.
        assert len(tells.acknowledged) == 2 * MESSAGES
        assert tells.connections == hears.connections == 1


@needs_mosquitto
def test_connections_are_cut_and_clients_come_back(
    clients: Callable[[ExitStack, int], tuple[Proxy, Client, Client]],
) -> None:
    with ExitStack() as stack:
        proxy, tells, hears = clients(stack, 2)
        assert proxy.cut(lambda name: name == "tells") == 1
        wait_until("the cut one is back", lambda: tells.connections == 2)
        proxy.trouble = Trouble(cut=1.0)
        tells.publish("behind this it is cut")
        wait_until("it is cut behind a message", lambda: proxy.done["cut behind a message"] > 0)
        proxy.heal()
        wait_until("it arrives after all", lambda: bool(hears.got))
        assert set(hears.got) == {"behind this it is cut"}


@needs_mosquitto
def test_nothing_comes_through_to_one_side_of_a_split_until_it_is_healed(
    clients: Callable[[ExitStack, int], tuple[Proxy, Client, Client]],
) -> None:
    with ExitStack() as stack:
        proxy, tells, hears = clients(stack, 3)
        proxy.silence(lambda name: name == "hears")
        tells.publish("held back")
        wait_until("the broker has it", lambda: bool(tells.acknowledged))
        assert hears.got == []
        proxy.heal()
        wait_until("it arrives after all", lambda: hears.got == ["held back"])

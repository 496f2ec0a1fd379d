"""A board at the wire, as far as the hub sees it: paho, and what has come in."""

from __future__ import annotations

import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from quarto_pi.chain.messages import SettledAction, TakenThrough, pack_settled, read_taken
from quarto_pi.chain.paho_client import let_go_of
from quarto_pi.chain.topics import HUB_PRESENCE, settled_of, taken_by_hub

GUARD = 180.0
"""Seconds after which a test has waited in vain; nothing is asserted about how long anything takes."""
LOOKS_AFTER = 0.2
"""Seconds after which is looked again, where nothing was heard."""


class WireBoard:
    """A client of the broker that does what it is told, right or wrong."""

    def __init__(self, name: str, secret: str, port: int, ca: Path | None, client_id: str | None = None) -> None:
        self.name = name
        self.heard: list[tuple[str, bytes]] = []
        self.answers: dict[int, int] = {}
        self.ended: list[str] = []
        self.refused: list[str] = []
        self._news = threading.Condition()
        client = mqtt.Client(CallbackAPIVersion.VERSION2, client_id=client_id or name, protocol=mqtt.MQTTv5)
        client.username_pw_set(name, secret)
        client.reconnect_delay_set(0.1, 1)  # type: ignore[arg-type] # fractions of a second do as well
        if ca is not None:
            client.tls_set_context(ssl.create_default_context(cafile=str(ca)))
        client.on_connect = self._connected
        client.on_message = self._message
        client.on_publish = self._published
        client.on_disconnect = self._disconnected
        client.on_subscribe = self._subscribed
        self.client = client
        self.is_ready = False
        self._port = port

    def connect(self, *topics: str) -> WireBoard:
        """Connect, and subscribe to what a board reads, and to these topics."""
        self._topics = [(topic, 1) for topic in (HUB_PRESENCE, taken_by_hub(self.name), *topics)]
        properties = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
        self.client.connect_async("127.0.0.1", self._port, clean_start=True, properties=properties)
        self.client.loop_start()
        return self

    def publish(self, topic: str, payload: bytes, qos: int = 1, retain: bool = False) -> int:
        """Publish, and return the reason code with which the broker has answered."""
        sent = self.client.publish(topic, payload, qos=qos, retain=retain)
        if qos == 0:
            return 0
        self.until(lambda: sent.mid in self.answers)
        return self.answers[sent.mid]

    def tell(self, action: SettledAction) -> None:
        """Publish a settled action, and wait for nothing."""
        self.client.publish(settled_of(self.name), pack_settled(action), qos=1)

    def taken(self) -> list[TakenThrough]:
        """What the hub has said that it has."""
        return [read_taken(payload) for topic, payload in list(self.heard) if topic == taken_by_hub(self.name)]

    def is_taken(self, history: str, game: int, number: int) -> bool:
        """Whether the hub has this action and all before it."""
        return any(
            taken.history == history and (each, last) == (game, max(last, number))
            for taken in self.taken()
            for each, last in taken.through
        )

    def until(self, so: Callable[[], bool]) -> None:
        """Wait until this is so."""
        # What is waited for may be the hub's, and not heard here: it is looked at again in any case.
        deadline = time.monotonic() + GUARD
        with self._news:
            while not so():
                assert time.monotonic() < deadline, f"{self.name}: {self.heard[-3:]} {self.ended} {self.refused}"
                self._news.wait(LOOKS_AFTER)

    def stop(self) -> None:
        let_go_of(self.client)

    def _note(self) -> None:
        with self._news:
            self._news.notify_all()

    def _connected(self, client: mqtt.Client, _data: object, _flags: object, reason: ReasonCode, _more: object) -> None:
        if reason.is_failure:
            self.refused.append(str(reason))
        else:
            client.subscribe(self._topics)
        self._note()

    def _subscribed(self, *_: object) -> None:
        self.is_ready = True
        self._note()

    def _message(self, _client: object, _data: object, message: mqtt.MQTTMessage) -> None:
        self.heard.append((message.topic, bytes(message.payload)))
        self._note()

    def _published(self, _client: object, _data: object, mid: int, reason: ReasonCode, _more: object) -> None:
        self.answers[mid] = reason.value
        self._note()

    def _disconnected(self, _client: object, _data: object, _flags: object, reason: object, _more: object) -> None:
        self.is_ready = False
        self.ended.append(str(reason))
        self._note()


@contextmanager
def on_the_wire(folder: Path, name: str, port: int, *topics: str, client_id: str | None = None) -> Iterator[WireBoard]:
    """A board with the credentials that the hub has written for it, connected."""
    place = folder / "boards" / name
    account, _, secret = (place / "credentials").read_text(encoding="utf-8").strip().partition(":")
    ca = place / "ca.pem"
    board = WireBoard(account, secret, port, ca if ca.exists() else None, client_id).connect(*topics)
    try:
        board.until(lambda: board.is_ready or bool(board.refused))
        yield board
    finally:
        board.stop()

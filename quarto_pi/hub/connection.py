"""The hub's own line to the broker: paho in a thread of its own, which only puts what happens into a queue."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Final

try:
    import paho.mqtt.client as mqtt
    from paho.mqtt.enums import CallbackAPIVersion
    from paho.mqtt.packettypes import PacketTypes
    from paho.mqtt.properties import Properties
    from paho.mqtt.reasoncodes import ReasonCode
    from paho.mqtt.subscribeoptions import SubscribeOptions
except ImportError as _error:
    from quarto_pi.hub.settings import HubFailure

    raise HubFailure(
        "paho-mqtt is not installed, which speaks with the broker: do pip install 'quarto-pi[hub]'."
    ) from _error

from quarto_pi.chain.messages import MOST_BYTES_OF_MESSAGE

KEEP_ALIVE: Final = 20
MOST_UNACKNOWLEDGED: Final = 2_000
"""So many messages the broker hands over that are not acknowledged yet: what may wait here at most."""
MOST_UNASKED: Final = 4_000
"""Messages that nobody acknowledges are let fall when more than this waits."""


@dataclass(frozen=True, slots=True)
class LineSettings:
    """Where the broker is, whom to believe there (None: the line is not encrypted), and who the hub is."""

    host: str
    port: int
    account: str
    secret: str
    is_encrypted: bool = True
    ca: Path | None = None


@dataclass(frozen=True, slots=True)
class LineUp:
    """The hub is connected, and subscribed to all that it asked for."""


@dataclass(frozen=True, slots=True)
class LineDown:
    """The hub is not connected, and why, where that is known."""

    why: str


@dataclass(frozen=True, slots=True)
class Arrived:
    """A message that has come; `line` and `mark` are for its acknowledgement."""

    topic: str
    payload: bytes
    line: int
    mark: int
    qos: int


@dataclass(frozen=True, slots=True)
class ToSend:
    """A message that somebody else in the hub wants to be sent."""

    topic: str
    payload: bytes
    is_retained: bool = False


Happened = LineUp | LineDown | Arrived | ToSend


class BrokerLine:
    """A line that connects by itself, and again; what happens on it stands in its inbox."""

    def __init__(
        self, settings: LineSettings, topics: Sequence[str], will: str, inbox: SimpleQueue[Happened | None]
    ) -> None:
        self._settings = settings
        self._topics = topics
        self._inbox = inbox
        self._number = 0
        self.let_fall = 0
        """How many messages were let fall that nobody has to acknowledge."""
        client = mqtt.Client(
            CallbackAPIVersion.VERSION2,
            client_id=settings.account,
            protocol=mqtt.MQTTv5,
            manual_ack=True,
        )
        client.username_pw_set(settings.account, settings.secret)
        if settings.is_encrypted:
            context = ssl.create_default_context(cafile=None if settings.ca is None else str(settings.ca))
            client.tls_set_context(context)
        client.will_set(will, b"", qos=1, retain=True)
        client.reconnect_delay_set(1, 30)
        client.on_socket_open = _without_delay
        client.on_connect = self._connected
        client.on_connect_fail = self._failed
        client.on_disconnect = self._disconnected
        client.on_subscribe = self._subscribed
        client.on_message = self._arrived
        self._client = client

    def start(self) -> None:
        """Begin to connect."""
        properties = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
        properties.ReceiveMaximum = MOST_UNACKNOWLEDGED
        properties.MaximumPacketSize = 2 * MOST_BYTES_OF_MESSAGE
        properties.SessionExpiryInterval = 0
        self._client.connect_async(
            self._settings.host, self._settings.port, keepalive=KEEP_ALIVE, clean_start=True, properties=properties
        )
        self._client.loop_start()

    def stop(self) -> None:
        """Say good-bye, without a will, and end."""
        self._client.disconnect()
        self._client.loop_stop()

    @property
    def is_up(self) -> bool:
        """Whether it is connected at this moment."""
        return bool(self._client.is_connected())

    def send(self, topic: str, payload: bytes, *, qos: int = 1, is_retained: bool = False) -> bool:
        """Send a message; False, and nothing is kept of it, while there is no connection."""
        if not self._client.is_connected():
            return False
        sent = self._client.publish(topic, payload, qos=qos, retain=is_retained)
        return bool(sent.rc == mqtt.MQTT_ERR_SUCCESS)

    def acknowledge(self, message: Arrived) -> None:
        """Tell the broker that a message is dealt with; one of an earlier connection is its matter no more."""
        if message.qos and message.line == self._number:
            self._client.ack(message.mark, message.qos)

    # --- In paho's thread ---------------------------------------------------------------------------------------------

    def _connected(self, client: mqtt.Client, _data: object, _flags: object, reason: ReasonCode, _more: object) -> None:
        if reason.is_failure:
            self._inbox.put(LineDown(f"it says: {reason}"))
            return
        self._number += 1
        options = SubscribeOptions(qos=1)
        client.subscribe([(topic, options) for topic in self._topics])

    def _subscribed(self, *_: object) -> None:
        self._inbox.put(LineUp())

    def _failed(self, *_: object) -> None:
        self._inbox.put(LineDown("it does not answer, or is not who it should be"))

    def _disconnected(self, _client: object, _data: object, _flags: object, reason: object, _more: object) -> None:
        self._inbox.put(LineDown(f"the connection has ended: {reason}"))

    def _arrived(self, _client: object, _data: object, message: mqtt.MQTTMessage) -> None:
        if message.qos == 0 and self._inbox.qsize() > MOST_UNASKED:
            self.let_fall += 1
            return
        self._inbox.put(Arrived(message.topic, bytes(message.payload), self._number, message.mid, message.qos))


def _without_delay(_client: object, _data: object, line: Any) -> None:  # noqa: ANN401 - a socket, or TLS around one
    """Have small messages go at once: with company they wait 40 ms."""
    line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

"""The connection to the broker, as board and hub use it: one thread owns it, and what others want is queued for that.

paho-mqtt's own threads only put into the queue. Nothing is published while there is no connection. Every attempt has a
client of its own, so that nothing which the last one had under way is sent again behind anybody's back. An error that
nobody foresaw, here, in the conversation or in paho-mqtt, ends the connection and no more than that.
"""

from __future__ import annotations

import random
import socket
import ssl
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, Any, Final, Protocol

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.subscribeoptions import SubscribeOptions

from quarto_pi.chain.paho_client import ClosedTlsSocket, ToldClient, let_go_of, without_delay
from quarto_pi.chain.unforeseen import UNFORESEEN, UnforeseenErrors, place_of_error

if TYPE_CHECKING:
    from quarto_pi.chain.credentials import Credentials

KEEP_ALIVE_SECONDS: Final = 20
"""A line that is dead without a word is noticed after twice that."""
WILL_DELAY_SECONDS: Final = 3
SESSION_SECONDS: Final = 10
"""The broker knows a client that has gone for longer than it holds back its will, or that would come at once."""
BROKER_ANSWER_SECONDS: Final = 10.0
LEAVING_SECONDS: Final = 2.0
FIRST_WAIT_SECONDS: Final = 1.0
LONGEST_PAUSE_SECONDS: Final = 60.0
STEADY_SECONDS: Final = 30.0
"""A connection that has lasted for so long has not failed at once: the next attempt comes soon."""
MOST_IN_FLIGHT: Final = 200
MOST_HEARD: Final = 5_000
"""So many messages wait to be read; a flood beyond is let go, and what matters of it is sent again."""
MOST_TAKEN_AT_ONCE: Final = 500
"""So much is taken in before what follows from it is done."""
UNWOKEN_SECONDS: Final = 30.0
_NO_PASSWORD: Final = (0x86, 0x87)


@dataclass(frozen=True, slots=True)
class BrokerAddress:
    """Where the broker is, and whom to believe that it is the one: `ca` is a file, or the system's authorities."""

    host: str
    port: int
    tls: bool = True
    ca: str = ""


@dataclass(frozen=True, slots=True)
class Will:
    """What the broker says of a client that has gone without a word."""

    topic: str
    payload: bytes


@dataclass(frozen=True, slots=True)
class HeardMessage:
    """A message that has come in; `mid` acknowledges it where that is done by hand."""

    topic: str
    payload: bytes
    retained: bool = False
    mid: int = 0
    qos: int = 0


@dataclass(frozen=True, slots=True)
class LinkCondition:
    """Whether there is a connection, since when by a clock that goes on steadily, and why there is none."""

    connected: bool = False
    since: float = 0.0
    why: str = "no attempt has been made yet"


class BrokerConversation(Protocol):
    """What is said over a connection. All of it is called in the thread that owns the connection."""

    def connected(self, now: float) -> None:
        """A connection is there: subscribe, and say what is retained."""

    def disconnected(self, now: float) -> None:
        """It has gone; what was under way may have arrived or not."""

    def heard(self, message: HeardMessage, now: float) -> None:
        """Something came in."""

    def published(self, mid: int, code: int, now: float) -> None:
        """The broker has answered a message; code 0 alone means that somebody is to get it."""

    def subscribed(self, now: float) -> None:
        """The broker has answered a subscription: what is published from now on comes in."""

    def leaving(self, now: float) -> None:
        """The connection will be closed: say so while it is there."""

    def woken(self, now: float) -> float:
        """Do what is due; when to be called again at the latest."""


class BrokerLink:
    """A connection that is made again whenever it has gone. `begin` starts it and `close` ends it."""

    def __init__(  # noqa: PLR0913 - whom it calls, as whom, and what a test puts in the place of time and chance
        self,
        address: BrokerAddress,
        credentials: Credentials,
        will: Will,
        *,
        manual_ack: bool = False,
        say: Callable[[str], None] = lambda _: None,
        changed: Callable[[LinkCondition], None] = lambda _: None,
        now: Callable[[], float] = time.monotonic,
        chance: Callable[[], float] = random.random,
    ) -> None:
        self.condition = LinkCondition()
        self.receive_maximum = MOST_IN_FLIGHT
        """How many messages the broker takes before it has answered the first of them."""
        self._address, self._credentials, self._will = address, credentials, will
        self._manual_ack = manual_ack
        self.changed = changed
        """Called with the condition whenever it changes, in the thread that owns the connection."""
        self._say, self._chance = say, chance
        self.now = now
        """The clock by which the conversation is told what time it is."""
        self._conversation: BrokerConversation | None = None
        self._came: SimpleQueue[tuple[int, Callable[[], None]]] = SimpleQueue()
        self._client: mqtt.Client | None = None
        self._attempt = 0
        self._failures = 0
        self._goes_on = True
        self._is_open = False
        self._said = ""
        self.errors = UnforeseenErrors(say)
        """Those that nobody foresaw, in the thread that owns the connection."""
        self._thread = Thread(target=self._work, name="chain", daemon=True)

    # --- from any thread ----------------------------------------------------------------------------------------------

    def begin(self, conversation: BrokerConversation) -> None:
        """Connect, and go on doing so."""
        self._conversation = conversation
        self._thread.start()

    def post(self, work: Callable[[], None]) -> None:
        """Have something done in the thread that owns the connection, and the conversation woken after it."""
        self._came.put((0, work))

    def wake(self) -> None:
        """Have the conversation woken."""
        self.post(_nothing)

    def renew(self) -> None:
        """Have the connection closed and made again."""
        self.post(lambda: self._lost("it is made anew"))

    def close(self) -> None:
        """Say goodbye and end; a network that hangs is not waited for long."""
        if self._thread.is_alive():
            self.post(self._stop)
            self._thread.join(2 * LEAVING_SECONDS)

    # --- for the conversation -----------------------------------------------------------------------------------------

    @property
    def is_open(self) -> bool:
        """Whether there is a connection at this moment."""
        return self._is_open

    def publish(self, topic: str, payload: bytes, *, qos: int = 1, retain: bool = False) -> int | None:
        """Send a message; its number, which comes back when the broker has answered. None: there is no connection."""
        if self._client is None or not self._is_open or not self._client.is_connected():
            return None
        sent = self._client.publish(topic, payload, qos, retain)
        return int(sent.mid) if sent.rc == mqtt.MQTT_ERR_SUCCESS else None

    def subscribe(self, topics: Sequence[str]) -> None:
        """Be sent what is published on these, at least once."""
        if self._client is not None and self._is_open:
            self._client.subscribe([(topic, SubscribeOptions(qos=1)) for topic in topics])

    def ack(self, message: HeardMessage) -> None:
        """Tell the broker that a message need not be sent again, where that is done by hand."""
        if self._client is not None and self._is_open and message.qos:
            self._client.ack(message.mid, message.qos)

    # --- in its own thread --------------------------------------------------------------------------------------------

    def _work(self) -> None:
        is_first = True
        while self._goes_on:
            try:
                if not is_first:
                    self._wait(self.now() + self._pause())
                is_first = False
                if self._goes_on and self._connect():
                    self._converse()
                    self._leave()
            except Exception as error:  # noqa: BLE001 - whatever it is, the thread lives, and tries again
                self._contain("at the broker", error)
        with suppress(Exception):
            self._drop()

    def _contain(self, doing: str, error: Exception) -> None:
        """Tell of an error that nobody foresaw, and begin anew with another connection."""
        # What fails here as well is no reason to end.
        with suppress(Exception):
            self.errors.note(doing, error, self.now())
        with suppress(Exception):
            self._change(LinkCondition(False, self.now(), f"{UNFORESEEN}: {place_of_error(error)}"))
        with suppress(Exception):
            self._drop()

    def _connect(self) -> bool:
        self._attempt += 1
        try:
            client = self._client = self._made(self._attempt)
            properties = _properties(PacketTypes.CONNECT)
            properties.SessionExpiryInterval = SESSION_SECONDS
            client.connect(
                self._address.host,
                self._address.port,
                KEEP_ALIVE_SECONDS,
                clean_start=True,
                properties=properties,
            )
        except (OSError, ValueError) as error:
            self._fail(_why(error, self._address))
            return False
        client.loop_start()
        until = self.now() + BROKER_ANSWER_SECONDS
        while self._goes_on and not self._is_open and self._client is client:
            if not self._take(until):
                self._fail(f"{self._where} does not answer")
                self._drop()
        return self._is_open

    def _made(self, attempt: int) -> mqtt.Client:
        """A client whose callbacks do nothing but put into the queue, marked with the attempt that it belongs to."""

        def put(work: Callable[[], None]) -> None:
            self._came.put((attempt, work))

        def ended(error: Exception) -> None:
            put(lambda: self._ended(error))

        client = ToldClient(
            ended,
            CallbackAPIVersion.VERSION2,
            self._credentials.name,
            protocol=mqtt.MQTTv5,
            reconnect_on_failure=False,
            manual_ack=self._manual_ack,
        )
        client.username_pw_set(self._credentials.name, self._credentials.password)
        client.max_inflight_messages_set(MOST_IN_FLIGHT)
        if self._address.tls:
            context = ssl.create_default_context(cafile=self._address.ca or None)
            context.sslsocket_class = ClosedTlsSocket
            client.tls_set_context(context)
        properties = _properties(PacketTypes.WILLMESSAGE)
        properties.WillDelayInterval = WILL_DELAY_SECONDS
        client.will_set(self._will.topic, self._will.payload, 1, retain=True, properties=properties)

        def on_connect(_c: object, _u: object, _f: object, code: Any, properties: Any) -> None:  # noqa: ANN401 - paho's
            put(lambda: self._answered(code.value, str(code), getattr(properties, "ReceiveMaximum", None)))

        def on_disconnect(_c: object, _u: object, _f: object, code: Any, _p: object) -> None:  # noqa: ANN401 - paho's
            put(lambda: self._lost(str(code)))

        def on_message(_c: object, _u: object, message: mqtt.MQTTMessage) -> None:
            if self._came.qsize() < MOST_HEARD:
                heard = HeardMessage(message.topic, bytes(message.payload), message.retain, message.mid, message.qos)
                put(lambda: self._hear(heard))

        def on_publish(_c: object, _u: object, mid: int, code: Any, _p: object) -> None:  # noqa: ANN401 - paho's
            put(lambda: self._published(mid, code.value))

        def on_subscribe(_c: object, _u: object, _mid: int, _codes: object, _p: object) -> None:
            put(self._subscribed)

        client.on_connect, client.on_disconnect = on_connect, on_disconnect
        client.on_message, client.on_publish = on_message, on_publish
        client.on_subscribe = on_subscribe
        client.on_socket_open = without_delay
        return client

    def _converse(self) -> None:
        """Take what comes in until the connection has gone."""
        due = self._wake_conversation()
        while self._is_open and self._goes_on:
            self._take(min(due, self.now() + UNWOKEN_SECONDS))
            due = self._wake_conversation()

    def _wake_conversation(self) -> float:
        now = self.now()
        return now + UNWOKEN_SECONDS if self._conversation is None else self._conversation.woken(now)

    def _wait(self, until: float) -> None:
        """Let time pass before the next attempt, and do what others want meanwhile."""
        while self._goes_on and self._take(until):
            pass

    def _take(self, until: float) -> bool:
        """Take in what comes before a moment, all that is there at once; False once it has passed."""
        try:
            came = self._came.get(timeout=max(0.0, until - self.now()))
            for _ in range(MOST_TAKEN_AT_ONCE):
                attempt, work = came
                if attempt in (0, self._attempt):
                    work()
                came = self._came.get_nowait()
        except Empty:
            pass
        return self.now() < until

    def _answered(self, code: int, said: str, receive_maximum: int | None) -> None:
        if code:
            rights = "its credentials do not count there" if code in _NO_PASSWORD else said
            self._fail(f"{self._where} refuses {self._credentials.name}: {rights}")
            self._drop()
            return
        self.receive_maximum = min(MOST_IN_FLIGHT, receive_maximum or MOST_IN_FLIGHT)
        self._is_open = True
        self._change(LinkCondition(True, self.now(), ""))
        if self._conversation is not None:
            self._conversation.connected(self.now())

    def _lost(self, said: str) -> None:
        if self._is_open:
            if self.now() - self.condition.since >= STEADY_SECONDS:
                self._failures = 0
            self._fail(f"the connection to {self._where} has gone ({said})")
        self._drop()

    def _ended(self, error: Exception) -> None:
        """The thread of the client has ended by an error of its own: nobody else would ever hear of it."""
        self._contain("in paho-mqtt", error)

    def _hear(self, message: HeardMessage) -> None:
        if self._conversation is not None and self._is_open:
            self._conversation.heard(message, self.now())

    def _published(self, mid: int, code: int) -> None:
        if self._conversation is not None and self._is_open:
            self._conversation.published(mid, code, self.now())

    def _subscribed(self) -> None:
        if self._conversation is not None and self._is_open:
            self._conversation.subscribed(self.now())

    def _stop(self) -> None:
        self._goes_on = False

    def _leave(self) -> None:
        """Say goodbye where there still is somebody to hear it."""
        if self._is_open and self._conversation is not None:
            self._conversation.leaving(self.now())
            client = self._client
            until = self.now() + LEAVING_SECONDS
            while client is not None and client.want_write() and self._take(min(until, self.now() + 0.02)):
                pass
        self._drop()

    def _drop(self) -> None:
        """Have nothing more to do with the present client."""
        client, self._client = self._client, None
        was_open, self._is_open = self._is_open, False
        if client is not None:
            let_go_of(client)
        if was_open:
            if self.condition.connected:
                self._change(LinkCondition(False, self.now(), "it was closed"))
            if self._conversation is not None:
                self._conversation.disconnected(self.now())

    def _pause(self) -> float:
        """How long to wait before the next attempt: longer each time, and not all boards of a chain at once."""
        longest = min(LONGEST_PAUSE_SECONDS, FIRST_WAIT_SECONDS * 2.0 ** min(self._failures, 10))
        self._failures += 1
        return longest * (0.5 + self._chance())

    def _fail(self, why: str) -> None:
        self._change(LinkCondition(False, self.now(), why))
        if why != self._said:
            self._said = why
            self._say(f"The chain: {why}. It is tried again.")

    def _change(self, condition: LinkCondition) -> None:
        if condition.connected and self._said:
            self._said = ""
            self._say(f"The chain: connected to {self._where}.")
        self.condition = condition
        self.changed(condition)

    @property
    def _where(self) -> str:
        return f"the broker {self._address.host}:{self._address.port}"


def _properties(packet: int) -> Properties:
    return Properties(packet)  # type: ignore[no-untyped-call] # paho's


def _nothing() -> None:
    """Nothing but the wakening that comes with it."""


def _why(error: Exception, address: BrokerAddress) -> str:
    """Why there is no connection."""
    where = f"the broker {address.host}:{address.port}"
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"{where} shows a certificate that is not to be believed ({error.verify_message}): is [chain] ca right"
    if isinstance(error, ssl.SSLError):
        return f"{where} does not speak TLS as this board does ({error.reason}): are [chain] tls and port right"
    if isinstance(error, FileNotFoundError) and address.ca:
        return f"there is no {address.ca}, which [chain] ca names"
    if isinstance(error, socket.gaierror):
        return f"nobody knows the name {address.host}"
    said = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return f"{where} is not reached ({said})"

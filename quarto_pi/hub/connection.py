"""The hub's own line to the broker: the link of a board, as the hub uses it; what happens on it stands in a queue."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from typing import Final

try:
    from quarto_pi.chain.link import BrokerAddress, BrokerLink, HeardMessage, LinkCondition, Will
except ImportError as _error:
    from quarto_pi.hub.settings import HubFailure

    raise HubFailure(
        "paho-mqtt is not installed, which speaks with the broker: do pip install 'quarto-pi[hub]'."
    ) from _error

from quarto_pi.chain.credentials import Credentials
from quarto_pi.chain.unforeseen import UnforeseenErrors
from quarto_pi.hub.settings import SayInLog

MOST_LET_WAIT: Final = 4_000
"""Messages that wait here at most: more than a broker of the hub's own hands over unacknowledged."""
UNWOKEN_FOR: Final = 3_600.0


@dataclass(frozen=True, slots=True)
class LineSettings:
    """Where the broker is, whom to believe there (None: the system's authorities), and who the hub is."""

    host: str
    port: int
    account: str
    secret: str
    is_encrypted: bool = True
    ca: Path | None = None


@dataclass(frozen=True, slots=True)
class LineUp:
    """The hub is connected, and the broker hands it from now on all that it wants to hear."""


@dataclass(frozen=True, slots=True)
class LineDown:
    """The hub is not connected, and why, where that is known."""

    why: str


@dataclass(frozen=True, slots=True)
class Arrived:
    """A message that has come; `line` is the connection that it came by, and `mark` its number there."""

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
        self,
        settings: LineSettings,
        topics: Sequence[str],
        will: str,
        inbox: SimpleQueue[Happened | None],
        say: SayInLog,
    ) -> None:
        self._topics = topics
        self._will = will
        self._inbox = inbox
        self._number = 0
        self.let_fall = 0
        """How many messages were let fall because too many waited."""
        self._link = BrokerLink(
            BrokerAddress(
                settings.host,
                settings.port,
                settings.is_encrypted,
                "" if settings.ca is None else str(settings.ca),
            ),
            Credentials(settings.account, settings.secret),
            Will(will, b""),
            manual_ack=True,
            changed=self._changed,
        )
        # Where there is a connection and where not the hub says itself.
        self._link.errors = UnforeseenErrors(say)

    def start(self) -> None:
        """Begin to connect."""
        self._link.begin(self)

    def stop(self) -> None:
        """Take the hub's presence away, say good-bye, and end."""
        self._link.close()

    def renew(self) -> None:
        """Connect anew: what the broker has handed over and waits for is forgotten, and boards send it again."""
        self._link.renew()

    @property
    def is_up(self) -> bool:
        """Whether it is connected at this moment."""
        return self._link.is_open

    def send(self, topic: str, payload: bytes, *, qos: int = 1, is_retained: bool = False) -> bool:
        """Send a message; False, and nothing is kept of it, while there is no connection."""
        if not self._link.is_open:
            return False
        self._link.post(lambda: _unanswered(self._link.publish(topic, payload, qos=qos, retain=is_retained)))
        return True

    def acknowledge(self, message: Arrived) -> None:
        """Tell the broker that a message is dealt with; one of an earlier connection is its matter no more."""
        if message.qos and self._link.is_open:
            self._link.post(lambda: self._acknowledge(message))

    # --- In the link's thread -----------------------------------------------------------------------------------------

    def _acknowledge(self, message: Arrived) -> None:
        if message.line == self._number:
            self._link.ack(HeardMessage(message.topic, b"", mid=message.mark, qos=message.qos))

    def _changed(self, condition: LinkCondition) -> None:
        if not condition.connected:
            # The link tells a board's owner which of its settings to look at; the hub's have the same names.
            self._inbox.put(LineDown(condition.why.replace("[chain]", "[hub]")))

    def connected(self, now: float) -> None:
        """A connection is there."""
        del now
        self._number += 1
        self._link.subscribe(self._topics)

    def disconnected(self, now: float) -> None:
        """It has gone: that was told with the reason."""

    def heard(self, message: HeardMessage, now: float) -> None:
        """Something came in."""
        del now
        if self._inbox.qsize() > MOST_LET_WAIT:
            self.let_fall += 1
            self._link.ack(message)
            return
        self._inbox.put(Arrived(message.topic, message.payload, self._number, message.mid, message.qos))

    def published(self, mid: int, code: int, now: float) -> None:
        """The broker has a message; boards that do not hear it ask again."""

    def subscribed(self, now: float) -> None:
        """The broker hands over what it was asked for: boards that are told so are heard."""
        del now
        self._inbox.put(LineUp())

    def leaving(self, now: float) -> None:
        """The connection will be closed."""
        del now
        self._link.publish(self._will, b"", qos=1, retain=True)

    def woken(self, now: float) -> float:
        """Nothing is due by itself."""
        return now + UNWOKEN_FOR


def _unanswered(_number: int | None) -> None:
    """The broker's answer is not waited for."""

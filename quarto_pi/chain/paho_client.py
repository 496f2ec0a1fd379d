"""The client of paho-mqtt as the link uses it: whatever fails in it is heard of, and it can always be let go of."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import paho.mqtt.client as mqtt
from paho.mqtt.enums import MQTTErrorCode


class ToldClient(mqtt.Client):
    """A client whose own thread says by which error it has ended; paho-mqtt's ends without a word."""

    def __init__(self, ended: Callable[[Exception], None], *arguments: Any, **named: Any) -> None:  # noqa: ANN401 - paho's
        super().__init__(*arguments, **named)
        self._tell_end = ended

    def loop_forever(self, timeout: float = 1.0, retry_first_connection: bool = False) -> MQTTErrorCode:
        """Read and write until the connection has gone."""
        try:
            return super().loop_forever(timeout, retry_first_connection)
        except Exception as error:  # noqa: BLE001 - whatever it is, the connection is made anew
            self._tell_end(error)
            return MQTTErrorCode.MQTT_ERR_UNKNOWN


def let_go_of(client: mqtt.Client) -> None:
    """End a client and its thread, whatever of paho-mqtt fails at that."""
    try:
        client.disconnect()
    except Exception:  # noqa: BLE001 - the socket is closed below it, and that ends its thread
        with suppress(Exception):
            _shut(client)
    # Its thread may end of itself between two lines of paho-mqtt's, which then trips over it.
    with suppress(Exception):
        client.loop_stop()
    with suppress(Exception):
        _shut(client)


def _shut(client: mqtt.Client) -> None:
    connection = client.socket()
    if connection is not None:
        connection.close()


class ClosedTlsSocket(ssl.SSLSocket):
    """A socket that is closed where no two agree: nobody else closes it then."""

    def do_handshake(self, block: bool = False) -> None:
        """Agree with the other side, or close."""
        try:
            super().do_handshake(block)
        except OSError:
            self.close()
            raise


def without_delay(_client: object, _userdata: object, connection: Any) -> None:  # noqa: ANN401 - of whatever kind
    """Send small messages at once: they would wait for others to travel with, 40 ms."""
    with suppress(OSError, AttributeError):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

"""MQTT 5 packets as far as a proxy has to know them: where each ends, who connects, and what is published.

Section numbers are those of the standard, "MQTT Version 5.0".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum

DUP = 0x08
"""The flag of a PUBLISH that is sent again (3.3.1.1)."""


class PacketType(IntEnum):
    """The upper four bits of a packet's first byte (2.1.2)."""

    CONNECT = 1
    CONNACK = 2
    PUBLISH = 3
    PUBACK = 4
    SUBSCRIBE = 8
    SUBACK = 9
    UNSUBSCRIBE = 10
    UNSUBACK = 11
    PINGREQ = 12
    PINGRESP = 13
    DISCONNECT = 14
    AUTH = 15


class NotMqtt(ValueError):
    """Bytes that are no packet."""


@dataclass(frozen=True, slots=True)
class Packet:
    """One packet, whole."""

    data: bytes

    @property
    def type(self) -> int:
        """What it is, as in `PacketType`; QoS 2's packets have none there."""
        return self.data[0] >> 4

    @property
    def qos(self) -> int:
        """A PUBLISH's quality of service."""
        return self.data[0] >> 1 & 3

    @property
    def topic(self) -> str:
        """A PUBLISH's topic (3.3.2.1)."""
        body = _body(self.data)
        return body[2 : 2 + int.from_bytes(body[:2])].decode()

    @property
    def id(self) -> int:
        """What a PUBLISH of QoS 1 and its PUBACK are known by (3.3.2.2, 3.4.2)."""
        body = _body(self.data)
        begin = 2 + int.from_bytes(body[:2]) if self.type == PacketType.PUBLISH else 0
        return int.from_bytes(body[begin : begin + 2])

    @property
    def client(self) -> str:
        """The user name of a CONNECT, or its client id where it has none (3.1.3)."""
        body = _body(self.data)
        flags = body[7]
        at = 10
        at = _after_properties(body, at)
        client, at = _text(body, at)
        if flags & 0x04:
            at = _after_properties(body, at)
            for _ in range(2):
                _, at = _text(body, at)
        return (_text(body, at)[0] if flags & 0x80 else client).decode(errors="replace")

    def again(self) -> Packet:
        """The same PUBLISH as it is sent once more."""
        return Packet(bytes([self.data[0] | DUP]) + self.data[1:])


def _text(body: bytes, at: int) -> tuple[bytes, int]:
    end = at + 2 + int.from_bytes(body[at : at + 2])
    return body[at + 2 : end], end


def _after_properties(body: bytes, at: int) -> int:
    length, used = _variable(body[at : at + 4])
    return at + used + length


def _variable(data: bytes) -> tuple[int, int]:
    """A variable byte integer and how many bytes it takes (1.5.5); IndexError where it is not all there."""
    value = 0
    for used in range(4):
        value |= (data[used] & 0x7F) << 7 * used
        if not data[used] & 0x80:
            return value, used + 1
    raise NotMqtt("a length of more than four bytes.")


def _body(data: bytes) -> bytes:
    return data[1 + _variable(data[1:5])[1] :]


class Splitter:
    """Cuts what comes over a connection into packets."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, data: bytes) -> Iterator[Packet]:
        """The packets that are whole by now."""
        self._rest += data
        while len(self._rest) > 1:
            try:
                length, used = _variable(self._rest[1:5])
            except IndexError:
                return
            end = 1 + used + length
            if len(self._rest) < end:
                return
            packet, self._rest = Packet(self._rest[:end]), self._rest[end:]
            yield packet

"""The bundle of a version, as a board fetches it from its hub: in small parts, and on from where it was cut.

Nothing that comes is believed before its hash is right. Whoever answers can send no more than was asked for, and can
keep a part waiting for so long and no longer.
"""

from __future__ import annotations

import http.client
import re
import socket
import ssl
import threading
from contextlib import closing, suppress
from typing import Final
from urllib.parse import urlsplit

from quarto_pi.chain.hub_messages import VersionOffer, bundle_path
from quarto_pi.rules import QuartoError

PART_BYTES: Final = 262_144
FETCH_ANSWER_SECONDS: Final = 20.0
PART_SECONDS: Final = 60.0
"""The longest time for a part, however it dribbles in."""
LONGEST_ASKED_WAIT: Final = 3_600.0
_RANGE: Final = re.compile(r"bytes ([0-9]{1,12})-([0-9]{1,12})/([0-9]{1,12})")


class FetchFailed(QuartoError, RuntimeError):
    """A part that did not come; the text says why, and `wait` for how long the hub wants to be left alone."""

    def __init__(self, why: str, wait: float = 0.0) -> None:
        super().__init__(why)
        self.wait = wait


class BundleFetch:
    """Fetches parts of bundles over a connection that stays open; `ca` is the authority of the hub, "" for none."""

    def __init__(
        self, ca: str = "", answer_seconds: float = FETCH_ANSWER_SECONDS, part_seconds: float = PART_SECONDS
    ) -> None:
        self._ca = ca
        self._answer_seconds = answer_seconds
        self._part_seconds = part_seconds
        self._connection: http.client.HTTPConnection | None = None
        self._socket: socket.socket | None = None
        self._host = ""

    def part(self, offer: VersionOffer, first: int) -> bytes:
        """What follows that many bytes of a bundle, some of it at least; `FetchFailed` where nothing comes."""
        last = min(first + PART_BYTES, offer.size) - 1
        was_open = self._connection is not None
        try:
            try:
                return self._asked(offer, first, last)
            except (http.client.RemoteDisconnected, ConnectionResetError, BrokenPipeError):
                # A connection that was left open may have been closed meanwhile.
                if not was_open:
                    raise
                self.close()
                return self._asked(offer, first, last)
        except FetchFailed:
            self.close()
            raise
        except (OSError, http.client.HTTPException, ValueError, AttributeError) as error:
            # AttributeError is what the library raises where its socket has gone meanwhile.
            self.close()
            raise FetchFailed(f"the hub's page does not answer ({_reason(error)}).") from error

    def abort(self) -> None:
        """From any thread: the part that is under way fails."""
        # The library forgets its socket where the other side says that it will close it.
        found = self._socket
        if found is not None:
            with suppress(OSError):
                found.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Let go of the connection."""
        connection, self._connection, self._socket = self._connection, None, None
        if connection is not None:
            connection.close()

    def _asked(self, offer: VersionOffer, first: int, last: int) -> bytes:
        connection = self._opened(offer)
        too_late = threading.Timer(self._part_seconds, self.abort)
        too_late.daemon = True
        too_late.start()
        try:
            headers = {"range": f"bytes={first}-{last}", "accept-encoding": "identity"}
            if connection.sock is None:
                connection.connect()
                self._socket = connection.sock
            connection.request("GET", bundle_path(offer.sha256), headers=headers)
            with closing(connection.getresponse()) as answer:
                length = _length(answer, offer, first, last)
                body = answer.read(length)
                if len(body) != length:
                    raise FetchFailed("the hub's page broke off.")
                if answer.read(1):
                    raise FetchFailed("the hub's page sends more than was asked for.")
                return body
        finally:
            too_late.cancel()

    def _opened(self, offer: VersionOffer) -> http.client.HTTPConnection:
        parts = urlsplit(offer.url)
        host = f"{parts.scheme}://{parts.netloc}"
        if self._connection is not None and self._host == host:
            return self._connection
        self.close()
        name, port = parts.hostname or "", parts.port
        if parts.scheme == "https":
            context = ssl.create_default_context()
            if self._ca:
                context.load_verify_locations(self._ca)
            self._connection = http.client.HTTPSConnection(name, port, timeout=self._answer_seconds, context=context)
        else:
            self._connection = http.client.HTTPConnection(name, port, timeout=self._answer_seconds)
        self._host = host
        return self._connection


def _length(answer: http.client.HTTPResponse, offer: VersionOffer, first: int, last: int) -> int:
    """How long the part is that comes, if it is what was asked for."""
    if answer.status == http.HTTPStatus.SERVICE_UNAVAILABLE:
        asked = answer.getheader("retry-after", "")
        wait = min(float(asked), LONGEST_ASKED_WAIT) if asked.isascii() and asked.isdecimal() else 0.0
        raise FetchFailed("the hub has much to do.", wait)
    if answer.status != http.HTTPStatus.PARTIAL_CONTENT:
        raise FetchFailed(f"the hub's page does not send the version (status {answer.status}).")
    told = _RANGE.fullmatch(answer.getheader("content-range", ""))
    if told is None or answer.getheader("content-encoding", "identity") != "identity":
        raise FetchFailed("the hub's page sends something else than was asked for.")
    begins, ends, size = map(int, told.groups())
    if begins != first or not first <= ends <= last or size != offer.size:
        raise FetchFailed("the hub's page sends another part than was asked for.")
    length = ends - begins + 1
    if answer.getheader("content-length", f"{length}") != f"{length}":
        raise FetchFailed("the hub's page sends more than was asked for.")
    return length


def _reason(error: Exception) -> str:
    if isinstance(error, TimeoutError):
        return "it takes too long"
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"its certificate is not believed: {error.verify_message}"
    text = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return " ".join(str(text).split())[:100]

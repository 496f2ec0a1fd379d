"""A server of bundles for tests, as a hub is one, and as one that is broken, slow or hostile."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from quarto_pi.chain.hub_messages import VersionOffer, bundle_path

GUARD = 30.0
Answer = tuple[int, bytes, dict[str, str]]


@dataclass
class BundleServer:
    """Serves a bundle; `misbehave` says how it goes wrong with the requests that come, one after the other."""

    content: bytes = field(repr=False)
    sha256: str
    version: str = "2.0-abc"
    address: str = ""
    misbehave: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    sent: int = 0
    released: threading.Event = field(default_factory=threading.Event)

    @property
    def offer(self) -> VersionOffer:
        """What a hub would offer."""
        return VersionOffer(self.version, self.sha256, len(self.content), self.address + bundle_path(self.sha256))

    def answer(self, handler: BaseHTTPRequestHandler) -> None:
        """Answer a request, well or badly."""
        self.asked.append(handler.headers["range"])
        how = self.misbehave.pop(0) if self.misbehave else ""
        if how == "silent":
            self.released.wait(GUARD)
        if how in ("silent", "cut before"):
            handler.close_connection = True
            return
        status, body, headers = self._answer(how, handler.headers["range"])
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.close_connection = how in ("cut", "endless")
        self._send(how, body, handler)

    def _answer(self, how: str, asked: str) -> Answer:
        first, last = (int(each) for each in asked.removeprefix("bytes=").split("-"))
        body = self.content[first : last + 1]
        told = f"bytes {first}-{first + len(body) - 1}/{len(self.content)}"
        length = f"{len(body)}"
        part = {"content-range": told, "content-length": length}
        here = f"{self.address}{bundle_path(self.sha256)}"
        other_part = f"bytes {first + 1}-{first + len(body)}/{len(self.content)}"
        answers: dict[str, Answer] = {
            "busy": (503, b"", {"retry-after": "77", "content-length": "0"}),
            "gone": (404, b"{}", {"content-length": "2"}),
            "elsewhere": (302, b"", {"location": here, "content-length": "0"}),
            "whole": (200, self.content, {"content-length": f"{len(self.content)}"}),
            "another part": (206, body, {**part, "content-range": other_part}),
            "another size": (206, body, {**part, "content-range": told.replace(f"/{len(self.content)}", "/1")}),
            "no range": (206, body, {"content-length": length}),
            "packed": (206, body, {**part, "content-encoding": "gzip"}),
            "longer": (206, body, {**part, "content-length": f"{len(body) + 1_000_000}"}),
            "endless": (206, body, {"content-range": told}),
            "other bytes": (206, bytes(len(body)), part),
        }
        return answers.get(how, (206, body, part))

    def _send(self, how: str, body: bytes, handler: BaseHTTPRequestHandler) -> None:
        match how:
            case "cut":
                handler.wfile.write(body[: len(body) // 2])
            case "dribbles":
                while not self.released.wait(0.05):
                    handler.wfile.write(b"x")
                handler.close_connection = True
            case "endless":
                while not self.released.is_set():
                    handler.wfile.write(bytes(65_536))
                    self.sent += 65_536
            case _:
                handler.wfile.write(body)
                self.sent += len(body)


@contextmanager
def serving_bundle(content: bytes, sha256: str) -> Iterator[BundleServer]:
    """A server at a free port."""
    served = BundleServer(content, sha256)
    connections: list[socket.socket] = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def setup(self) -> None:
            connections.append(self.request)
            super().setup()

        def do_GET(self) -> None:
            try:
                served.answer(self)
            except OSError:
                self.close_connection = True

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as in the base class
            """Nothing."""

    class Server(ThreadingHTTPServer):
        def handle_error(self, request: object, client_address: object) -> None:
            """Nothing: whoever asked has gone."""

    server = Server(("127.0.0.1", 0), Handler)
    # Whoever serves it waits at its end for all answers.
    server.daemon_threads = False
    thread = threading.Thread(target=lambda: server.serve_forever(0.02), daemon=True)
    thread.start()
    served.address = f"http://127.0.0.1:{server.server_port}"
    try:
        yield served
    finally:
        served.released.set()
        server.shutdown()
        for connection in connections:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        server.server_close()
        thread.join()

"""The page's port: free, served by the board itself, or taken by another program."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

from quarto_pi.checks.installation import page
from quarto_pi.config import PageConfig
from tests.ports import free_port

HERE = "127.0.0.1"


@contextmanager
def answering(body: bytes) -> Iterator[int]:
    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer((HERE, 0), Answer) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


def test_port_that_is_free_is_well() -> None:
    port = free_port()
    found = page(PageConfig(port=port, pin="123456"))
    assert found.ok
    assert found.detail == f"not served now; {HERE}, port {port} is free; the PIN is needed to change something"


def test_page_that_the_board_serves_is_well() -> None:
    with answering(b'{"name": "quarto-pi", "api": 1}') as port:
        found = page(PageConfig(host="0.0.0.0", port=port))  # noqa: S104 - that is what is tested
    assert found.ok
    assert found.detail.startswith("served at ")
    assert "it has no PIN" in found.detail


def test_port_of_another_program_is_not_well() -> None:
    for body in (b"<html>", b'["quarto-pi"]', b'{"name": "printer"}'):
        with answering(body) as port:
            found = page(PageConfig(port=port))
        assert not found.ok
        assert f"port {port} is in use by another program" in found.detail
        assert "config set page.port" in (found.fix or "")


def test_address_of_another_machine_takes_another_address() -> None:
    found = page(PageConfig(host="192.0.2.1"))
    assert not found.ok
    assert "quarto-pi config set page.host" in (found.fix or "")
    assert "page.port" not in (found.fix or "")

"""The thread that serves the page: closing it ends all streams."""

from __future__ import annotations

import socket
import threading
from typing import Final, Self

import uvicorn
from starlette.types import ASGIApp

from quarto_pi.web.connections import Connection

CLOSE_SECONDS: Final = 3.0


class PageServer:
    """Serves an application on a bound socket until it is closed."""

    def __init__(self, app: ASGIApp, bound: socket.socket) -> None:
        self._socket = bound
        config = uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            server_header=False,
            lifespan="on",
            http=Connection,
            ws="none",
            # Whoever looks on may say in a header where it comes from; wrong PINs are counted by where it does.
            proxy_headers=False,
            timeout_keep_alive=10,
            timeout_graceful_shutdown=1,
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._serve, name="page", daemon=True)

    def start(self) -> Self:
        """Serve from now on."""
        self._thread.start()
        return self

    def close(self) -> None:
        """End all streams and let go of the port; a second call does nothing."""
        self._server.should_exit = True
        if self._thread.is_alive():
            self._thread.join(CLOSE_SECONDS)
        self._socket.close()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.close()

    def _serve(self) -> None:
        self._server.run(sockets=[self._socket])

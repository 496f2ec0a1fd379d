"""A Mosquitto of one's own on a free port, which can be killed like a machine whose plug is pulled."""

from __future__ import annotations

import shutil
import socket
import subprocess
from pathlib import Path
from typing import Final, Self

from tests.chain_faults.waiting import GUARD_SECONDS, wait_until
from tests.ports import free_port

HOST: Final = "127.0.0.1"
PROGRAM: Final = shutil.which("mosquitto", path="/usr/local/sbin:/usr/sbin:/sbin:/usr/local/bin:/usr/bin:/bin")
"""Debian has it where ordinary users do not look."""


class Mosquitto:
    """A broker with a configuration of its own; it runs until it is stopped or killed, and can be started again."""

    def __init__(self, folder: Path, *lines: str, host: str = HOST) -> None:
        self.port = free_port()
        self._host = host
        self.folder = folder
        self._process: subprocess.Popen[bytes] | None = None
        config = (
            "user root",
            "per_listener_settings false",
            "set_tcp_nodelay true",
            "max_inflight_messages 200",
            "max_queued_messages 0",
            "log_dest stderr",
            f"persistence_location {folder}/",
            f"listener {self.port} {host}",
            *(lines or ("allow_anonymous true",)),
        )
        self._config = folder / "mosquitto.conf"
        self._config.write_text("\n".join(config) + "\n", encoding="utf-8")

    @property
    def pid(self) -> int:
        """Its process."""
        assert self._process is not None
        return self._process.pid

    def start(self) -> Self:
        """Start it, and wait until it answers."""
        assert PROGRAM is not None, "mosquitto is not installed"
        with (self.folder / "mosquitto.log").open("ab") as log:
            self._process = subprocess.Popen([PROGRAM, "-c", f"{self._config}"], stderr=log, stdout=log)  # noqa: S603
        answers(self._host, self.port, self._process)
        return self

    def kill(self) -> None:
        """What a pulled plug does to it."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(GUARD_SECONDS)
            self._process = None

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.kill()


def answers(host: str, port: int, process: subprocess.Popen[bytes] | None = None) -> None:
    """Wait until somebody listens at a port."""

    def listens() -> bool:
        assert process is None or process.poll() is None, "it ended instead of listening"
        try:
            socket.create_connection((host, port), 0.5).close()
        except OSError:
            return False
        return True

    wait_until(f"somebody listens at port {port}", listens)

"""A real Mosquitto for a test: on a free port, as whoever runs the test, with the rights of boards and hub."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path

from quarto_pi.chain.topics import HUB, RIGHTS_OF_BOARDS, RIGHTS_OF_HUB
from tests.ports import free_port

PASSWORD = "a-password"  # noqa: S105 - of a broker that lives for a test
PROGRAMS = f"{os.environ.get('PATH', os.defpath)}:/usr/sbin:/usr/local/sbin"
"""Debian has a broker where only administrators look."""
ANSWERS_WITHIN = 20.0


def program(name: str) -> str:
    found = shutil.which(name, path=PROGRAMS)
    assert found is not None, f"{name} is not installed: .ci/system-packages test"
    return found


class TestBroker:
    """A broker with an account for each of these boards, for the hub and for `home`, who may read and write all."""

    __test__ = False

    def __init__(self, folder: Path, *boards: str, tls: bool = False) -> None:
        self._folder, self.port = folder, free_port()
        self.ca = str(folder / "certificate") if tls else ""
        folder.mkdir(parents=True, exist_ok=True)
        passwords = folder / "passwords"
        passwords.write_text("".join(f"{name}:{PASSWORD}\n" for name in (*boards, HUB, "home")), encoding="ascii")
        passwords.chmod(0o600)
        subprocess.run([program("mosquitto_passwd"), "-U", str(passwords)], check=True)  # noqa: S603
        rights = [f"pattern {right} {topic}" for right, topic in RIGHTS_OF_BOARDS]
        rights += [f"user {HUB}", *(f"topic {right} {topic}" for right, topic in RIGHTS_OF_HUB)]
        rights += ["user home", "topic readwrite #"]
        (folder / "rights").write_text("\n".join([*rights, ""]), encoding="ascii")
        (folder / "rights").chmod(0o600)
        user = "user root\n" if os.geteuid() == 0 else ""
        (folder / "config").write_text(
            f"{user}allow_anonymous false\npassword_file {passwords}\nacl_file {folder / 'rights'}\npersistence false\n"
            f"set_tcp_nodelay true\nmax_inflight_messages 1000\nlistener {self.port} 127.0.0.1\n"
            f"use_username_as_clientid true\n{self._certificate() if tls else ''}",
            encoding="ascii",
        )
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    def _certificate(self) -> str:
        """Make one that vouches for itself, and say where it is."""
        words = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=127.0.0.1"
        more = "-addext subjectAltName=IP:127.0.0.1 -keyout key -out certificate"
        subprocess.run(  # noqa: S603
            [program("openssl"), *words.split(), *more.split()], check=True, cwd=self._folder, capture_output=True
        )
        return f"certfile {self.ca}\nkeyfile {self._folder / 'key'}\n"

    def start(self) -> None:
        """Start it, empty; it answers on return."""
        self._process = subprocess.Popen(  # noqa: S603
            [program("mosquitto"), "-c", str(self._folder / "config")],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        until = time.monotonic() + ANSWERS_WITHIN
        while time.monotonic() < until:
            assert self._process.poll() is None, "mosquitto has ended"
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.01)
        raise AssertionError("mosquitto does not answer")

    def kill(self) -> None:
        """Kill it: all that it had in memory is gone."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()
        self._process = None

    def freeze(self) -> None:
        """Have it do nothing, with its connections open."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Have it go on."""
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)

    def stop(self) -> None:
        """End it if it runs."""
        if self._process is not None:
            self.kill()

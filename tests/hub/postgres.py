"""A real PostgreSQL, started for the tests as an ordinary user, on a socket in a folder of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import psycopg

_PROGRAMS = Path("/usr/lib/postgresql")
_NOBODY = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--")
_NUMBERS = count(1)


class PostgresServer:
    """A server that is started and stopped as a test likes."""

    def __init__(self, folder: Path) -> None:
        newest = max(_PROGRAMS.glob("*/bin/initdb"), key=lambda path: int(path.parts[4]), default=None)
        assert newest is not None, "PostgreSQL is not installed: .ci/system-packages test"
        self._programs = newest.parent
        self._folder = folder
        self._run("initdb", "--no-sync", "--auth=trust", "--username=hub", "--encoding=UTF8", f"{folder / 'data'}")
        self.start()

    def start(self) -> None:
        """Start it, and return once it answers."""
        # What is stopped at once is the server alone: what it has written the system still has, and need not sync.
        options = (
            f"-c listen_addresses='' -c unix_socket_directories='{self._folder}' -c max_connections=40 -c fsync=off"
        )
        log = ("-l", f"{self._folder / 'log'}")
        self._run("pg_ctl", "-D", f"{self._folder / 'data'}", *log, "-w", "-t", "60", "-o", options, "start")
        self._is_there = True

    def stop(self, how: str = "immediate") -> None:
        """Stop it: at once, as a machine without power; or `fast`, in order."""
        self._run("pg_ctl", "-D", f"{self._folder / 'data'}", "-w", "-m", how, "stop")
        self._is_there = False

    @property
    def is_there(self) -> bool:
        """Whether it was started and has not been stopped since."""
        return self._is_there

    @property
    def pid(self) -> int:
        """Its first process, while it runs."""
        return int((self._folder / "data" / "postmaster.pid").read_text(encoding="ascii").split()[0])

    def database(self) -> str:
        """The address of a new and empty database."""
        name = f"chain{next(_NUMBERS)}"
        with psycopg.connect(self._address("postgres"), autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{name}"')
        return self._address(name)

    def _address(self, name: str) -> str:
        return f"postgresql://hub@/{name}?host={self._folder}"

    def _run(self, program: str, *arguments: str) -> None:
        # Not captured: the server would keep the pipe, and whoever reads from it would wait for ever.
        before = _NOBODY if os.geteuid() == 0 else ()
        with (self._folder / "said").open("w", encoding="utf-8") as said:
            subprocess.run(  # noqa: S603 - PostgreSQL's own programs
                [*before, str(self._programs / program), *arguments],
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=said,
                check=True,
                cwd=self._folder,
                env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"},
            )


@contextmanager
def postgres_server() -> Iterator[PostgresServer]:
    """A server in a folder of its own; root, whom it refuses, hands it to nobody."""
    folder = Path(tempfile.mkdtemp(prefix="pg"))
    try:
        if os.geteuid() == 0:
            os.chown(folder, 65534, 65534)
        server = PostgresServer(folder)
        try:
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)

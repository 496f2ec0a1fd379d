"""Processes that run a module of ours, forked from one that has loaded it: most of what a start costs is loading.

Whoever asks first in a process starts the one that loads and forks, which ends with him.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from threading import Lock
from typing import IO, Final

_MOST_BYTES: Final = 262_144
_ONE_AT_A_TIME: Final = Lock()


class ForkedProcess:
    """A process that runs the `main` of a module; what it reads, says and complains of goes through pipes.

    `errors` takes what it complains of instead. It is killed and waited for as a `subprocess.Popen` is.
    """

    def __init__(self, module: str, *arguments: str, errors: IO[bytes] | None = None) -> None:
        told = json.dumps([module, arguments, dict(os.environ)]).encode()
        assert len(told) < _MOST_BYTES
        pipes = [os.pipe() for _ in range(2 if errors is not None else 3)]
        theirs = [pipes[0][0], *(end for _, end in pipes[1:]), *([] if errors is None else [errors.fileno()])]
        with _ONE_AT_A_TIME:
            line = _line_to_loaded()
            socket.send_fds(line, [told], theirs)
            number, (self._end,), _, _ = socket.recv_fds(line, _MOST_BYTES, 1)
        self.pid = int(number)
        os.close(pipes[0][0])
        for _, end in pipes[1:]:
            os.close(end)
        self.stdin = os.fdopen(pipes[0][1], "w")
        self.stdout = os.fdopen(pipes[1][0])
        self.stderr = None if errors is not None else os.fdopen(pipes[2][0])
        self._has_ended = False

    def poll(self) -> int | None:
        """0 once it has ended, however that was; else None."""
        return 0 if self._ends_within(0.0) else None

    def wait(self, timeout: float) -> None:
        """Wait until it has ended."""
        if not self._ends_within(timeout):
            raise subprocess.TimeoutExpired("a forked process", timeout)

    def kill(self) -> None:
        """End it as the power does."""
        self.send_signal(signal.SIGKILL)

    def send_signal(self, number: signal.Signals) -> None:
        """Send it a signal, if it lives."""
        if not self._has_ended:
            # Where it ends in this moment nobody else has its number.
            try:
                signal.pidfd_send_signal(self._end, number)
            except ProcessLookupError:
                return

    def close(self) -> None:
        """Close its pipes."""
        for stream in (self.stdin, self.stdout, self.stderr):
            if stream is not None:
                stream.close()

    def _ends_within(self, seconds: float) -> bool:
        if not self._has_ended and select.select([self._end], [], [], seconds)[0]:
            self._has_ended = True
            os.close(self._end)
        return self._has_ended


@cache
def _line_to_loaded() -> socket.socket:
    """The line to the process that loads and forks."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    # A message holds all the variables of the environment.
    ours.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _MOST_BYTES)
    command = [sys.executable, "-m", "tests.forked", f"{theirs.fileno()}"]
    loaded = subprocess.Popen(command, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL)  # noqa: S603 - this module
    theirs.close()

    def end() -> None:
        ours.close()
        loaded.wait()

    atexit.register(end)
    return ours


def _forked(line: socket.socket) -> Callable[[], None] | None:
    """Fork whenever it is wished: what to run, in each process that was forked; None in this one, in the end."""
    while True:
        told, (*pipes,), _, _ = socket.recv_fds(line, _MOST_BYTES, 3)
        if not told:
            return None
        module, arguments, environment = json.loads(told)
        main: Callable[[], None] = import_module(module).main
        gc.freeze()
        forked = os.fork()
        if not forked:
            line.close()
            _take(pipes)
            sys.argv[1:] = arguments
            os.environ.clear()
            os.environ.update(environment)
            return main
        end = os.pidfd_open(forked)
        socket.send_fds(line, [f"{forked}".encode()], [end])
        for each in (end, *pipes):
            os.close(each)
        _bury()


def _take(pipes: list[int]) -> None:
    """Read, say and complain through these pipes, as a program that was started with them."""
    for number, pipe in enumerate(pipes):
        os.dup2(pipe, number)
        os.close(pipe)
    sys.stdin = os.fdopen(0, closefd=False)
    sys.stdout = os.fdopen(1, "w", closefd=False)
    sys.stderr = os.fdopen(2, "w", buffering=1, errors="backslashreplace", closefd=False)


def _bury() -> None:
    """Let those go that have ended."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return


def main() -> None:
    """Load and fork until whoever has started this has gone."""
    with socket.socket(fileno=int(sys.argv[1])) as line:
        work = _forked(line)
    if work is not None:
        work()


if __name__ == "__main__":
    main()

"""The commands as a service manager starts them: real processes and a real socket."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.service.listening import listening

COMMANDS = (["run", "--simulated"], ["simulate", "--no-browser", "--port", "0"])


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_command_is_ready_and_alive_and_tells_that_it_ends(command: list[str], tmp_path: Path) -> None:
    with listening(tmp_path) as listener:
        process = subprocess.Popen(  # noqa: S603 - this project's own command
            [sys.executable, "-m", "quarto_pi", *command],
            env={**os.environ, "NOTIFY_SOCKET": listener.address, "WATCHDOG_USEC": "500000"},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            assert "WATCHDOG=1" not in listener.wait_for("READY=1")
            listener.wait_for("WATCHDOG=1")
            process.send_signal(signal.SIGTERM)
            listener.wait_for("STOPPING=1")
            assert process.wait() == 0
        finally:
            process.kill()
            process.wait()


@pytest.mark.slow
def test_process_that_is_stopped_feeds_nobody(tmp_path: Path) -> None:
    with listening(tmp_path) as listener:
        process = subprocess.Popen(
            [sys.executable, "-m", "quarto_pi", "run", "--simulated"],
            env={**os.environ, "NOTIFY_SOCKET": listener.address, "WATCHDOG_USEC": "100000"},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            listener.wait_for("WATCHDOG=1")
            process.send_signal(signal.SIGSTOP)
            os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WNOWAIT)
            listener.heard()
            # Nothing can come from here on; it goes on only when it is told to.
            assert listener.heard() == []
            process.send_signal(signal.SIGCONT)
            listener.wait_for("WATCHDOG=1")
        finally:
            process.kill()
            process.wait()

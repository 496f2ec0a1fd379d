"""A booted container: commands run in it, and its page is spoken to, from outside."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

SERVICE = "quarto-pi.service"
PAGE = "http://127.0.0.1:8040/api/v1/"
_REQUEST = """
import json, sys, urllib.request
url, body = sys.argv[1], sys.argv[2]
headers = {"content-type": "application/json"} if body else {}
request = urllib.request.Request(url, body.encode() or None, headers)
with urllib.request.urlopen(request, timeout=30) as answer:
    sys.stdout.write(answer.read().decode())
"""


Json = dict[str, Any]
"""JSON as it was read: what is in it is what the scenarios are about."""


class Failed(AssertionError):
    """It did not go as it should; the text has what was seen last."""


def waited_for(what: str, happened: Callable[[], bool], words: Callable[[], str], seconds: float) -> float:
    """Look until something has happened, and return how long that took; else `Failed`, with the last words."""
    began = time.monotonic()
    while not happened():
        if time.monotonic() - began > seconds:
            raise Failed(f"{what}: not within {seconds:.0f} s\n{words()}")
        time.sleep(0.2)
    return time.monotonic() - began


class Box:
    """A machine of its own: its systemd, its users, its network without any way out."""

    def __init__(self, root: Path, folder: Path) -> None:
        self.folder = folder
        if folder.exists():
            shutil.rmtree(folder)
        subprocess.run(["cp", "-a", "--reflink=auto", root, folder], check=True)
        self._nspawn: subprocess.Popen[bytes] | None = None
        self._init = 0

    def boot(self) -> None:
        """Start it, and wait until it is up."""
        log = (self.folder.parent / f"{self.folder.name}.log").open("ab")
        quiet = ("--quiet", "--register=no", "--keep-unit", "--private-network", "--console=pipe")
        # The journal is wanted after the end, and as much of it as there is.
        command = ["systemd-nspawn", *quiet, "-D", str(self.folder), "--link-journal=no", "-b"]
        self._nspawn = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        # Whoever is the first child for a moment may not be the init that comes after it.
        self.wait_for("the system", lambda: self._find_init() and self._is_up())

    def drop_in(self, name: str, *lines: str, unit: str = SERVICE) -> None:
        """Change a unit in this container, the board's if none is named."""
        folder = self.folder / "etc/systemd/system" / f"{unit}.d"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.conf").write_text("\n".join(("[Service]", *lines, "")))

    def _find_init(self) -> bool:
        assert self._nspawn is not None
        children = Path(f"/proc/{self._nspawn.pid}/task/{self._nspawn.pid}/children").read_text().split()
        self._init = int(children[0]) if children else 0
        return bool(self._init) and self.tries("true")

    def _is_up(self) -> bool:
        # Under qemu some units of the system itself fail: it is up nevertheless, "degraded".
        return self._call(("systemctl", "is-system-running"), 60).stdout.strip() in ("running", "degraded")

    def run(self, *command: str, seconds: float = 3600) -> str:
        """Run a command as root in there, and return what it prints."""
        done = self._call(command, seconds)
        if done.returncode != 0:
            raise Failed(f"{' '.join(command)}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout

    def refuses(self, *command: str, seconds: float = 3600) -> str:
        """Run a command that must fail, and return all that it says."""
        done = self._call(command, seconds)
        if done.returncode == 0:
            raise Failed(f"{' '.join(command)} should have failed:\n{done.stdout}")
        return done.stdout + done.stderr

    def tries(self, *command: str) -> bool:
        """Whether a command ends well in there."""
        return self._call(command, 120).returncode == 0

    def _call(self, command: tuple[str, ...], seconds: float) -> subprocess.CompletedProcess[str]:
        clean = ("env", "-i", "--chdir=/", "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin", "HOME=/root")
        inside = ["nsenter", f"--target={self._init}", "--all", "--root", *clean, "LC_ALL=C.UTF-8", *command]
        return subprocess.run(inside, capture_output=True, text=True, check=False, timeout=seconds)

    def wait_for(self, what: str, happened: Callable[[], bool], seconds: float = 240) -> float:
        """Look until something has happened, and return how long that took."""
        return waited_for(what, happened, self.words, seconds)

    # -- the board -----------------------------------------------------------------------------------------------

    def unit(self, prop: str, unit: str = SERVICE) -> str:
        """What systemd knows of the board's unit."""
        return self.run("systemctl", "show", unit, f"--property={prop}", "--value").strip()

    @property
    def pid(self) -> int:
        """The board's process, as it is numbered in there."""
        return int(self.unit("MainPID"))

    def wait_until_ready(self, *, other_than: int = 0) -> float:
        """Wait for a process of the board that is ready, and not that one."""
        return self.wait_for(
            "the board", lambda: self.unit("ActiveState") == "active" and self.pid not in (0, other_than)
        )

    def words(self) -> str:
        """The last words of the board."""
        return self._call(("journalctl", "-u", "quarto-pi*", "-n", "80", "--no-pager", "-o", "cat"), 60).stdout

    def ask(self, path: str, body: object = None) -> Json:
        """Speak to the page."""
        sent = "" if body is None else json.dumps(body)
        request = [sys.executable, "-I", "-c", _REQUEST, PAGE + path, sent]
        done = subprocess.run(
            ["nsenter", f"--target={self._init}", "--net", *request],
            capture_output=True, text=True, check=False, env={"PATH": os.environ["PATH"]}, timeout=60,
        )  # fmt: skip
        if done.returncode != 0:
            raise Failed(f"{path}: {done.stderr.strip().splitlines()[-1]}\n{self.words()}")
        answer: Json = json.loads(done.stdout)
        return answer

    def put(self, piece: str, cell: str) -> None:
        """Put a piece down by hand."""
        self.ask("hands", {"do": "put", "piece": piece, "cell": cell})

    def lift(self, piece: str) -> None:
        """Take a piece in the hand."""
        self.ask("hands", {"do": "lift", "piece": piece})

    # -- the end -------------------------------------------------------------------------------------------------

    def wait_until_off(self, seconds: float = 60) -> None:
        """Wait until the machine has switched itself off."""
        assert self._nspawn is not None
        try:
            self._nspawn.wait(seconds)
        except subprocess.TimeoutExpired:
            raise Failed(f"the machine is still on after {seconds:.0f} s\n{self.words()}") from None
        self._nspawn = None

    def pull_the_plug(self) -> None:
        """Kill it as it is."""
        if self._nspawn is not None:
            with suppress(ProcessLookupError):
                os.kill(self._init, signal.SIGKILL)
            self._nspawn.terminate()
            self._nspawn.wait()
            self._nspawn = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.pull_the_plug()

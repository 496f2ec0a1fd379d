"""What the processes of a campaign say to the one that watches them: lines of JSON behind an `@`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from threading import Lock, Thread
from typing import Any

from tests.chain_faults.waiting import GUARD_SECONDS, wait_until
from tests.forked import ForkedProcess

_ONE_AT_A_TIME = Lock()


def say(**things: object) -> None:
    """Say something to whoever watches."""
    with _ONE_AT_A_TIME:
        print(f"@{json.dumps(things)}", flush=True)


class Listened:
    """A process of ours: each line that it says is handed on at once, in the order in which it was said."""

    def __init__(
        self,
        module: str,
        *arguments: str,
        log: Path,
        hear: Callable[[dict[str, Any]], None] = lambda _: None,
        environment: Mapping[str, str] | None = None,
        within: Sequence[str] = (),
    ) -> None:
        self._log = log
        self.process: ForkedProcess | subprocess.Popen[str]
        with log.open("ab") as errors:
            if within or environment:
                # What another network or a library below it is for has to be a program of its own.
                command = [*within, sys.executable, "-m", module, *arguments]
                self.process = subprocess.Popen(  # noqa: S603 - a module of ours
                    command,
                    stdout=subprocess.PIPE,
                    stdin=subprocess.PIPE,
                    stderr=errors,
                    text=True,
                    env={**os.environ, **(environment or {})},
                )
            else:
                self.process = ForkedProcess(module, *arguments, errors=errors)
        self._hear = hear
        self._said: dict[str, Any] = {}
        self._thread = Thread(target=self._listen, daemon=True)
        self._thread.start()

    def wait_for(self, key: str, seconds: float = GUARD_SECONDS) -> Any:  # noqa: ANN401 - JSON as it was read
        """Wait until it has said something under this key; what it was."""

        def said() -> bool:
            assert key in self._said or self.process.poll() is None, f"it ended: {self.words()}"
            return key in self._said

        wait_until(f"a process says {key}", said, seconds, self.words)
        return self._said[key]

    def has_said(self, key: str) -> bool:
        """Whether it has said something under this key."""
        return key in self._said

    def last_said(self, key: str) -> Any:  # noqa: ANN401 - JSON as it was read
        """What it has said last under this key, None if nothing."""
        return self._said.get(key)

    def forget(self, key: str) -> None:
        """Wait for the next time that it says something under this key."""
        self._said.pop(key, None)

    def ask(self, **things: object) -> None:
        """Say something to it."""
        assert self.process.stdin is not None
        print(json.dumps(things), file=self.process.stdin, flush=True)

    def kill(self) -> None:
        """Pull its plug, and hear the rest of what it had said."""
        self.process.kill()
        self.process.wait(GUARD_SECONDS)
        self._thread.join(GUARD_SECONDS)
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                stream.close()

    def words(self) -> str:
        """The last of what it has complained of."""
        return self._log.read_text(encoding="utf-8", errors="replace")[-2000:]

    def _listen(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.startswith("@") and line.endswith("\n"):
                said: Mapping[str, Any] = json.loads(line[1:])
                self._said.update(said)
                self._hear(dict(said))

"""Whether the board has become healthy: ready, the same process after a while, and as many readers as before."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from installing import shell
from installing.places import SERVICE

_READERS: Final = re.compile(r"(\d+) of \d+ readers answer")
PATIENCE_SECONDS: Final = 180.0
LOOK_EVERY: Final = 0.5
MOST_CRASHES: Final = 2

Look = Callable[[], Mapping[str, str]]


def look() -> Mapping[str, str]:
    """What systemd knows of the board."""
    asked = "ActiveState,NRestarts,MainPID,StatusText"
    shown = shell.run("systemctl", "show", SERVICE, f"--property={asked}")
    return dict(line.split("=", 1) for line in shown.splitlines() if "=" in line)


def readers_answering(seen: Mapping[str, str]) -> int:
    """How many readers answer, by the board's own word; none where it says nothing."""
    found = _READERS.search(seen.get("StatusText", ""))
    return int(found[1]) if found and seen.get("ActiveState") == "active" else 0


@dataclass(frozen=True, slots=True)
class Watch:
    """Watches a board that was just started, for so many seconds once it is ready."""

    settle_seconds: float
    readers_before: int = 0
    look: Look = look
    now: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    patience_seconds: float = PATIENCE_SECONDS

    def complaint(self) -> str:
        """What is wrong with it; nothing, if it is healthy."""
        wrong = self._until_ready()
        return wrong or self._while_it_settles()

    def _until_ready(self) -> str:
        end = self.now() + self.patience_seconds
        crashes_before = int(self.look()["NRestarts"])
        while self.now() < end:
            seen = self.look()
            if seen["ActiveState"] == "active":
                return ""
            if seen["ActiveState"] == "failed" or int(seen["NRestarts"]) - crashes_before >= MOST_CRASHES:
                return "it ends as soon as it is started"
            self.sleep(LOOK_EVERY)
        return f"it was not ready within {self.patience_seconds:.0f} s"

    def _while_it_settles(self) -> str:
        first = self.look()
        end = self.now() + self.settle_seconds
        while self.now() < end:
            self.sleep(LOOK_EVERY)
            seen = self.look()
            if (seen["ActiveState"], seen["MainPID"]) != ("active", first["MainPID"]):
                return "it was ready, and then did not stay up"
        answering = readers_answering(self.look())
        if answering < self.readers_before:
            return f"only {answering} readers answer, and {self.readers_before} did before"
        return ""

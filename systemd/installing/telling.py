"""What the installer says: the step it is at, what it changed, and what was right already."""

from __future__ import annotations

import sys
from typing import TextIO


class InstallError(Exception):
    """It can't go on; the text says why and what to do, in one sentence or two."""


class Report:
    """Tells as it goes, and sums up at the end."""

    def __init__(self, steps: int, out: TextIO = sys.stdout) -> None:
        self._steps = steps
        self._step = 0
        self._out = out
        self.changes: list[str] = []
        self.notes: list[str] = []

    def step(self, what: str) -> None:
        """Begin with the next step."""
        self._step += 1
        self._say(f"[{self._step}/{self._steps}] {what}")

    def changed(self, what: str) -> None:
        """Something is otherwise than before."""
        self.changes.append(what)
        self._say(f"      + {what}")

    def right(self, what: str) -> None:
        """Something was as it should be."""
        self._say(f"      = {what}")

    def doing(self, what: str) -> None:
        """Something takes a while."""
        self._say(f"      . {what}")

    def note(self, what: str) -> None:
        """Something that has to be known at the end."""
        self.notes.append(what)
        self._say(f"      ! {what}")

    def summary(self, headline: str) -> None:
        """Say what came of it."""
        self._say("")
        self._say(headline)
        self._say(f"Changed: {len(self.changes)}." if self.changes else "Nothing had to be changed.")
        for note in self.notes:
            self._say(f"  ! {note}")

    def _say(self, line: str) -> None:
        print(line, file=self._out, flush=True)

"""The log of the page's server, a few lines a minute: whoever asks for nonsense does not write to the card by it."""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Callable
from typing import Final

LINES_A_MINUTE: Final = 3
_MINUTE: Final = 60.0
LOGGERS: Final = ("uvicorn", "uvicorn.error", "asyncio")


def say_on_stderr(line: str) -> None:
    """Write a line into the log of whoever has started the program."""
    print(line, file=sys.stderr, flush=True)


class BoundedLog(logging.Handler):
    """Says so many records a minute, each as one line, and then how many were left out."""

    def __init__(self, say: Callable[[str], None] = say_on_stderr, now: Callable[[], float] = time.monotonic) -> None:
        super().__init__(logging.WARNING)
        self._say = say
        self._now = now
        self._since = now()
        self._said = self._left_out = 0

    def emit(self, record: logging.LogRecord) -> None:
        """Say it, or count it."""
        now = self._now()
        if now - self._since >= _MINUTE:
            if self._left_out:
                self._say(f"The page: {self._left_out} more lines of this kind were left out.")
            self._since, self._said, self._left_out = now, 0, 0
        if self._said >= LINES_A_MINUTE:
            self._left_out += 1
            return
        self._said += 1
        why = "" if record.exc_info is None or record.exc_info[1] is None else f" ({record.exc_info[1]!r})"
        first, *_ = record.getMessage().splitlines() or [""]
        self._say(f"The page: {first}{why}")


def bound_log(handler: logging.Handler | None = None) -> None:
    """Have the page's server speak through one bounded log."""
    chosen = handler or BoundedLog()
    for name in LOGGERS:
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [chosen], False

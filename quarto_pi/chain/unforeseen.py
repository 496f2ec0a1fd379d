"""Errors that nobody foresaw: told once each, remembered for a while, and what failed is tried again less often."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Final

UNFORESEEN: Final = "an error that nobody foresaw"
OVER_AFTER_SECONDS: Final = 600.0
"""An error that has not come again for so long is over: longer than anything waits before it is tried again."""
MOST_ERRORS_TOLD: Final = 50
LONGEST_ERROR: Final = 200
FIRST_PAUSE_SECONDS: Final = 1.0
LONGEST_BACK_OFF_SECONDS: Final = 300.0


def place_of_error(error: BaseException) -> str:
    """What an error is and where it came from, with nothing of what was dealt with there.

    >>> try:
    ...     {}["a"]
    ... except KeyError as error:
    ...     place_of_error(error).startswith("KeyError in ")
    True
    """
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if "quarto_pi" in frame.filename]
    if not frames:
        return type(error).__name__
    frame = (ours or frames)[-1]
    return f"{type(error).__name__} in {Path(frame.filename).name}, line {frame.lineno}"


class UnforeseenErrors:
    """What nobody foresaw in one thread, and what is said of it; `now` is a clock that does not jump, in seconds."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._last: dict[str, tuple[float, str]] = {}

    def note(self, doing: str, error: Exception, now: float) -> None:
        """Something has failed that nobody foresaw: say so, unless the same was said and is not over yet."""
        place = place_of_error(error)
        key = f"{doing}: {place}"
        last = self._last.pop(key, None)
        while len(self._last) >= MOST_ERRORS_TOLD:
            del self._last[next(iter(self._last))]
        self._last[key] = now, place
        if last is None or now >= last[0] + OVER_AFTER_SECONDS:
            said = " ".join(f"{error}".split())[:LONGEST_ERROR]
            self._say(f"An error that nobody foresaw, {doing}: {place} ({said}). It is tried again; please report it.")

    def newest(self, now: float) -> str:
        """What the newest error is and where it came from, in few words; empty once all of them are over."""
        if not self._last:
            return ""
        at, place = self._last[next(reversed(self._last))]
        return place if now < at + OVER_AFTER_SECONDS else ""


class Pauses:
    """How long to leave alone what has failed: twice as long each time, until it has worked."""

    def __init__(self) -> None:
        self._failures = 0
        self._until = 0.0

    def failed(self, now: float) -> None:
        """It has failed again."""
        self._until = now + min(LONGEST_BACK_OFF_SECONDS, FIRST_PAUSE_SECONDS * 2.0 ** min(self._failures, 12))
        self._failures += 1

    def worked(self) -> None:
        """It has worked."""
        self._failures, self._until = 0, 0.0

    @property
    def until(self) -> float:
        """Until when it is left alone."""
        return self._until

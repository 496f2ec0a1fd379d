"""Waiting for what other processes do."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

GUARD_SECONDS: Final = 180.0
"""Whoever has not done it by then hangs."""
LOOK_EVERY_SECONDS: Final = 0.02


class Hangs(AssertionError):
    """What was waited for did not happen."""


def wait_until(
    what: str, happened: Callable[[], bool], seconds: float = GUARD_SECONDS, words: Callable[[], str] = str
) -> float:
    """Wait until something has happened; how long it took."""
    begin = time.monotonic()
    while not happened():
        if time.monotonic() - begin > seconds:
            raise Hangs(f"{what}: not within {seconds:.0f} s. {words()}")
        time.sleep(LOOK_EVERY_SECONDS)
    return time.monotonic() - begin


def wait_a_little(seconds: float) -> None:
    """Let other processes go on for so long before the next thing happens to them."""
    time.sleep(seconds)

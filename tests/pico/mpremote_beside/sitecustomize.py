"""The time of an mpremote that a test has started: Python runs this before it, for the folder is on its path.

It looks ten times as often for what the Pico says, which a test waits for thousands of times. Where nothing is going
to be said, MPREMOTE_SECONDS_PER_SECOND has it give up the sooner.
"""

import os
import time

_sleep, _monotonic = time.sleep, time.monotonic
_faster = float(os.environ.get("MPREMOTE_SECONDS_PER_SECOND", "1"))


def _sleep_less(seconds: float) -> None:
    _sleep(seconds / 10)


def _run_faster() -> float:
    return _monotonic() * _faster


time.sleep = _sleep_less  # type: ignore[assignment] # mpremote sleeps for seconds
time.monotonic = _run_faster

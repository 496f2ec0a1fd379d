"""Told to end at any moment: the hub hears it, whatever its thread is just doing."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

from quarto_pi.hub.running import until_signalled

GUARD_SECONDS = 120

# At the so many'th line that is run while it waits, the signal comes.
SIGNALLED_WHILE_IT_WAITS = """
import signal, sys
from quarto_pi.hub.running import until_signalled

lines = 0

def trace(frame, event, _):
    global lines
    if event == "line":
        lines += 1
        if lines == at:
            signal.raise_signal(signal.{0})
    return trace

for at in range(1, 60):
    with until_signalled() as ended:
        lines = 0
        sys.settrace(trace)
        heard = ended.wait(0.0)
        sys.settrace(None)
        if lines < at:
            break
        assert heard or ended.wait(0.0), at
else:
    raise SystemExit("it waits in more lines than are tried")
print(at)
"""


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_a_hub_hears_that_it_is_to_end_at_any_moment(name: str) -> None:
    done = subprocess.run(  # noqa: S603 - this Python
        [sys.executable, "-c", SIGNALLED_WHILE_IT_WAITS.format(name)],
        capture_output=True,
        text=True,
        timeout=GUARD_SECONDS,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert int(done.stdout) > 1


def test_signals_do_again_what_they_did_before() -> None:
    before = signal.getsignal(signal.SIGTERM)
    with until_signalled() as ended:
        assert not ended.wait(0.0)
        for _ in range(100_000):
            ended.set()
        assert ended.wait(0.0)
        assert signal.getsignal(signal.SIGTERM) is not before
    assert signal.getsignal(signal.SIGTERM) is before

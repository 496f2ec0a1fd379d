"""The controller's process killed in the middle of it, as the kernel does when memory runs out."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.power.cut import Promises, check
from tests.power.tap import Kind, read_log

pytestmark = pytest.mark.slow

MOST_AT_ONCE = 65_536


@pytest.mark.parametrize("kept", [1, 30, *(pytest.param(kept, marks=pytest.mark.campaign) for kept in (2, 90))])
def test_killed_process_has_lost_nothing_that_it_acknowledged(kept: int, tmp_path: Path) -> None:
    folder, log = tmp_path / "kept", tmp_path / "log"
    folder.mkdir()
    # Without the tap below it only the evening itself says what it does: into a pipe, whose end is that of the process.
    listening, speaking = os.pipe()
    evening = subprocess.Popen(  # noqa: S603 - a module of ours
        [sys.executable, "-m", "tests.power.evenings", f"{folder}", "7", "400"],
        env={**os.environ, "TAP_LOG": f"/dev/fd/{speaking}"},
        pass_fds=[speaking],
    )
    os.close(speaking)
    said = b""
    while said.count(b"kept {") < kept and (more := os.read(listening, MOST_AT_ONCE)):
        said += more
    evening.kill()
    while more := os.read(listening, MOST_AT_ONCE):
        said += more
    os.close(listening)
    assert evening.wait() < 0, "the evening ended before it could be killed"
    log.write_bytes(said)
    promises = Promises()
    for act in read_log(log):
        assert act.kind is Kind.MARK
        promises.hear(act.data.decode())
    check(folder, promises)

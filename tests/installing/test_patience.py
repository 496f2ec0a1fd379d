"""The growing patience between two starts: the script itself, with a sleep that only tells."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

PATIENCE = Path(__file__).parent.parent.parent / "systemd/patience"


@pytest.fixture
def starts(tmp_path: Path) -> Path:
    """The file in which starts are noted; beside it a sleep that takes no time."""
    sleep = tmp_path / "bin/sleep"
    sleep.parent.mkdir()
    sleep.write_text("#!/bin/sh\n", encoding="utf-8")
    sleep.chmod(0o755)
    return tmp_path / "starts"


def wait(starts: Path) -> int:
    """How many seconds one start waits."""
    environ = {"RUNTIME_DIRECTORY": str(starts.parent), "PATH": f"{starts.parent / 'bin'}:/usr/bin:/bin"}
    done = subprocess.run([PATIENCE], env=environ, capture_output=True, text=True, check=True)  # noqa: S603 - ours
    found = re.search(r"waiting for (\d+) s", done.stdout)
    return int(found[1]) if found else 0


def test_each_start_waits_longer_than_the_one_before_up_to_a_minute(starts: Path) -> None:
    assert [wait(starts) for _ in range(10)] == [0, 0, 2, 4, 8, 16, 32, 60, 60, 60]


def test_starts_of_more_than_ten_minutes_ago_are_forgotten(starts: Path) -> None:
    uptime = int(float(Path("/proc/uptime").read_text(encoding="ascii").split()[0]))
    starts.write_text("".join(f"{uptime - 601}\n" for _ in range(9)) + f"{uptime - 5}\n", encoding="utf-8")
    assert wait(starts) == 0
    assert wait(starts) == 2


def test_folder_that_can_not_be_written_to_does_not_keep_the_board_from_starting(starts: Path) -> None:
    starts.symlink_to("no such folder/starts")
    assert wait(starts) == 0

"""The hub's disk is full, and then there is room again."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.chain_faults.full_disk import is_possible
from tests.chain_faults.mosquitto import PROGRAM

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(PROGRAM is None, reason="there is no Mosquitto here"),
    pytest.mark.skipif(not is_possible(), reason="this user may have no file system of his own here: unshare -Urm"),
]


def test_nothing_is_lost_while_the_hubs_disk_is_full_and_it_says_so_once(tmp_path: Path) -> None:
    command = ["unshare", "-Urm", sys.executable, "-m", "tests.chain_faults.full_disk", f"{tmp_path}"]
    lived = subprocess.run(command, check=False, capture_output=True, text=True)  # noqa: S603
    assert lived.stdout.splitlines()[-1:] == ['@{"faults": [], "said_once": true}'], lived.stderr[-3000:]


def test_an_order_on_a_full_disk_is_one_sentence(tmp_path: Path) -> None:
    script = (
        f"mkdir {tmp_path}/hub && mount -t tmpfs -o size=64k,mode=700 tmpfs {tmp_path}/hub && "
        f"cat /dev/zero > {tmp_path}/hub/filler; "
        f"{sys.executable} -m quarto_pi hub add --folder {tmp_path}/hub north-1"
    )
    done = subprocess.run(["unshare", "-Urm", "sh", "-c", script], check=False, capture_output=True, text=True)  # noqa: S603, S607
    said = [line for line in done.stderr.splitlines() if "cat:" not in line]
    assert done.returncode == 1
    assert len(said) == 1, said
    assert "No space left on device" in said[0]

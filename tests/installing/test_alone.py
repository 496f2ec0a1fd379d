"""Two installers at once."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from installing.alone import alone
from installing.places import Places
from installing.telling import InstallError


def test_second_installer_is_told_who_is_at_work_and_a_later_one_is_not(tmp_path: Path) -> None:
    places = Places(tmp_path)
    said = rf"Another installer is at work on this machine \(pid {os.getpid()}\)"
    with alone(places), pytest.raises(InstallError, match=said), alone(places):
        pytest.fail("both are at work")
    with alone(places):
        pass


def test_installer_that_failed_keeps_nobody_out(tmp_path: Path) -> None:
    places = Places(tmp_path)
    with pytest.raises(KeyboardInterrupt), alone(places):
        raise KeyboardInterrupt
    with alone(places):
        pass

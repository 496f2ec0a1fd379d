"""The parts of the system that are not the program itself."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest
from installing.places import Places
from installing.removal import uninstall
from installing.system import System
from installing.telling import Report


@pytest.fixture
def places(tmp_path: Path) -> Places:
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc/group").write_text(f"root:x:0:\nquarto-pi:x:{os.getegid()}:\n", encoding="utf-8")
    return Places(tmp_path)


@pytest.fixture
def report() -> Report:
    return Report(2, io.StringIO())


def test_first_configuration_is_for_root_and_the_board_and_never_written_again(places: Places, report: Report) -> None:
    system = System(places, report, is_running=False)
    system.configure("[game]\n")
    assert places.config.stat().st_mode & 0o777 == 0o640
    system.configure("[page]\n")
    assert places.config.read_text(encoding="utf-8") == "[game]\n"
    assert [file.name for file in places.config.parent.iterdir()] == [places.config.name]


def test_first_configuration_that_cannot_be_finished_is_none(
    places: Places, report: Report, monkeypatch: pytest.MonkeyPatch
) -> None:
    def pull_the_plug(_: int) -> None:
        raise OSError

    monkeypatch.setattr("os.fsync", pull_the_plug)
    with pytest.raises(OSError):  # noqa: PT011 - it is ours
        System(places, report, is_running=False).configure("[game]\n")
    assert not places.config.exists()


def test_what_people_changed_of_the_unit_outlives_uninstalling(places: Places, report: Report) -> None:
    places.drop_ins.mkdir(parents=True)
    for name in ("simulated.conf", "voice.conf", "override.conf"):
        (places.drop_ins / name).write_text("[Service]\n", encoding="utf-8")
    uninstall(places, report, purge=False, is_running=False)
    assert [file.name for file in places.drop_ins.iterdir()] == ["override.conf"]
    assert any("override.conf" in note for note in report.notes)
    uninstall(places, report, purge=True, is_running=False)
    assert not places.drop_ins.exists()

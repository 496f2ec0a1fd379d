"""The parts of the system that are not the program itself."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest
from installing.environment import Version
from installing.machine import Board
from installing.places import Places
from installing.removal import uninstall
from installing.system import Equipment, System
from installing.telling import Report

PROJECT = Path(__file__).parent.parent.parent


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


def test_what_an_interrupted_run_has_left_lends_the_configuration_nothing(places: Places, report: Report) -> None:
    places.config.parent.mkdir(parents=True)
    left = places.config.with_name(f"{places.config.name}.new")
    left.write_text("[ga", encoding="utf-8")
    left.chmod(0o666)
    System(places, report, is_running=False).configure("[game]\n")
    assert places.config.read_text(encoding="utf-8") == "[game]\n"
    assert places.config.stat().st_mode & 0o777 == 0o640


def test_board_that_is_simulated_no_more_loses_what_made_it_so(places: Places, report: Report, tmp_path: Path) -> None:
    version = Version(tmp_path / "opt/quarto-pi/versions/0.1.0-a")
    version.folder.mkdir(parents=True)
    version.sources.symlink_to(PROJECT)
    system = System(places, report, is_running=False)
    assert system.fit(version, Equipment(Board.SIMULATED, voice=True))
    assert sorted(file.name for file in places.drop_ins.iterdir()) == ["simulated.conf", "voice.conf"]
    assert not system.fit(version, Equipment(Board.SIMULATED, voice=True))
    assert system.fit(version, Equipment(Board.PI5, voice=True))
    assert [file.name for file in places.drop_ins.iterdir()] == ["voice.conf"]


def test_first_configuration_that_cannot_be_finished_is_none(
    places: Places, report: Report, monkeypatch: pytest.MonkeyPatch
) -> None:
    def pull_the_plug(_: int) -> None:
        raise OSError

    monkeypatch.setattr("os.fsync", pull_the_plug)
    with pytest.raises(OSError):  # noqa: PT011 - it is ours
        System(places, report, is_running=False).configure("[game]\n")
    assert not places.config.exists()


def test_nothing_is_said_to_stay_where_there_is_nothing(places: Places, report: Report) -> None:
    uninstall(places, report, purge=False, is_running=False)
    assert [note for note in report.notes if "--purge" in note] == []
    places.state.mkdir(parents=True)
    uninstall(places, report, purge=False, is_running=False)
    (note,) = (note for note in report.notes if "--purge" in note)
    assert note.startswith(str(places.state))


def test_what_people_changed_of_the_unit_outlives_uninstalling(places: Places, report: Report) -> None:
    places.drop_ins.mkdir(parents=True)
    for name in ("simulated.conf", "voice.conf", "override.conf"):
        (places.drop_ins / name).write_text("[Service]\n", encoding="utf-8")
    uninstall(places, report, purge=False, is_running=False)
    assert [file.name for file in places.drop_ins.iterdir()] == ["override.conf"]
    assert any("override.conf" in note for note in report.notes)
    uninstall(places, report, purge=True, is_running=False)
    assert not places.drop_ins.exists()

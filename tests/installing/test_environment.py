"""When a virtual environment has to be made anew."""

from __future__ import annotations

import sys
import venv
from pathlib import Path

import pytest
from installing.environment import BUILT, Builder, Version
from installing.machine import Board
from installing.mend import mend
from installing.places import Places
from installing.telling import InstallError
from installing.versions import Versions

HERE = Builder(Path(sys.executable))
NUMBER = "{}.{}".format(*sys.version_info[:2])


@pytest.fixture
def version(tmp_path: Path) -> Version:
    """A version with all that is asked for in its environment."""
    version = Version(tmp_path / "opt/quarto-pi/versions/1.0-a")
    venv.create(version.venv, with_pip=False)
    packages = version.venv / f"lib/python{NUMBER}/site-packages"
    for module in ("quarto_pi/__init__", "quarto_pi/cli", "PIL/__init__", "PIL/_imaging", "starlette", "uvicorn"):
        (packages / module).parent.mkdir(exist_ok=True)
        (packages / f"{module}.py").touch()
    (version.venv / BUILT).write_text(f"{NUMBER}\n", encoding="utf-8")
    version.remember(Board.SIMULATED)
    return version


def test_environment_of_the_present_python_works(version: Version) -> None:
    assert HERE.works(version)


def test_environment_of_another_python_does_not(version: Version) -> None:
    (version.venv / BUILT).write_text("3.9\n", encoding="utf-8")
    assert not HERE.works(version)


def test_environment_whose_python_is_gone_does_not(version: Version) -> None:
    version.python.unlink()
    version.python.symlink_to("/usr/bin/python3.9-gone")
    assert not HERE.works(version)


def test_environment_that_was_never_finished_does_not(version: Version) -> None:
    (version.venv / BUILT).unlink()
    assert not HERE.works(version)


def test_environment_that_lacks_a_package_does_not(version: Version) -> None:
    (version.venv / f"lib/python{NUMBER}/site-packages/PIL/_imaging.py").unlink()
    assert not HERE.works(version)


def test_mending_leaves_alone_what_works(version: Version, tmp_path: Path) -> None:
    versions = Versions(Places(tmp_path).opt)
    versions.switch_to(version)
    before = (version.venv / BUILT).stat().st_mtime_ns
    assert not mend(Places(tmp_path), HERE)
    assert (version.venv / BUILT).stat().st_mtime_ns == before


def test_environment_that_was_tried_is_not_tried_again_until_the_board_dies(
    version: Version, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    places = Places(tmp_path)
    Versions(places.opt).switch_to(version)
    assert not mend(places, HERE)
    (version.venv / BUILT).unlink()
    # What it was made by is not even looked at.
    assert not mend(places, HERE)
    places.restarts.parent.mkdir()
    places.restarts.touch()
    # That it is made anew is seen by the first thing that is done for it.
    (tmp_path / "venv.py").write_text("raise SystemExit(1)\n", encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with pytest.raises(InstallError, match="Making the virtual environment failed"):
        mend(places, HERE)


def test_environment_whose_python_has_gone_since_its_trial_is_mended(version: Version, tmp_path: Path) -> None:
    Versions(Places(tmp_path).opt).switch_to(version)
    assert not mend(Places(tmp_path), HERE)
    assert HERE.is_tried(version)
    version.python.unlink()
    version.python.symlink_to("/usr/bin/python3.9-gone")
    assert not HERE.is_tried(version)


def test_environment_is_tried_again_with_another_python(version: Version, tmp_path: Path) -> None:
    places = Places(tmp_path)
    Versions(places.opt).switch_to(version)
    assert not mend(places, HERE)
    other = tmp_path / "python3"
    other.write_bytes(b"#!/bin/sh\nexit 1\n")
    other.chmod(0o755)
    with pytest.raises(InstallError):
        mend(places, Builder(other))


def test_mending_without_a_version_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(InstallError, match="run the installer"):
        mend(Places(tmp_path), HERE)


def test_board_that_a_version_was_made_for_is_remembered(version: Version) -> None:
    assert version.board is Board.SIMULATED

"""The unit files, as systemd itself judges them."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

PROJECT = Path(__file__).parent.parent.parent
FILES = PROJECT / "systemd"
UNITS = sorted(file.name for file in FILES.glob("*.service"))
MOST_EXPOSURE = 20
"""In tenths, as systemd-analyze counts."""

pytestmark = pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd here")


def analyze(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603 - systemd's own judge
        ["systemd-analyze", *map(str, arguments)],  # noqa: S607
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A machine's files as the installer leaves them, as far as units name them."""
    units = tmp_path / "etc/systemd/system"
    shutil.copytree("/usr/lib/systemd/system", tmp_path / "usr/lib/systemd/system", symlinks=True)
    units.mkdir(parents=True)
    for name in UNITS:
        shutil.copy(FILES / name, units)
    shutil.copytree(FILES, tmp_path / "opt/quarto-pi/current/source/systemd")
    for venv in ("opt/quarto-pi/current/venv", "opt/quarto-pi-hub/venv"):
        python = tmp_path / venv / "bin/python"
        python.parent.mkdir(parents=True)
        python.write_text("#!/bin/sh\n", encoding="utf-8")
        python.chmod(0o755)
    return tmp_path


@pytest.mark.parametrize("unit", UNITS)
def test_systemd_has_not_a_word_to_say_about_a_unit(unit: str, root: Path) -> None:
    judged = analyze("verify", "--man=no", f"--root={root}", unit)
    assert (judged.returncode, judged.stdout, judged.stderr) == (0, "", "")


@pytest.mark.parametrize("drop_in", ["simulated.conf", "voice.conf"])
def test_systemd_has_not_a_word_to_say_about_what_changes_the_unit(drop_in: str, root: Path) -> None:
    folder = root / "etc/systemd/system/quarto-pi.service.d"
    folder.mkdir()
    shutil.copy(FILES / drop_in, folder)
    judged = analyze("verify", "--man=no", f"--root={root}", "quarto-pi.service")
    assert (judged.returncode, judged.stdout, judged.stderr) == (0, "", "")


def test_wrong_key_would_be_noticed(root: Path) -> None:
    unit = root / "etc/systemd/system/quarto-pi.service"
    unit.write_text(unit.read_text(encoding="utf-8").replace("WatchdogSec=", "WatchdogSecs="), encoding="utf-8")
    assert "WatchdogSecs" in analyze("verify", "--man=no", f"--root={root}", "quarto-pi.service").stderr


def test_whatever_kind_of_device_the_board_may_open_is_known_before_it_starts() -> None:
    # The module that registers the kind in /proc/devices; "gpiochip" is in the kernel itself.
    modules = {"spi": "spidev", "i2c": "i2c-dev", "ttyACM": "cdc-acm", "alsa": "snd", "gpiochip": ""}
    told = "".join((FILES / name).read_text(encoding="utf-8") for name in ("quarto-pi.service", "voice.conf"))
    kinds = set(re.findall(r"^DeviceAllow=char-(\w+) ", told, re.MULTILINE))
    assert kinds == set(modules)
    loaded = (FILES / "quarto-pi.modules").read_text(encoding="utf-8").split("\n")
    assert {modules[kind] for kind in kinds} - {""} <= set(loaded)


@pytest.mark.parametrize("unit", UNITS)
def test_unit_exposes_little(unit: str) -> None:
    judged = analyze("security", "--offline=true", f"--threshold={MOST_EXPOSURE}", FILES / unit)
    assert judged.returncode == 0, judged.stdout
    assert judged.stderr == ""


@pytest.mark.parametrize("file", sorted(FILES.glob("*.sysusers")), ids=lambda file: file.name)
def test_users_are_made_with_groups_that_are_missing(file: Path, tmp_path: Path) -> None:
    (tmp_path / "etc").mkdir()
    done = subprocess.run(  # noqa: S603 - systemd's own program
        ["systemd-sysusers", f"--root={tmp_path}", file],  # noqa: S607
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    user = file.stem
    assert f"{user}:" in (tmp_path / "etc/passwd").read_text(encoding="utf-8")
    wanted = {line.split()[2] for line in file.read_text(encoding="utf-8").splitlines() if line.startswith("m ")}
    groups = [line.split(":") for line in (tmp_path / "etc/group").read_text(encoding="utf-8").splitlines()]
    assert {name for name, _, _, members in groups if user in members.split(",")} == wanted


def test_scripts_please_shellcheck() -> None:
    if shutil.which("shellcheck") is None:
        pytest.skip("there is no shellcheck here")
    scripts = [
        file
        for file in FILES.iterdir()
        if file.is_file() and file.read_bytes().startswith((b"#!/bin/sh", b"#!/usr/bin/env bash"))
    ]
    done = subprocess.run(  # noqa: S603 - the project's own scripts
        ["shellcheck", *scripts, PROJECT / ".ci/system-packages"],  # noqa: S607
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "")
    assert len(scripts) >= 4

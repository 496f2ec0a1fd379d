"""From one version to another and back, by the word of a systemd that knows which versions are good."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest
from installing.machine import Board
from installing.places import Places
from installing.system import Equipment, System
from installing.telling import InstallError, Report
from installing.upgrade import Upgrade
from installing.versions import Versions

PROJECT = Path(__file__).parent.parent.parent
SYSTEMCTL = """#!/bin/sh
[ "$1" = show ] || exit 0
case $(readlink {opt}/current) in
    *-good*) echo ActiveState=active; echo MainPID=7; echo 'StatusText=choose; 17 of 17 readers answer' ;;
    *) echo ActiveState=failed; echo MainPID=0; echo StatusText= ;;
esac
echo NRestarts=0
"""


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Places:
    (tmp_path / "etc").mkdir()
    places = Places(tmp_path)
    programs = tmp_path / "bin"
    programs.mkdir()
    for name, text in (
        ("systemctl", SYSTEMCTL.format(opt=places.opt)),
        ("journalctl", "#!/bin/sh\necho its last words\n"),
    ):
        (programs / name).write_text(text, encoding="utf-8")
        (programs / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    return places


def to(places: Places, *names: str) -> Versions:
    """Switch to these versions, one after the other."""
    versions, report = Versions(places.opt), Report(1, io.StringIO())
    for name in names:
        version = versions.named(name)
        if not version.folder.exists():
            version.folder.mkdir(parents=True)
            version.sources.symlink_to(PROJECT)
        system = System(places, report, is_running=False)
        Upgrade(versions, system, Equipment(Board.SIMULATED), 0.0, report).to(version)
    return versions


def test_version_that_becomes_healthy_stays_and_the_one_before_is_known(places: Places) -> None:
    versions = to(places, "1-good", "2-good")
    assert (versions.current, versions.previous) == (versions.named("2-good"), versions.named("1-good"))


def test_version_that_does_not_is_put_back_and_is_nothing_to_go_back_to(places: Places) -> None:
    with pytest.raises(InstallError, match=r"its last words(.|\n)*1-good was put back, which runs as before"):
        to(places, "1-good", "2-bad")
    versions = Versions(places.opt)
    assert (versions.current, versions.previous) == (versions.named("1-good"), None)


def test_first_version_has_nothing_to_go_back_to(places: Places) -> None:
    with pytest.raises(InstallError, match="The board goes on trying"):
        to(places, "1-bad")
    assert Versions(places.opt).current == Versions(places.opt).named("1-bad")


def test_version_that_was_there_already_is_not_put_back_to_itself(places: Places) -> None:
    versions = Versions(places.opt)
    versions.named("1-bad").folder.mkdir(parents=True)
    versions.named("1-bad").sources.symlink_to(PROJECT)
    versions.switch_to(versions.named("1-bad"))
    with pytest.raises(InstallError, match="The board goes on trying"):
        to(places, "1-bad")

"""A version that dies after it was healthy: the script that counts, and the way back."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from installing.environment import BUILT, Builder, Version
from installing.fall_back import fall_back, is_failing, main
from installing.machine import Board
from installing.places import Places
from installing.versions import LEFT, Versions

SCRIPT = Path(__file__).parent.parent.parent / "systemd/fall-back"
NUMBER = "{}.{}".format(*sys.version_info[:2])
NOW = 500_000


class AnyPython(Builder):
    """Takes every environment that was finished for one that works: what it needs is tried elsewhere."""

    def works(self, version: Version) -> bool:
        """Whether it was finished."""
        return (version.venv / BUILT).exists()


@pytest.fixture
def places(tmp_path: Path) -> Places:
    """A machine with two versions, of which the second counts."""
    places = Places(tmp_path)
    versions = Versions(places.opt)
    for name in ("1-good", "2-dies"):
        version = versions.named(name)
        version.venv.mkdir(parents=True)
        (version.venv / BUILT).write_text(f"{NUMBER}\n", encoding="utf-8")
        version.remember(Board.SIMULATED)
        versions.switch_to(version)
    return places


def deaths(every: int, count: int) -> list[int]:
    return [NOW - every * number for number in range(count)]


@pytest.mark.parametrize(
    ("every", "count", "is_one_too_many"),
    [(105, 6, True), (105, 5, False), (45, 5, False), (7_000, 12, True), (7_000, 11, False), (8_000, 100, False)],
)
def test_how_often_a_board_may_die(every: int, count: int, is_one_too_many: bool) -> None:
    assert is_failing(deaths(every, count), NOW) is is_one_too_many


def test_version_that_keeps_dying_is_left_and_is_nothing_to_go_back_to(places: Places) -> None:
    versions = Versions(places.opt)
    assert fall_back(places, AnyPython(), deaths(105, 6), NOW) == versions.named("1-good")
    assert (versions.current, versions.previous) == (versions.named("1-good"), None)
    assert (places.opt / LEFT).read_text(encoding="utf-8") == "2-dies\n"
    # Where it dies as well there is nowhere else to go.
    assert fall_back(places, AnyPython(), deaths(10, 20), NOW) is None
    assert versions.current == versions.named("1-good")


def test_version_before_that_cannot_run_is_no_way_back(places: Places) -> None:
    versions = Versions(places.opt)
    (versions.named("1-good").venv / BUILT).unlink()
    assert fall_back(places, AnyPython(), deaths(105, 6), NOW) is None
    assert versions.current == versions.named("2-dies")


def test_installing_again_forgets_that_a_version_was_left(places: Places) -> None:
    fall_back(places, AnyPython(), deaths(105, 6), NOW)
    Versions(places.opt).switch_to(Versions(places.opt).named("2-dies"))
    assert not (places.opt / LEFT).exists()


def test_nonsense_in_the_file_of_deaths_keeps_no_board_from_starting(tmp_path: Path) -> None:
    counted = tmp_path / "restarts"
    for content in (b"", b"x\n-3\n9e9\n", b"\xff" * 50):
        counted.write_bytes(content)
        assert main(counted) == 0
    assert main(tmp_path / "none") == 0


class Machine:
    """Where the script runs: a systemctl that tells how often it has restarted the board, a Python that only tells."""

    def __init__(self, folder: Path) -> None:
        self.counted = folder / "restarts"
        self._bin = folder / "bin"
        self._bin.mkdir()
        self._program("python", 'echo "asked: $(wc -l < "$4")"')

    def start(self, restarts: int) -> str:
        """What a start says that has been preceded by so many restarts."""
        self._program("systemctl", f"echo {restarts}")
        environ = {
            "PATH": f"{self._bin}:/usr/bin:/bin",
            "RESTARTS": str(self.counted),
            "PYTHON": str(self._bin / "python"),
        }
        return subprocess.run([SCRIPT], env=environ, capture_output=True, text=True, check=True).stdout  # noqa: S603

    def _program(self, name: str, line: str) -> None:
        (self._bin / name).write_text(f"#!/bin/sh\n{line}\n", encoding="utf-8")
        (self._bin / name).chmod(0o755)


def test_starts_of_systemd_alone_are_counted_and_the_sixth_is_looked_into(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    assert [machine.start(number) for number in range(6)] == [""] * 6
    assert machine.start(6) == "asked: 6\n"
    for number in range(7, 40):
        machine.start(number)
    assert len(machine.counted.read_text(encoding="ascii").splitlines()) == 21


def test_start_by_somebody_forgets_what_was_counted(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    for number in range(1, 6):
        machine.start(number)
    machine.start(0)
    assert not machine.counted.exists()
    assert machine.start(1) == ""

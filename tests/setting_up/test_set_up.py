"""`.ci/set-up` goes on where it stopped, whatever stopped it, and does again what was done without a compiler."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent.parent
SOURCES = ("pyproject.toml", "setup.py", ".ci/set-up", "quarto_pi/engine/kernel.py", "quarto_pi/engine/kernel.pxd")
COMPILER = "gcc libc6-dev python3-dev"

PYTHON = f"""#!/bin/bash
case "$*" in
"-m venv .venv")
    echo venv >>calls
    mkdir -p .venv/bin && cp "$0" .venv/bin/python
    ;;
"-m pip --version") ;;
*"-m pip "*)
    while [ "$1" != --log ]; do shift; done
    [ ! -e offline ] || {{ echo "  WARNING: Retrying (Retry(total=0)) after connection broken" >"$2"; exit 1; }}
    [ ! -e full ] || {{ tee "$2" <<<"ERROR: Could not install packages: No space left on device" >&2; exit 1; }}
    [ ! -e hanging ] || {{ cat hanging >"$2"; echo $$ >pid; echo hangs; exec sleep 10000; }}
    shift 2
    echo "pip $*" >>calls
    ;;
"-m tests.pico.micropython") echo micropython >>calls ;;
*) exec {sys.executable} "$@" ;;
esac
"""
"""Python, with pip and venv that only note that they were called, and fail as they are told."""

PACKAGES = """#!/bin/bash
[ "$1" = missing ] || { echo "packages $1" >>calls; exit 0; }
cat lacking
"""
"""`.ci/system-packages`, on a system that lacks what a file says."""


class Project:
    """The sources that decide about the set-up, in a folder of their own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in (*SOURCES, "tests/pico/micropython.py"):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
        self._write("python", PYTHON, 0o755)
        self._write(".ci/system-packages", PACKAGES, 0o755)
        self._write("calls", "")
        self.lacks("")

    def lacks(self, packages: str) -> None:
        """The system lacks these packages."""
        self._write("lacking", packages)

    def fails(self, how: str, says: str = "") -> None:
        """From now on pip does."""
        self._write(how, says)

    def works(self) -> None:
        """Nothing fails any more."""
        for how in ("offline", "full", "hanging"):
            (self.folder / how).unlink(missing_ok=True)

    def set_up(self, purpose: str) -> subprocess.CompletedProcess[str]:
        """Set up for it, to the end."""
        return subprocess.run(  # noqa: S603 # our own script
            [self.folder / ".ci/set-up", purpose], env=self._environment, capture_output=True, text=True, check=False
        )

    def interrupted(self, purpose: str) -> tuple[int, str]:
        """Press Ctrl-C while pip hangs: how it ends, and what it complains of."""
        command = [str(self.folder / ".ci/set-up"), purpose]
        process = subprocess.Popen(  # noqa: S603 # our own script
            command,
            env=self._environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        assert process.stdout is not None
        assert "hangs\n" in iter(process.stdout.readline, "")
        os.killpg(process.pid, signal.SIGINT)
        _, complaint = process.communicate()
        return process.returncode, complaint

    def calls(self) -> list[str]:
        """What was called since the last time, by its first word."""
        done = [line.split()[0] for line in (self.folder / "calls").read_text().splitlines()]
        self._write("calls", "")
        return done

    @property
    def _environment(self) -> dict[str, str]:
        return {**os.environ, "PYTHON": str(self.folder / "python")}

    def _write(self, name: str, text: str, mode: int = 0o644) -> None:
        (self.folder / name).write_text(text)
        (self.folder / name).chmod(mode)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


def test_each_stage_is_set_up_once_and_what_is_ready_costs_nothing(project: Project) -> None:
    assert project.set_up("play").returncode == 0
    assert project.calls() == ["packages", "venv", "pip", "pip"]
    assert project.set_up("check").returncode == 0
    assert project.calls() == ["packages", "pip", "micropython"]
    assert project.set_up("test").returncode == 0
    assert project.calls() == ["packages", "pip"]
    for purpose in ("play", "check", "test"):
        done = project.set_up(purpose)
        assert (done.returncode, done.stdout, done.stderr, project.calls()) == (0, "", "", [])


def test_size_and_time_are_said_before_anything_is_done(project: Project) -> None:
    project.fails("offline")
    for purpose in ("play", "check", "test", "fuzz"):
        first = project.set_up(purpose).stdout.splitlines()[0]
        assert first.startswith(f"Setting up for 'make {purpose}'.")
        assert "MB to download" in first
        assert "of disk" in first


def test_check_does_without_what_only_draws_the_board_to_build(project: Project) -> None:
    said = project.set_up("check").stdout
    assert "checks and tests" in said
    assert "board to build" not in said


def test_without_a_network_one_sentence_is_said_and_again_goes_on(project: Project) -> None:
    project.fails("offline")
    done = project.set_up("play")
    assert done.returncode == 1
    assert (
        done.stderr
        == "No package index was reached: is there a network? When there is, call it again, and it goes on.\n"
    )
    assert project.calls() == ["packages", "venv"]
    project.works()
    assert project.set_up("play").returncode == 0
    assert project.calls() == ["packages", "pip", "pip"]


def test_another_failure_of_pip_is_passed_on(project: Project) -> None:
    project.fails("full")
    done = project.set_up("play")
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
    assert "No space left on device" in done.stderr


def test_interrupted_while_it_downloads_it_goes_on_in_the_same_environment(project: Project) -> None:
    project.set_up("play")
    project.calls()
    project.fails("hanging", "2026-01-01T00:00:00,000 Collecting pytest\n")
    assert project.interrupted("check") == (130, "\nInterrupted: call it again, and it goes on.\n")
    with pytest.raises(ProcessLookupError):
        os.kill(int((project.folder / "pid").read_text()), 0)
    project.works()
    assert project.set_up("check").returncode == 0
    assert project.calls() == ["packages", "packages", "pip", "micropython"]


def test_interrupted_while_it_installs_a_half_made_environment_does_not_count(project: Project) -> None:
    project.set_up("play")
    project.calls()
    project.fails("hanging", "2026-01-01T00:00:00,000 Installing collected packages: pytest\n")
    assert project.interrupted("check")[0] == 130
    project.works()
    assert "making .venv anew" in project.set_up("check").stdout
    assert project.calls() == ["packages", "packages", "venv", "pip", "pip", "pip", "micropython"]


def test_without_a_compiler_it_says_the_command_and_does_it_anew_once_there_is_one(project: Project) -> None:
    project.lacks(COMPILER)
    done = project.set_up("play")
    assert done.returncode == 0
    assert f"'sudo apt install {COMPILER}', then 'make play', compiles it." in done.stdout
    project.calls()
    project.set_up("play")
    assert project.calls() == []
    project.lacks("")
    done = project.set_up("play")
    assert project.calls() == ["packages", "pip", "pip"]
    assert "not compiled" not in done.stdout
    project.set_up("play")
    assert project.calls() == []


def test_a_changed_source_is_installed_again(project: Project) -> None:
    project.set_up("play")
    project.calls()
    mark = (project.folder / ".venv/ready-to-play").stat().st_mtime
    os.utime(project.folder / "pyproject.toml", (mark + 1, mark + 1))
    project.set_up("play")
    assert project.calls() == ["packages", "pip", "pip"]


def test_another_python_is_refused_in_one_sentence(project: Project) -> None:
    (project.folder / "python").write_text("#!/bin/bash\nexit 1\n")
    done = project.set_up("play")
    assert (done.returncode, done.stdout) == (1, "")
    assert "make PYTHON=python3.11 play" in done.stderr
    assert len(done.stderr.splitlines()) == 1

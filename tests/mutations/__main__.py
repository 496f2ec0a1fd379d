"""Plant each fault in a copy of the sources and see whether its tests fail: `make mutations`.

`python -m tests.mutations WORD` plants those only whose file has the word in its path.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from enum import Enum
from pathlib import Path
from queue import Queue
from tempfile import TemporaryDirectory

from tests.mutations.fault import ROOT, Fault
from tests.mutations.faults import FAULTS

COPIED = (
    "conftest.py",
    "pyproject.toml",
    "README.md",
    "SECURITY.md",
    "docs",
    "firmware",
    "hardware",
    "quarto_pi",
    "systemd",
    "tests",
)
MOST_CPU_SECONDS = 600
"""Tests of a fault that work for so long do not end any more, however fast the machine is."""
HANGS_AFTER_SECONDS = 3_600
"""Nor do those that take so long without working."""
TESTS_FAILED = 1
"""What pytest exits with where tests have failed, as opposed to tests that could not be collected."""


class Fate(Enum):
    """What the tests made of a fault."""

    KILLED = "killed"
    SURVIVED = "SURVIVED"
    HANGS = "killed, hangs"
    BREAKS = "BREAKS ALL"


def main() -> int:
    """Plant the faults, each alone in a copy; 1 if one survived, or if the tests fail without any."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutations", description=__doc__)
    parser.add_argument("word", nargs="?", default="")
    parser.add_argument("--jobs", type=int, default=1, help="so many copies at the same time")
    wanted = parser.parse_args()
    faults = [fault for fault in FAULTS if wanted.word in fault.path]
    tests = sorted({test for fault in faults for test in fault.test_files})
    copies: Queue[Path] = Queue()
    with TemporaryDirectory(prefix="mutations-") as folder, ThreadPoolExecutor(wanted.jobs) as pool:
        for number in range(wanted.jobs):
            copy = Path(folder) / f"{number}"
            _copy_sources(copy)
            copies.put(copy)

        def sound(test: str) -> bool:
            return _lent(copies, lambda copy: _outcome(copy, (test,))) is Fate.SURVIVED

        failing = [test for test, passes in zip(tests, pool.map(sound, tests), strict=True) if not passes]
        if failing:
            print(f"these tests fail without any fault: {' '.join(failing)}")
            return 1
        fates = list(pool.map(lambda fault: _lent(copies, lambda copy: _fate(copy, fault)), faults))
    wrong = [fault for fault, fate in zip(faults, fates, strict=True) if fate not in (Fate.KILLED, Fate.HANGS)]
    print(f"{len(faults) - len(wrong)} of {len(faults)} faults were found")
    return 1 if wrong else 0


def _lent(copies: Queue[Path], use: Callable[[Path], Fate]) -> Fate:
    """Use a copy of the sources that nobody else uses meanwhile."""
    copy = copies.get()
    try:
        return use(copy)
    finally:
        copies.put(copy)


def _copy_sources(copy: Path) -> None:
    copy.mkdir()
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy2(ROOT / name, copy / name)


def _fate(copy: Path, fault: Fault) -> Fate:
    file = copy / fault.path
    sound = file.read_text(encoding="utf-8")
    begin = time.monotonic()
    _write(file, fault.planted_in(sound))
    fate = _outcome(copy, fault.test_files)
    _write(file, sound)
    print(
        f"{fate.value} after {time.monotonic() - begin:.0f} s: {fault.path}: {fault.before!r} as {fault.after!r}",
        flush=True,
    )
    return fate


def _write(file: Path, text: str) -> None:
    """Write a file, and forget what Python has compiled from it: two versions may be equally old and equally long."""
    file.write_text(text, encoding="utf-8")
    for compiled in (file.parent / "__pycache__").glob(f"{file.stem}.*"):
        compiled.unlink()


def _limit_work() -> None:
    """Have the system end this process once it has worked for too long."""
    resource.setrlimit(resource.RLIMIT_CPU, (MOST_CPU_SECONDS, resource.RLIM_INFINITY))


def _outcome(copy: Path, tests: Sequence[str]) -> Fate:
    try:
        run = subprocess.run(  # noqa: S603 - our own tests
            [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests],
            cwd=copy,
            env={**os.environ, "PYTHONPATH": str(copy)},
            capture_output=True,
            preexec_fn=_limit_work,
            timeout=HANGS_AFTER_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Fate.HANGS
    if run.returncode == -signal.SIGXCPU:
        return Fate.HANGS
    if run.returncode == 0:
        return Fate.SURVIVED
    return Fate.KILLED if run.returncode == TESTS_FAILED else Fate.BREAKS


if __name__ == "__main__":
    sys.exit(main())

"""Plant each fault in a copy of the sources and see whether its tests fail: `make mutations`.

`python -m tests.mutations WORD` plants those only whose file has the word in its path.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from enum import Enum
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.mutations.fault import ROOT, Fault
from tests.mutations.faults import FAULTS

COPIED = ("conftest.py", "pyproject.toml", "README.md", "docs", "firmware", "hardware", "quarto_pi", "systemd", "tests")
HANGS_AFTER_SECONDS = 600
"""Tests of a fault that take so long do not end any more."""
TESTS_FAILED = 1
"""What pytest exits with where tests have failed, as opposed to tests that could not be collected."""


class Fate(Enum):
    """What the tests made of a fault."""

    KILLED = "killed"
    SURVIVED = "SURVIVED"
    HANGS = "killed, hangs"
    BREAKS = "BREAKS ALL"


def main() -> int:
    """Plant the faults one after the other; 1 if one survived, or if the tests fail without any."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutations", description=__doc__)
    parser.add_argument("word", nargs="?", default="")
    wanted = parser.parse_args()
    faults = [fault for fault in FAULTS if wanted.word in fault.path]
    with TemporaryDirectory(prefix="mutations-") as folder:
        copy = Path(folder)
        _copy_sources(copy)
        tests = sorted({test for fault in faults for test in fault.test_files})
        if _outcome(copy, tests, None) is not Fate.SURVIVED:
            print(f"these tests fail without any fault: {' '.join(tests)}")
            return 1
        fates = [_fate(copy, fault) for fault in faults]
    wrong = [fault for fault, fate in zip(faults, fates, strict=True) if fate not in (Fate.KILLED, Fate.HANGS)]
    print(f"{len(faults) - len(wrong)} of {len(faults)} faults were found")
    return 1 if wrong else 0


def _copy_sources(copy: Path) -> None:
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


def _outcome(copy: Path, tests: Sequence[str], seconds: float | None = HANGS_AFTER_SECONDS) -> Fate:
    try:
        run = subprocess.run(  # noqa: S603 - our own tests
            [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests],
            cwd=copy,
            env={**os.environ, "PYTHONPATH": str(copy)},
            capture_output=True,
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Fate.HANGS
    if run.returncode == 0:
        return Fate.SURVIVED
    return Fate.KILLED if run.returncode == TESTS_FAILED else Fate.BREAKS


if __name__ == "__main__":
    sys.exit(main())

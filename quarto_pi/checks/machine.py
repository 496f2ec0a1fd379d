"""The computer below the board, as far as it tells about itself: files below a root, and what programs print."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

PATIENCE_SECONDS: Final = 15.0
"""A log of two thousand lines takes a Zero 2 W some seconds."""


@dataclass(frozen=True, slots=True)
class User:
    """Who is asking: the name, the number, and the numbers of the groups that this session has."""

    name: str
    number: int
    groups: frozenset[int]


@dataclass(frozen=True, slots=True)
class Machine:
    """A computer: where its files are, who uses it, and how it tells the time of day in seconds since 1970."""

    root: Path
    user: User
    environ: Mapping[str, str]
    now: Callable[[], float] = time.time

    def path(self, name: str) -> Path:
        """A file of this computer, by its name from the root."""
        return self.root / name.lstrip("/")

    def text(self, name: str) -> str | None:
        """What is in a file; None where it cannot be read."""
        try:
            return self.path(name).read_text(encoding="utf-8", errors="replace").strip("\0\n ")
        except OSError:
            return None

    def texts(self, pattern: str) -> dict[Path, str]:
        """What is in all the files of this pattern that can be read."""
        found = {file: self.text(str(file.relative_to(self.root))) for file in sorted(self.root.glob(pattern))}
        return {file: text for file, text in found.items() if text is not None}

    def output(self, program: str, *arguments: str) -> str | None:
        """What a program prints; None where there is none, or where it fails."""
        found = shutil.which(program, path=self.environ.get("PATH", ""))
        if found is None:
            return None
        try:
            done = subprocess.run(  # noqa: S603 - a program of the system, with words of ours
                [found, *arguments],
                capture_output=True,
                text=True,
                errors="replace",
                check=False,
                timeout=PATIENCE_SECONDS,
                env={**self.environ, "LC_ALL": "C"},
            )
        except (OSError, subprocess.TimeoutExpired):
            return None
        return done.stdout if done.returncode == 0 else None


def this_machine(environ: Mapping[str, str]) -> Machine:
    """The computer that this program runs on."""
    number = os.geteuid()
    groups = frozenset({*os.getgroups(), os.getegid()})
    try:
        name = pwd.getpwuid(number).pw_name
    except KeyError:
        name = str(number)
    return Machine(Path("/"), User(name, number, groups), environ)

"""Running other programs: quietly while they work, with their last words when they do not."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from installing.telling import InstallError

LAST_WORDS: Final = 12
"""Lines of a program that are shown when it fails."""


def run(*command: str | Path, environ: Mapping[str, str] | None = None, what: str = "") -> str:
    """Run a program and return what it prints; `what` says for people what it was to do."""
    words = [str(word) for word in command]
    done = _call(words, environ)
    if done.returncode != 0:
        said = "\n".join(f"    {line}" for line in (done.stdout + done.stderr).strip().splitlines()[-LAST_WORDS:])
        raise InstallError(f"{what or ' '.join(words)} failed (exit code {done.returncode}):\n{said}")
    return done.stdout


def succeeds(*command: str | Path, environ: Mapping[str, str] | None = None) -> bool:
    """Whether a program ends well."""
    return _call([str(word) for word in command], environ).returncode == 0


def _call(words: Sequence[str], environ: Mapping[str, str] | None) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(
            words,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            stdin=subprocess.DEVNULL,
            env={**os.environ, "LC_ALL": "C.UTF-8", **(environ or {})},
        )
    except FileNotFoundError:
        return subprocess.CompletedProcess(words, 127, "", f"{words[0]} is not installed")

"""How this quarto-pi was installed, and so the commands that install what it lacks, or all of it again."""

from __future__ import annotations

import json
import shlex
import sys
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

import quarto_pi

MFRC522: Final = "mfrc522>=0.0.7,<0.0.8"
"""Installed without what it asks for: that is RPi.GPIO, which only an older Pi can use."""
COMPILER: Final = "sudo apt install gcc libc6-dev python3-dev"


@dataclass(frozen=True, slots=True)
class Installation:
    """The environment that this quarto-pi runs in, and the folder of sources that it was installed from."""

    prefix: Path
    python: str
    sources: Path | None

    @property
    def by_make(self) -> bool:
        """Whether `make` made this environment, and keeps it up to date."""
        return self.sources is not None and self.prefix == self.sources / ".venv"

    @property
    def by_pipx(self) -> bool:
        """Whether pipx made this environment."""
        return (self.prefix / "pipx_metadata.json").exists()

    @property
    def by_installer(self) -> bool:
        """Whether `systemd/install` made this environment."""
        return self.prefix.is_relative_to("/opt/quarto-pi")

    def with_simulation(self) -> str:
        """The commands that install everything the simulated board needs."""
        if self.by_make:
            return self._in_sources("make play")
        name = shlex.quote(f"{self.sources or '.'}[simulation]")
        if self.by_pipx:
            return f"pipx install --force {name} && {self.with_mfrc522()}"
        return f"{self._pip()} install {name} && {self.with_mfrc522()}"

    def with_mfrc522(self) -> str:
        """The command that installs the readers' package, and nothing that only a Pi can use."""
        if self.by_make:
            return self._in_sources("make play")
        pip = "pipx runpip quarto-pi" if self.by_pipx else self._pip()
        return f"{pip} install --no-deps {shlex.quote(MFRC522)}"

    def compiled(self) -> str:
        """The commands that have the search compiled."""
        if self.by_installer:
            return f"{COMPILER}, then sudo ./systemd/install"
        if self.by_make:
            return f"{COMPILER}, then {self._in_sources('make play')}"
        name = shlex.quote(str(self.sources or "."))
        if self.by_pipx:
            return f"{COMPILER}, then {self.with_simulation()}"
        return f"{COMPILER}, then {self._pip()} install --force-reinstall --no-deps {name}"

    def _pip(self) -> str:
        return f"{shlex.quote(self.python)} -m pip"

    def _in_sources(self, command: str) -> str:
        return command if self.sources == Path.cwd() else f"cd {shlex.quote(str(self.sources))} && {command}"


def this_installation() -> Installation:
    """The installation that runs."""
    return Installation(Path(sys.prefix), sys.executable, _sources())


def _sources() -> Path | None:
    """The folder of sources: the one that it runs from, or the one that pip says it was installed from."""
    folder = Path(quarto_pi.__file__).parent.parent
    if (folder / "pyproject.toml").exists():
        return folder
    try:
        told = distribution("quarto-pi").read_text("direct_url.json")
    except PackageNotFoundError:
        return None
    if told is None:
        return None
    address = urlsplit(json.loads(told)["url"])
    folder = Path(unquote(address.path))
    return folder if address.scheme == "file" and folder.is_dir() else None

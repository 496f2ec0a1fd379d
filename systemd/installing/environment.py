"""The virtual environment of a version: made of what is kept beside it, never of anything else."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from installing import shell
from installing.machine import NEWEST_PYTHON, Board
from installing.telling import InstallError
from installing.wheelhouse import PLAIN_PIP, requirements_of

PYTHON: Final = Path("/usr/bin/python3")
"""The system's own: it is there on every Pi, and changes only with the system."""
FACTS: Final = "facts.json"
BUILT: Final = "built-by.txt"
TRIED: Final = "tried.txt"
"""In it stands of what state of the system's Python it is known that the environment works with it."""
_TRIAL: Final = "import quarto_pi.cli, PIL._imaging, starlette, uvicorn"
"""What has to be importable; what drives the Pi's pins can't be imported elsewhere."""


@dataclass(frozen=True, slots=True)
class Version:
    """An installed version: a folder with sources, wheelhouse and virtual environment."""

    folder: Path

    @property
    def name(self) -> str:
        """Its number and commit."""
        return self.folder.name

    @property
    def sources(self) -> Path:
        """The sources, with the unit files."""
        return self.folder / "source"

    @property
    def pins(self) -> Path:
        """Where the requirements stand."""
        return self.sources / "systemd"

    @property
    def wheelhouse(self) -> Path:
        """The packages that it is made of."""
        return self.folder / "wheelhouse"

    @property
    def venv(self) -> Path:
        """The virtual environment."""
        return self.folder / "venv"

    @property
    def python(self) -> Path:
        """Its Python."""
        return self.venv / "bin" / "python"

    @property
    def board(self) -> Board:
        """The board that it was made for."""
        return Board(json.loads((self.folder / FACTS).read_text(encoding="utf-8"))["board"])

    def remember(self, board: Board) -> None:
        """Note what it is made for."""
        (self.folder / FACTS).write_text(json.dumps({"board": board.value}) + "\n", encoding="utf-8")


@dataclass(frozen=True, slots=True)
class Builder:
    """Makes virtual environments with this Python."""

    python: Path = PYTHON

    def works(self, version: Version) -> bool:
        """Whether the virtual environment was finished, by the Python that is there now, and can be used."""
        try:
            built_by = (version.venv / BUILT).read_text(encoding="utf-8").strip()
        except OSError:
            return False
        return built_by == self._number() and shell.succeeds(version.python, "-I", "-c", _TRIAL)

    def is_tried(self, version: Version) -> bool:
        """Whether it was found to work with just this Python; as good as a trial, and a hundred times as quick."""
        try:
            is_same = (version.venv / TRIED).read_text(encoding="utf-8") == self._state()
            # It is a link to the system's, or a copy of it where somebody has asked for one.
            program = version.python.resolve(strict=True)
            return is_same and program in (self.python.resolve(), version.python)
        except OSError:
            return False

    def remember_trial(self, version: Version) -> None:
        """Note that it works with the Python that is there now."""
        (version.venv / TRIED).write_text(self._state(), encoding="utf-8")

    def build(self, version: Version) -> None:
        """Make it anew; without a network, of what is in the wheelhouse."""
        shutil.rmtree(version.venv, ignore_errors=True)
        # lgpio has no wheel for the newest Python: there it is the system's package.
        sees_system = ["--system-site-packages"] if self._needs_the_systems_lgpio(version) else []
        shell.run(self.python, "-m", "venv", *sees_system, version.venv, what="Making the virtual environment")
        offline = ("--no-index", "--find-links", version.wheelhouse, "--no-deps", "--no-compile")
        pip = (version.python, "-m", "pip", "install", "--quiet", *offline)
        pins = version.pins / requirements_of(version.board)
        # A pip.conf of the system may name other places.
        alone = {**PLAIN_PIP, "PIP_CONFIG_FILE": "/dev/null", "PIP_EXTRA_INDEX_URL": "", "PIP_FIND_LINKS": ""}
        shell.run(*pip, "--require-hashes", "--requirement", pins, environ=alone, what="Installing the packages")
        shell.run(*pip, version.sources, environ=alone, what="Installing quarto-pi")
        shell.run(version.python, "-m", "compileall", "-q", version.venv / "lib", what="Compiling for a quick start")
        if not shell.succeeds(version.python, "-I", "-c", _TRIAL):
            shell.run(version.python, "-I", "-c", _TRIAL, what="Trying what was installed")
        (version.venv / BUILT).write_text(self._number() + "\n", encoding="utf-8")

    def _state(self) -> str:
        """What changes whenever the system's Python does."""
        program = self.python.resolve()
        seen = program.stat()
        return f"{program} {seen.st_size} {seen.st_mtime_ns}\n"

    def _number(self) -> str:
        return shell.run(self.python, "-I", "-c", "import sys; print('%d.%d' % sys.version_info[:2])").strip()

    def _needs_the_systems_lgpio(self, version: Version) -> bool:
        if version.board is not Board.PI5 or self._number() != ".".join(map(str, NEWEST_PYTHON)):
            return False
        if not shell.succeeds(self.python, "-I", "-c", "import lgpio"):
            raise InstallError("The system's package for the pins is not there: sudo apt install python3-lgpio.")
        return True

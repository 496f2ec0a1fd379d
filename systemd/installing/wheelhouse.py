"""The wheelhouse: every pinned package as a file, kept beside the version that is made of it.

It is what survives an upgrade of the system: another Python needs another virtual environment, and a café may have no
network on that day. So it also has the wheels for the next Python, as far as there are any; the rest is source.
Nothing gets in whose checksum is not in the requirements, wherever it comes from: an index that has other builds of the
same version, as piwheels has, is passed over.
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from installing import shell
from installing.machine import NEWEST_PYTHON, Board
from installing.telling import InstallError, Report

BUILD: Final = "requirements-build.txt"
NEWEST_GLIBC: Final = 36
"""Bookworm's; what is built for it works on Trixie as well."""
PLAIN_PIP: Final = {"PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_CACHE_DIR": "1"}
_CHECKSUM: Final = re.compile(r"sha256:([0-9a-f]{64})")
_BELOW: Final = re.compile(r"python_(?:full_)?version < '(\d+)\.(\d+)'")
_PLATFORM_WHEEL: Final = re.compile(r"^([^-]+)-([^-]+)-[^-]+-[^-]+-(?!any\.)[^-]+\.whl$")


def requirements_of(board: Board) -> str:
    """The file in which the packages for a board are pinned."""
    return f"requirements-{board.value}.txt"


@dataclass(frozen=True, slots=True)
class Fetcher:
    """Fetches with this Python: from a folder, or from the package index where none is given."""

    python: Path
    given: Path | None
    report: Report
    installed: tuple[Path, ...] = ()
    """The wheelhouses of what is installed: what is pinned as it was there is not fetched again."""

    def fill(self, wheelhouse: Path, pins: Path, board: Board) -> None:
        """Fetch everything that is pinned for a board, every file against its checksum."""
        wheelhouse.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory() as folder:
            tools = Path(folder) / "tools"
            shell.run(self.python, "-m", "venv", tools, what="Making a virtual environment")
            pip = tools / "bin" / "python"
            self._download(pip, wheelhouse, pins / BUILD)
            # Source packages are looked at by running their own build, which may use nothing but what is pinned.
            offline = ("install", "--quiet", "--no-index", "--find-links", wheelhouse, "--no-deps")
            shell.run(pip, "-m", "pip", *offline, "setuptools", "wheel", "packaging", environ=PLAIN_PIP)
            self._download(pip, wheelhouse, pins / requirements_of(board))
            for requirement in _bound_to_this_python(wheelhouse, pins, board):
                self._fetch_for_next_python(pip, wheelhouse, requirement)

    def _download(self, pip: Path, wheelhouse: Path, requirements: Path, *options: str) -> None:
        with TemporaryDirectory() as folder:
            known, others = Path(folder) / "known.txt", Path(folder) / requirements.name
            here, missing = self._sorted_by_place(requirements, Path(folder))
            known.write_text("\n".join(here), encoding="utf-8")
            others.write_text("\n".join(missing), encoding="utf-8")
            taken = bool(here) and self._take_over(pip, wheelhouse, known, Path(folder), *options)
            if taken:
                self.report.doing(f"{len(here)} of {len(here) + len(missing)} packages are those that are installed")
            if missing or not taken:
                self._fetch(pip, wheelhouse, others if taken else requirements, *options)

    def _sorted_by_place(self, requirements: Path, folder: Path) -> tuple[list[str], list[str]]:
        """The requirements of which there is a file with the right checksum, linked into a folder, and the others."""
        there = {_checksum(file): file for house in self.installed if house.is_dir() for file in house.iterdir()}
        lines = requirements.read_text(encoding="utf-8").replace("\\\n", "").splitlines()
        here: list[str] = []
        missing: list[str] = []
        for line in (line for line in lines if line.strip() and not line.lstrip().startswith("#")):
            files = [there[checksum] for checksum in _CHECKSUM.findall(line) if checksum in there]
            for file in files:
                (folder / file.name).symlink_to(file)
            (here if files else missing).append(line)
        return here, missing

    def _take_over(self, pip: Path, wheelhouse: Path, known: Path, folder: Path, *options: str) -> bool:
        """Copy what is installed; False if something of it is of no use to this Python."""
        alone = ("--no-index", "--find-links", folder)
        return shell.succeeds(
            *(pip, "-m", "pip", "download", "--quiet", "--no-deps", "--require-hashes", "--no-build-isolation"),
            *("--dest", wheelhouse, "--requirement", known),
            *options,
            *alone,
            environ=PLAIN_PIP,
        )

    def _fetch(self, pip: Path, wheelhouse: Path, requirements: Path, *options: str) -> None:
        self.report.doing(f"fetching what {requirements.name} names")
        source = () if self.given is None else ("--no-index", "--find-links", self.given)
        try:
            shell.run(
                *(pip, "-m", "pip", "download", "--quiet", "--no-deps", "--require-hashes", "--no-build-isolation"),
                *("--dest", wheelhouse, "--requirement", requirements, *options, *source),
                environ=PLAIN_PIP,
                what="Fetching the packages",
            )
        except InstallError as error:
            where = "the network there" if self.given is None else f"{self.given} complete"
            raise InstallError(f"{error}\nIs {where}? What runs was not touched; run the installer again.") from None

    def _fetch_for_next_python(self, pip: Path, wheelhouse: Path, requirement: str) -> None:
        pinned, _, checksums = requirement.partition("--hash")
        pinned, marker, _ = pinned.partition(";")
        if not is_for_newest(marker):
            return
        newest = ".".join(map(str, NEWEST_PYTHON))
        platforms = [word for tag in _platforms() for word in ("--platform", tag)]
        with TemporaryDirectory() as folder:
            asked = Path(folder) / f"{pinned.strip()} for Python {newest}"
            asked.write_text(f"{pinned} --hash{checksums}\n", encoding="utf-8")
            wanted = ("--only-binary", ":all:", "--python-version", newest, "--implementation", "cp", *platforms)
            try:
                self._download(pip, wheelhouse, asked, *wanted)
            except InstallError:
                self.report.note(f"no {asked.name} here: after an upgrade of the system run the installer again.")


def _bound_to_this_python(wheelhouse: Path, pins: Path, board: Board) -> list[str]:
    """The requirements that came as wheels for this Python alone, each as a whole with its checksums."""
    if sys.version_info[:2] >= NEWEST_PYTHON:
        return []
    bound = {_plain(found[1]) for file in wheelhouse.iterdir() if (found := _PLATFORM_WHEEL.match(file.name))}
    texts = [(pins / name).read_text(encoding="utf-8") for name in (BUILD, requirements_of(board))]
    lines = [line for text in texts for line in text.replace("\\\n", "").splitlines()]
    return [line for line in lines if _plain(line.partition("==")[0]) in bound]


def is_for_newest(marker: str) -> bool:
    """Whether a requirement with this marker is one of the newest Python's as well."""
    platform = _BELOW.search(marker)
    return platform is None or (int(platform[1]), int(platform[2])) > NEWEST_PYTHON


def _platforms() -> tuple[str, ...]:
    machine = os.uname().machine
    if machine == "aarch64" and sys.maxsize < 2**32:
        machine = "armv7l"
    return (*(f"manylinux_2_{glibc}_{machine}" for glibc in range(NEWEST_GLIBC, 16, -1)), f"linux_{machine}")


def _checksum(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name.strip()).lower()

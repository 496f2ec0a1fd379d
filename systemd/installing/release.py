"""Which version stands in a folder of sources, and its copy beside what is installed."""

from __future__ import annotations

import hashlib
import re
import shutil
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from installing import shell
from installing.telling import InstallError

PARTS: Final = (
    *("quarto_pi", "firmware", "systemd", "docs"),
    *("pyproject.toml", "setup.py", "README.md", "CHANGELOG.md", "LICENSE"),
)
MARK: Final = "COMMIT"
"""The file in a release archive that says which commit it was made from."""
LEFTOVERS: Final = ("__pycache__", "*.pyc", "*.so", "*.c", "*.mo", "*.egg-info")
"""Made elsewhere, for another machine."""
FOR_ALL_TO_RUN: Final = 0o755
FOR_ALL_TO_READ: Final = 0o644
_VERSION: Final = re.compile(r'^__version__ = "([^"]+)"$', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Release:
    """Sources that can be installed, and the name of the version that they are."""

    folder: Path
    name: str

    def copy_to(self, target: Path) -> None:
        """Put the sources there, and only what belongs to them."""
        target.mkdir(parents=True)
        for part in PARTS:
            source = self.folder / part
            if source.is_dir():
                shutil.copytree(source, target / part, ignore=shutil.ignore_patterns(*LEFTOVERS))
            elif source.exists():
                shutil.copy2(source, target / part)
        # A clone may be for its owner's eyes alone; the board is somebody else.
        for path in (target, *target.rglob("*")):
            path.chmod(FOR_ALL_TO_RUN if path.is_dir() or path.stat().st_mode & stat.S_IXUSR else FOR_ALL_TO_READ)


def release_in(folder: Path) -> Release:
    """The version in a clone or an unpacked archive: `0.1.0-3f2a9c1`; with a checksum where it is no whole commit."""
    module = folder / "quarto_pi" / "__init__.py"
    try:
        found = _VERSION.search(module.read_text(encoding="utf-8"))
    except OSError as error:
        raise InstallError(f"{folder} is not quarto-pi's folder: {module} can't be read.") from error
    if found is None:
        raise InstallError(f"{module} does not say which version it is.")
    return Release(folder, f"{found[1]}-{_commit(folder) or _checksum(folder)}")


def _commit(folder: Path) -> str:
    """The commit that these sources are; nothing, where they have been changed since or nobody knows."""
    mark = folder / MARK
    if mark.exists():
        return mark.read_text(encoding="utf-8").strip()[:10]
    # The clone is its owner's, and this runs as root, whom git would refuse.
    git = ("git", "-c", f"safe.directory={folder}", "-C", folder)
    if not (folder / ".git").exists() or not shell.succeeds(*git, "rev-parse", "HEAD"):
        return ""
    # Without locks: nothing in the clone is to become root's.
    if shell.run(*git, "--no-optional-locks", "status", "--porcelain", "--untracked-files=all", "--", *PARTS).strip():
        return ""
    return shell.run(*git, "rev-parse", "HEAD").strip()[:10]


def _checksum(folder: Path) -> str:
    total = hashlib.sha256()
    for file in _files(folder):
        total.update(str(file.relative_to(folder)).encode() + b"\0" + file.read_bytes() + b"\0")
    return f"x{total.hexdigest()[:9]}"


def _files(folder: Path) -> Iterator[Path]:
    for part in PARTS:
        found = folder / part
        files = sorted(found.rglob("*")) if found.is_dir() else [found]
        yield from (file for file in files if file.is_file() and not _is_left_over(file))


def _is_left_over(file: Path) -> bool:
    return any(each.match(pattern) for each in (file, *file.parents) for pattern in LEFTOVERS)

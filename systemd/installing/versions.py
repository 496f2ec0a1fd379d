"""Versions side by side, and two links: which of them counts, and which one counted before."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from installing.environment import Version
from installing.release import FOR_ALL_TO_READ

LEFT: Final = "left"
"""The file that names the version which was left because it kept dying."""


@dataclass(frozen=True, slots=True)
class Versions:
    """What stands below /opt/quarto-pi."""

    opt: Path

    @property
    def folder(self) -> Path:
        """Where the versions are."""
        return self.opt / "versions"

    @property
    def current(self) -> Version | None:
        """The version that counts."""
        return self._at("current")

    @property
    def previous(self) -> Version | None:
        """The version that counted before, as long as it is kept."""
        return self._at("previous")

    def named(self, name: str) -> Version:
        """The place of a version, whether it is there or not."""
        return Version(self.folder / name)

    def switch_to(self, version: Version) -> None:
        """Let another version count: at any moment either the old link stands or the new one."""
        before = self.current
        (self.opt / LEFT).unlink(missing_ok=True)
        # What the link will lead to has to be on the card before the link is.
        os.sync()
        if before is not None and before != version:
            self._link("previous", before)
        self._link("current", version)
        os.sync()

    def forget_previous(self) -> None:
        """Know of no version to go back to."""
        (self.opt / "previous").unlink(missing_ok=True)

    def remember_left(self, version: Version) -> None:
        """Note that a version was left because it kept dying; `quarto-pi check` tells."""
        left = self.opt / LEFT
        left.write_text(f"{version.name}\n", encoding="utf-8")
        left.chmod(FOR_ALL_TO_READ)
        os.sync()

    def prune(self) -> list[str]:
        """Take away all but those two, and return the names of what went."""
        kept = {self.current, self.previous}
        gone = [Version(each) for each in sorted(self.folder.iterdir()) if Version(each) not in kept]
        for version in gone:
            shutil.rmtree(version.folder)
        return [version.name for version in gone]

    def _at(self, link: str) -> Version | None:
        path = self.opt / link
        if not path.is_symlink():
            return None
        version = Version(self.folder / path.readlink().name)
        return version if version.folder.is_dir() else None

    def _link(self, name: str, version: Version) -> None:
        new = self.opt / f"{name}.new"
        new.unlink(missing_ok=True)
        new.symlink_to(Path("versions") / version.name)
        new.replace(self.opt / name)

"""Versions to install: what is committed, and made-up ones that come after it."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

PROJECT = Path(__file__).parent.parent.parent
INSIDE = Path("root")
"""Where archives are unpacked in a container."""


@dataclass(frozen=True, slots=True)
class Archive:
    """A release archive, unpacked in a container's folder."""

    folder: Path

    @property
    def installer(self) -> str:
        """The installer's path in there."""
        return f"/{INSIDE}/{self.folder.name}/systemd/install"

    @property
    def version(self) -> str:
        """What the installer will call it."""
        return self.folder.name.removeprefix("quarto-pi-")

    def change(self, file: str, before: str, after: str) -> None:
        """Change something in its sources."""
        path = self.folder / file
        text = path.read_text(encoding="utf-8")
        assert text.count(before) == 1, f"{file} has {text.count(before)} times: {before}"
        path.write_text(text.replace(before, after), encoding="utf-8")


def pack(folder: Path) -> Path:
    """The archive that `make release` makes."""
    done = subprocess.run([PROJECT / "systemd/pack", folder], check=True, capture_output=True, text=True)
    return Path(done.stdout.strip())


def unpack(archive: Path, root: Path, wheelhouse: Path | None = None, commit: str = "") -> Archive:
    """Put it into a container, with its packages beside it; under another commit's name, to be a version of its own."""
    subprocess.run(["tar", "-xzf", archive, "-C", root / INSIDE], check=True)
    name = archive.name.removesuffix(".tar.gz")
    unpacked = root / INSIDE / name
    if commit:
        unpacked = unpacked.rename(unpacked.with_name(f"{name.rpartition('-')[0]}-{commit}"))
        (unpacked / "COMMIT").write_text(commit)
    if wheelhouse is not None:
        subprocess.run(["cp", "-r", wheelhouse, unpacked / "wheelhouse"], check=True)
    return Archive(unpacked)

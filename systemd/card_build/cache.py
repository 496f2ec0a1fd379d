"""What was made once: kept in build/card, under a name that has everything in it that it depends on."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path


def key_of(parts: Iterable[str | bytes]) -> str:
    """A short name for what something depends on."""
    digest = hashlib.sha256()
    for part in parts:
        content = part.encode() if isinstance(part, str) else part
        digest.update(len(content).to_bytes(8, "big"))
        digest.update(content)
    return digest.hexdigest()[:16]


def contents_of(folder: Path) -> Iterable[str | bytes]:
    """Every file below a folder: its name, whether it may be executed, what is in it."""
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        yield f"{path.relative_to(folder)} {path.stat().st_mode & 0o111:o}"
        yield path.read_bytes()


@dataclass(frozen=True, slots=True)
class Cache:
    """A folder of things that were made."""

    folder: Path
    tell: Callable[[str], None]

    def file(self, name: str, key: str, make: Callable[[Path], None]) -> Path:
        """The file or folder of this name and key; made by writing into the path that is given, if it is not there."""
        stem, _, suffix = name.partition(".")
        path = self.folder / f"{stem}-{key}{'.' if suffix else ''}{suffix}"
        if path.exists():
            self.tell(f"{path.name} is there")
            return path
        self.folder.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_name(f"unfinished-{path.name}")
        remove(unfinished)
        make(unfinished)
        unfinished.replace(path)
        for older in self.folder.glob(f"{stem}-*{'.' if suffix else ''}{suffix}"):
            if older != path:
                remove(older)
        return path


def remove(path: Path) -> None:
    """Remove a file or a folder, if it is there."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)

"""What a storage may hold after its power was cut.

What was synced is there. Of what was not, any sector of 512 bytes may be there or not, whatever came before or after
it; a write may be torn; a file may be as long as before or after. Of the changes to the folder the first so many are
there: file systems write those in their order. Names are safe once the folder has been synced, not before.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from tests.power.tap import Act, Kind

SECTOR = 512
Change = Callable[[dict[str, "File"]], None]


@dataclass
class File:
    """What is safe of a file, and what has been done to it since."""

    safe: bytearray = field(default_factory=bytearray)
    unsafe: list[tuple[int, bytes | None]] = field(default_factory=list)

    def sync(self) -> None:
        """Everything is safe."""
        for offset, data in self.unsafe:
            _apply(self.safe, offset, data)
        self.unsafe.clear()

    def after_cut(self, rng: random.Random, kept: float) -> bytes:
        """What may be there after a cut, with this share of what was not safe."""
        left = bytearray(self.safe)
        for offset, data in self.unsafe:
            if data is None:
                if rng.random() < kept:
                    _apply(left, offset, None)
                continue
            for start in range(offset - offset % SECTOR, offset + len(data), SECTOR):
                if rng.random() < kept:
                    first, last = max(start, offset), min(start + SECTOR, offset + len(data))
                    _apply(left, first, data[first - offset : last - offset])
        return bytes(left)


def _apply(content: bytearray, offset: int, data: bytes | None) -> None:
    if data is None:
        content[offset:] = bytes(max(0, offset - len(content)))
        return
    if len(content) < offset:
        content.extend(bytes(offset - len(content)))
    content[offset : offset + len(data)] = data


class Storage:
    """A folder on a storage, act by act; what is in it at the beginning is safe."""

    def __init__(self, folder: Path | None = None) -> None:
        self._files: dict[int, File] = {}
        self._safe: dict[str, File] = {}
        self._changes: list[Change] = []
        for file in () if folder is None else folder.iterdir():
            self._safe[file.name] = self._files[file.stat().st_ino] = File(bytearray(file.read_bytes()))

    def do(self, act: Act) -> None:
        """Do what was done."""
        match act.kind:
            case Kind.CREATE:
                file, name = File(), act.data.decode()
                self._files[act.file] = file
                self._changes.append(lambda names: names.update({name: file}))
            case Kind.WRITE:
                self._files[act.file].unsafe.append((act.offset, act.data))
            case Kind.TRUNCATE:
                self._files[act.file].unsafe.append((act.offset, None))
            case Kind.SYNC:
                self._files[act.file].sync()
            case Kind.SYNC_FOLDER:
                for change in self._changes:
                    change(self._safe)
                self._changes.clear()
            case Kind.RENAME:
                old, new = act.data.decode().split("\0")
                self._changes.append(lambda names: _rename(names, old, new))
            case Kind.UNLINK:
                gone = act.data.decode()
                self._changes.append(lambda names: _unlink(names, gone))
            case Kind.MARK:
                pass

    def after_cut(self, rng: random.Random) -> dict[str, bytes]:
        """The files that may be there after a cut at this moment."""
        names = dict(self._safe)
        kept = rng.choice((0.0, 0.1, 0.5, 0.9, 1.0))
        for change in self._changes[: rng.choice((0, len(self._changes), rng.randint(0, len(self._changes))))]:
            change(names)
        return {name: file.after_cut(rng, kept) for name, file in names.items()}


def _rename(names: dict[str, File], old: str, new: str) -> None:
    names[new] = names.pop(old)


def _unlink(names: dict[str, File], name: str) -> None:
    names.pop(name, None)

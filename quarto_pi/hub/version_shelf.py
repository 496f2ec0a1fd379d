"""The versions that can be rolled out: bundles in a folder of the hub, each with what is known of it beside it."""

from __future__ import annotations

import json
import os
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import BinaryIO, Final

from quarto_pi.chain.versions import MOST_OF_BUNDLE
from quarto_pi.files import put_whole, sync_folder
from quarto_pi.hub.bundles import BUNDLE_MAGIC, BundleRefused, look_at_bundle

VERSIONS_FOLDER: Final = "versions"
KEEPER_FILE: Final = "keeper"
MOST_VERSIONS: Final = 5
_KEPT_FREE: Final = 268_435_456
"""Games go on being kept while versions lie there."""
_PIECE: Final = 1_048_576
_PRIVATE: Final = 0o600
_LEFT_OVER_SECONDS: Final = 86_400.0
"""A bundle on its way in that nobody has written to for so long was left by a hub that was killed."""


@dataclass(frozen=True, slots=True)
class ShelvedVersion:
    """A version that can be rolled out: what it is called, its bundle, and who has put it there when."""

    version: str
    sha256: str
    size: int
    checked: bool
    by: str
    at: float


class IncomingBundle:
    """A bundle on its way in: `write` takes a piece, or refuses it in one sentence before more of it comes."""

    def __init__(self, file: BinaryIO, path: Path, room: int) -> None:
        self._file = file
        self.path = path
        self._room = room
        self._begun = b""
        self._size = 0

    def write(self, piece: bytes) -> None:
        """Take a piece."""
        self._size += len(piece)
        if self._size > self._room:
            raise BundleRefused(f"that is too long: there is room for {self._room} bytes.")
        self._begun = (self._begun + piece)[: len(BUNDLE_MAGIC)]
        if not BUNDLE_MAGIC.startswith(self._begun):
            raise BundleRefused("that is no update: choose a file quarto-pi-VERSION.raucb.")
        self._file.write(piece)

    def flush(self) -> None:
        """Have what was written on the disk."""
        self._file.flush()
        os.fsync(self._file.fileno())


class VersionShelf:
    """The versions below a hub's folder; `publisher` is the certificate of who has to have signed them, if named."""

    def __init__(self, folder: Path, publisher: str = "") -> None:
        self._folder = folder / VERSIONS_FOLDER
        self._publisher = folder / publisher if publisher else None

    @property
    def keeper(self) -> str:
        """What this shelf is known by in a database that other hubs may use as well."""
        file = self._made() / KEEPER_FILE
        if not file.exists():
            put_whole(file, f"{secrets.token_hex(8)}\n".encode(), _PRIVATE)
        return file.read_text(encoding="ascii").strip()

    def all(self) -> list[ShelvedVersion]:
        """All that are there, the newest first."""
        found = [self.find(path.stem) for path in self._folder.glob("*.json")]
        return sorted((each for each in found if each is not None), key=lambda each: (-each.at, each.sha256))

    def find(self, sha256: str) -> ShelvedVersion | None:
        """One by the hash of its bundle; one whose bundle has gone is none."""
        with suppress(OSError, ValueError, TypeError, KeyError):
            kept = json.loads((self._folder / f"{sha256}.json").read_text(encoding="utf-8"))
            if kept["sha256"] == sha256 and self.bundle(sha256).stat().st_size == kept["size"]:
                return ShelvedVersion(**kept)
        return None

    def bundle(self, sha256: str) -> Path:
        """Where a bundle is, if it is there."""
        return self._folder / f"{sha256}.raucb"

    @contextmanager
    def incoming(self) -> Iterator[IncomingBundle]:
        """A file for a bundle that comes; it is gone afterwards, unless it was taken in."""
        if len(self.all()) >= MOST_VERSIONS:
            raise BundleRefused(f"{MOST_VERSIONS} versions are the most: remove one first.")
        folder = self._made()
        for left_over in folder.glob("*.part"):
            if time.time() - left_over.stat().st_mtime > _LEFT_OVER_SECONDS:
                left_over.unlink(missing_ok=True)
        path = folder / f"{secrets.token_hex(8)}.part"
        with path.open("xb") as file:
            try:
                yield IncomingBundle(file, path, min(MOST_OF_BUNDLE, self._room()))
            finally:
                path.unlink(missing_ok=True)

    def take_in(self, incoming: IncomingBundle, by: str, at: float) -> ShelvedVersion:
        """Keep a bundle that is whole, once it was looked at."""
        incoming.flush()
        found = look_at_bundle(incoming.path, self._publisher)
        kept = ShelvedVersion(found.version, found.sha256, found.size, found.checked, by, at)
        for other in self.all():
            if other.version == kept.version and other.sha256 != kept.sha256:
                raise BundleRefused(f"another update is called {kept.version} as well: remove that one first.")
        incoming.path.replace(self.bundle(found.sha256))
        sync_folder(self._folder)
        put_whole(self._folder / f"{found.sha256}.json", json.dumps(asdict(kept)).encode(), _PRIVATE)
        return kept

    def put(self, stream: BinaryIO, by: str, at: float) -> ShelvedVersion:
        """Keep what stands in an open file, if it is a bundle."""
        with self.incoming() as incoming:
            while piece := stream.read(_PIECE):
                incoming.write(piece)
            return self.take_in(incoming, by, at)

    def remove(self, sha256: str) -> bool:
        """Take a version away; whether it was there."""
        if self.find(sha256) is None:
            return False
        (self._folder / f"{sha256}.json").unlink(missing_ok=True)
        self.bundle(sha256).unlink(missing_ok=True)
        return True

    def _made(self) -> Path:
        self._folder.mkdir(mode=0o700, exist_ok=True)
        return self._folder

    def _room(self) -> int:
        seen = os.statvfs(self._folder)
        return max(0, seen.f_bavail * seen.f_frsize - _KEPT_FREE)

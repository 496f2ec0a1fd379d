"""The versions that can be rolled out: signed bundles, as RAUC reads them, and what is known of each beside it.

A bundle in RAUC's format "verity" is a squashfs, the tree of its hashes, a CMS signature that holds the manifest, and
the length of that in eight bytes. What is found out here spares boards a bundle that none of them would take; whether
one takes it is for its own RAUC to say, which believes nobody's word.
"""

from __future__ import annotations

import configparser
import hashlib
import json
import os
import re
import secrets
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO, Final

from quarto_pi.chain.hub_messages import MOST_OF_BUNDLE, check_version
from quarto_pi.chain.messages import MessageRefused
from quarto_pi.files import put_whole, sync_folder
from quarto_pi.hub.settings import HubError, HubFailure

# --- What a file has to be to be rolled out: a signed bundle for a board's card, as RAUC reads it ---------------------

COMPATIBLE: Final = "quarto-pi-card"
BUNDLE_MAGIC: Final = b"hsqs"
"""What every bundle begins with."""
_LENGTH_BYTES: Final = 8
_LONGEST_SIGNATURE: Final = 65_536
_BLOCK: Final = 4_096
_PIECE: Final = 256 * _BLOCK
_PATIENCE: Final = 60
_HEX: Final = re.compile(r"[0-9a-f]{64}")


class BundleRefused(HubError):
    """A file that is not rolled out; the text says why."""


@dataclass(frozen=True, slots=True)
class FoundBundle:
    """What was found out about a bundle; `checked` is whether its publisher is the one that the hub's owner names."""

    version: str
    sha256: str
    size: int
    checked: bool


def look_at_bundle(file: Path, publisher: Path | None) -> FoundBundle:
    """What a file is, if it is a bundle; `BundleRefused` says in one sentence why it is none that can be rolled out."""
    size = file.stat().st_size
    if size > MOST_OF_BUNDLE:
        raise BundleRefused(f"that is too long: an update has at most {MOST_OF_BUNDLE} bytes.")
    with file.open("rb") as stream:
        if stream.read(len(BUNDLE_MAGIC)) != BUNDLE_MAGIC:
            raise BundleRefused("that is no update: choose a file quarto-pi-VERSION.raucb.")
        signature, payload = _signature(stream, size)
        manifest = _manifest(_signed_text(signature, publisher))
        version = _version(manifest)
        digest = _checked_payload(stream, payload, manifest)
        digest.update(signature)
        digest.update(len(signature).to_bytes(_LENGTH_BYTES, "big"))
    return FoundBundle(version, digest.hexdigest(), size, publisher is not None)


def _signature(stream: BinaryIO, size: int) -> tuple[bytes, int]:
    """The signature, and how many bytes stand before it."""
    stream.seek(max(0, size - _LENGTH_BYTES))
    length = int.from_bytes(stream.read(_LENGTH_BYTES), "big")
    payload = size - _LENGTH_BYTES - length
    if not 0 < length <= _LONGEST_SIGNATURE or payload < _BLOCK:
        raise BundleRefused("that update is not whole, or not signed: copy it again.")
    stream.seek(payload)
    return stream.read(length), payload


def _signed_text(signature: bytes, publisher: Path | None) -> str:
    """What was signed; by whom is asked only where a publisher is named."""
    openssl = shutil.which("openssl", path=os.environ.get("PATH", os.defpath))
    if openssl is None:
        raise HubFailure("openssl is not installed, which checks signatures: do 'sudo apt install openssl'.")
    if publisher is not None and not publisher.is_file():
        raise HubFailure(
            f"the certificate {publisher} that 'publisher' names is not there: put it there, or change it."
        )
    # As RAUC on a card: a certificate counts by itself, and when it was valid is not asked of a clock.
    believed = (
        ["-CAfile", str(publisher), "-no-CApath", "-no-CAstore", "-partial_chain", "-no_check_time", "-purpose", "any"]
        if publisher is not None
        else ["-noverify"]
    )
    with TemporaryDirectory() as place:
        file, text = Path(place) / "signature", Path(place) / "manifest"
        file.write_bytes(signature)
        command = [openssl, "cms", "-verify", "-inform", "DER", "-in", str(file), "-out", str(text), *believed]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=_PATIENCE)  # noqa: S603 - openssl
        if done.returncode == 0:
            return text.read_text(encoding="utf-8", errors="replace")
    if "certificate verify error" in done.stderr:
        raise BundleRefused("that update is not signed by the publisher whom the hub believes.")
    raise BundleRefused("the signature of that update is damaged, or none: copy it again.")


def _manifest(text: str) -> configparser.ConfigParser:
    manifest = configparser.ConfigParser(interpolation=None)
    try:
        manifest.read_string(text)
    except configparser.Error as error:
        raise BundleRefused("the manifest of that update is none.") from error
    if manifest.get("bundle", "format", fallback="plain") != "verity":
        raise BundleRefused("that update is not of the format 'verity': no board's card takes it.")
    return manifest


def _version(manifest: configparser.ConfigParser) -> str:
    compatible = manifest.get("update", "compatible", fallback="")
    if compatible != COMPATIBLE:
        raise BundleRefused(f"that update is for something else: it is for '{compatible[:40]}', not '{COMPATIBLE}'.")
    try:
        return check_version(manifest.get("update", "version", fallback=""))
    except MessageRefused as error:
        raise BundleRefused("that update has no version that a board could tell.") from error


def _checked_payload(stream: BinaryIO, payload: int, manifest: configparser.ConfigParser) -> hashlib._Hash:
    """The hash of what stands before the signature, once it is known to be what was signed."""
    told, salt = manifest.get("bundle", "verity-hash", fallback=""), manifest.get("bundle", "verity-salt", fallback="")
    tree = manifest.get("bundle", "verity-size", fallback="")
    if not (_HEX.fullmatch(told) and _HEX.fullmatch(salt) and tree.isdecimal() and len(tree) < len(str(payload)) + 1):
        raise BundleRefused("the manifest of that update does not say what was signed.")
    data = payload - int(tree)
    if data < _BLOCK or data % _BLOCK:
        raise BundleRefused("that update is damaged: copy it again.")
    digest, salted = hashlib.sha256(), hashlib.sha256(bytes.fromhex(salt))
    hashes = bytearray()
    stream.seek(0)
    left = payload
    while left:
        piece = stream.read(min(_PIECE, left))
        if not piece:
            raise BundleRefused("that update is not whole: copy it again.")
        digest.update(piece)
        hashes += _hashes(piece[: max(0, data - (payload - left))], salted)
        left -= len(piece)
    while len(hashes) > hashlib.sha256().digest_size:
        hashes += bytes(-len(hashes) % _BLOCK)
        hashes = _hashes(hashes, salted)
    if hashes.hex() != told:
        raise BundleRefused("that update is damaged: what is in it is not what was signed.")
    return digest


def _hashes(data: bytes | bytearray, salted: hashlib._Hash) -> bytearray:
    """The hash of each block, one after the other."""
    found, view = bytearray(), memoryview(data)
    for at in range(0, len(data), _BLOCK):
        one = salted.copy()
        one.update(view[at : at + _BLOCK])
        found += one.digest()
    return found


# --- The versions that can be rolled out: bundles in a folder of the hub, each with what is known of it beside it -----

VERSIONS_FOLDER: Final = "versions"
KEEPER_FILE: Final = "keeper"
MOST_VERSIONS: Final = 5
_KEPT_FREE: Final = 268_435_456
"""Games go on being kept while versions lie there."""
_COPIED_AT_ONCE: Final = 1_048_576
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
            while piece := stream.read(_COPIED_AT_ONCE):
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

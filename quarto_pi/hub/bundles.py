"""What a file has to be to be rolled out: a signed bundle for a board's card, as RAUC reads it.

A bundle in RAUC's format "verity" is a squashfs, the tree of its hashes, a CMS signature that holds the manifest, and
the length of that in eight bytes. What is found out here spares boards a bundle that none of them would take; whether
one takes it is for its own RAUC to say, which believes nobody's word.
"""

from __future__ import annotations

import configparser
import hashlib
import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO, Final

from quarto_pi.chain.messages import MessageRefused
from quarto_pi.chain.versions import MOST_OF_BUNDLE, check_version
from quarto_pi.hub.settings import HubError, HubFailure

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

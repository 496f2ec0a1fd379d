"""Bundles for tests, signed as RAUC signs them, and those who sign them."""

from __future__ import annotations

import hashlib
import random
import subprocess
from dataclasses import dataclass
from pathlib import Path

BLOCK = 4_096
SALT = bytes(range(32))


@dataclass(frozen=True)
class Publisher:
    """Somebody with a key."""

    key: Path
    certificate: Path


_AUTHORITY = """
[ca]
default_ca = own
[own]
database = {folder}/index
new_certs_dir = {folder}
rand_serial = yes
default_md = sha256
policy = any
[any]
commonName = supplied
[req]
distinguished_name = none
[none]
"""


def publisher_in(folder: Path, name: str = "publisher", *, has_ended: bool = False) -> Publisher:
    """Somebody who signs, with a certificate of his own, which may have held for a day years ago."""
    folder.mkdir(parents=True, exist_ok=True)
    found = Publisher(folder / f"{name}.key", folder / f"{name}.pem")
    _openssl(
        *("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"),
        *("-days", "30", "-subj", f"/CN={name}", "-keyout", str(found.key), "-out", str(found.certificate)),
    )
    if has_ended:
        (folder / "index").touch()
        config, request = folder / "config", folder / "request"
        config.write_text(_AUTHORITY.format(folder=folder), encoding="utf-8")
        whom = ("-config", str(config), "-key", str(found.key), "-subj", f"/CN={name}")
        _openssl("req", "-new", *whom, "-out", str(request))
        dates = ("-startdate", "20200101000000Z", "-enddate", "20200102000000Z")
        own = ("-batch", "-notext", "-selfsign", "-keyfile", str(found.key), "-config", str(config))
        _openssl("ca", *own, *dates, "-in", str(request), "-out", str(found.certificate))
    return found


def payload_of(seed: int = 1, blocks: int = 300) -> bytes:
    """What would be a file system: it begins like one, and two levels of hashes stand above it."""
    return b"hsqs" + random.Random(seed).randbytes(blocks * BLOCK - 4)


def manifest_of(payload: bytes, version: str = "2.0-abc", compatible: str = "quarto-pi-card") -> str:
    """What is signed."""
    return (
        f"[update]\ncompatible={compatible}\nversion={version}\nbuild=1\n\n"
        f"[bundle]\nformat=verity\nverity-hash={_root(payload).hex()}\nverity-salt={SALT.hex()}\nverity-size={BLOCK}\n\n"
        "[image.rootfs]\nfilename=root.img\n"
    )


def bundle_of(signer: Publisher, manifest: str, payload: bytes) -> bytes:
    """A whole bundle; its tree of hashes is left empty, for RAUC alone reads that."""
    signature = signed(signer, manifest)
    return payload + bytes(BLOCK) + signature + len(signature).to_bytes(8, "big")


def good_bundle(signer: Publisher, version: str = "2.0-abc", seed: int = 1, blocks: int = 300) -> bytes:
    """A bundle that is as it should be."""
    payload = payload_of(seed, blocks)
    return bundle_of(signer, manifest_of(payload, version), payload)


def signed(signer: Publisher, manifest: str) -> bytes:
    """A signature that holds what it signs."""
    who = ("-signer", str(signer.certificate), "-inkey", str(signer.key))
    return _openssl("cms", "-sign", "-nodetach", "-binary", "-md", "sha256", "-outform", "DER", *who, given=manifest)


def _root(payload: bytes) -> bytes:
    """What dm-verity calls the root hash, as its documentation says it."""
    blocks = [payload[at : at + BLOCK] for at in range(0, len(payload), BLOCK)]
    while True:
        digests = [hashlib.sha256(SALT + block.ljust(BLOCK, b"\0")).digest() for block in blocks]
        if len(digests) == 1:
            return digests[0]
        each = BLOCK // 32
        blocks = [b"".join(digests[at : at + each]) for at in range(0, len(digests), each)]


def _openssl(*words: str, given: str = "") -> bytes:
    done = subprocess.run(  # noqa: S603 - openssl itself
        ["openssl", *words],  # noqa: S607
        input=given.encode(),
        capture_output=True,
        check=True,
    )
    return done.stdout

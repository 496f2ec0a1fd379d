"""Signed releases: nothing of an archive is unpacked before its signature is right.

`ssh-keygen -Y verify` does it, because it is on every Raspberry Pi OS already; what would have to be fetched first, as
minisign, would have to be trusted first. Its keys are plain lines, and a signature for something else does not count.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from installing import shell
from installing.telling import InstallError

IDENTITY: Final = "release"
NAMESPACE: Final = "quarto-pi-release"
SUFFIX: Final = ".sig"
KEYS: Final = "release-keys"


def unpack_signed(archive: Path, keys: Sequence[Path], folder: Path) -> Path:
    """Unpack an archive that one of these keys has signed into an empty folder, and return where its sources are."""
    signature = archive.with_name(archive.name + SUFFIX)
    for file in (archive, signature):
        if not file.is_file():
            raise InstallError(f"There is no {file}: a release is an archive and its signature beside it.")
    # Copied first: what is unpacked is what was checked, whoever else may write where it came from.
    copy, signed = folder / archive.name, folder / signature.name
    shutil.copyfile(archive, copy)
    shutil.copyfile(signature, signed)
    known = folder / KEYS
    known.write_text("".join(each.read_text(encoding="utf-8") for each in keys if each.is_file()), encoding="utf-8")
    _verify(copy, signed, known, archive)
    sources = folder / "unpacked"
    sources.mkdir()
    shell.run("tar", "-xzf", copy, "-C", sources, "--no-same-owner", what="Unpacking the release")
    found = [each for each in sources.iterdir() if (each / "systemd/install").is_file()]
    if len(found) != 1:
        raise InstallError(f"{archive} is signed, but it is no release of quarto-pi: it holds no installer.")
    return found[0]


def _verify(copy: Path, signature: Path, keys: Path, archive: Path) -> None:
    lines = [line for line in keys.read_text(encoding="utf-8").splitlines() if line.strip() and line[0] != "#"]
    if not lines:
        raise InstallError("No release key is known here: put the publisher's line into /etc/quarto-pi/release-keys.")
    asked = ("-Y", "verify", "-f", keys, "-I", IDENTITY, "-n", NAMESPACE, "-s", signature)
    try:
        with copy.open("rb") as stream:
            done = subprocess.run(
                ["ssh-keygen", *map(str, asked)], stdin=stream, capture_output=True, text=True, check=False
            )
    except FileNotFoundError as error:
        raise InstallError("ssh-keygen is not installed: sudo apt install openssh-client.") from error
    if done.returncode != 0:
        why = (done.stderr or done.stdout).strip().splitlines()[-1:] or ["no reason given"]
        raise InstallError(
            f"{archive} is not signed by a release key that is known here ({why[0].rstrip('.')}): nothing of it was "
            "unpacked; fetch it again, with its signature, from where it was published."
        )

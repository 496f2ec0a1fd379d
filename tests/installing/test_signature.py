"""Releases and their signatures, by the real ssh-keygen: nothing is unpacked that the publisher has not signed."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from installing.main import main
from installing.places import Places
from installing.signature import IDENTITY, NAMESPACE, SUFFIX, unpack_signed
from installing.telling import InstallError


def ssh_keygen(*arguments: str | Path) -> None:
    subprocess.run(["ssh-keygen", "-q", *map(str, arguments)], check=True, stdin=subprocess.DEVNULL)  # noqa: S603, S607


@pytest.fixture
def key(tmp_path: Path) -> Path:
    """A publisher's private key."""
    key = tmp_path / "key"
    ssh_keygen("-t", "ed25519", "-N", "", "-C", "", "-f", key)
    return key


@pytest.fixture
def keys(key: Path, tmp_path: Path) -> Path:
    """The file that names it."""
    keys = tmp_path / "release-keys"
    public = key.with_suffix(".pub").read_text(encoding="utf-8")
    keys.write_text(f'# whose\n{IDENTITY} namespaces="{NAMESPACE}" {public}', encoding="utf-8")
    return keys


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """A release whose installer says what it was asked for."""
    installer = tmp_path / "quarto-pi-1/systemd/install"
    installer.parent.mkdir(parents=True)
    installer.write_text(
        '#!/bin/sh\necho "installing with $*" > "$(dirname "$0")/../../../../asked"\n', encoding="utf-8"
    )
    installer.chmod(0o755)
    archive = tmp_path / "quarto-pi-1.tar.gz"
    subprocess.run(["tar", "-czf", archive, "-C", tmp_path, "quarto-pi-1"], check=True)  # noqa: S603, S607
    return archive


def sign(archive: Path, key: Path, namespace: str = NAMESPACE) -> None:
    archive.with_name(archive.name + SUFFIX).unlink(missing_ok=True)
    ssh_keygen("-Y", "sign", "-f", key, "-n", namespace, archive)


def empty(folder: Path) -> Path:
    folder.mkdir()
    return folder


def test_release_of_the_publisher_is_unpacked(archive: Path, key: Path, keys: Path, tmp_path: Path) -> None:
    sign(archive, key)
    unpacked = unpack_signed(archive, (tmp_path / "none", keys), empty(tmp_path / "folder"))
    assert (unpacked / "systemd/install").read_bytes().startswith(b"#!/bin/sh")


@pytest.mark.parametrize("wrong", ["another archive", "another key", "another purpose", "no signature", "no key known"])
def test_nothing_is_unpacked_of_what_the_publisher_has_not_signed(
    archive: Path, key: Path, keys: Path, tmp_path: Path, wrong: str
) -> None:
    sign(archive, key, "file" if wrong == "another purpose" else NAMESPACE)
    if wrong == "another archive":
        archive.write_bytes(archive.read_bytes() + b"\0")
    if wrong == "another key":
        ssh_keygen("-t", "ed25519", "-N", "", "-f", tmp_path / "other")
        sign(archive, tmp_path / "other")
    if wrong == "no signature":
        archive.with_name(archive.name + SUFFIX).unlink()
    if wrong == "no key known":
        keys.write_text("# nobody yet\n", encoding="utf-8")
    folder = empty(tmp_path / "folder")
    with pytest.raises(InstallError):
        unpack_signed(archive, (keys,), folder)
    assert not (folder / "unpacked").exists()


def test_installer_of_the_release_is_asked_for_the_rest(
    archive: Path, key: Path, keys: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", f"{tmp_path}")
    sign(archive, key)
    root = tmp_path / "root"
    (root / "etc/quarto-pi").mkdir(parents=True)
    keys.rename(root / "etc/quarto-pi/release-keys")
    sources = Path(__file__).parent.parent.parent
    assert main(["--archive", f"{archive}", "--yes", "--voice"], sources, Places(root)) == 0
    assert (tmp_path / "asked").read_text(encoding="utf-8") == "installing with --yes --voice\n"
    archive.write_bytes(b"something else")
    assert main([f"--archive={archive}", "--yes"], sources, Places(root)) == 1

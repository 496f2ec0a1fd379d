"""What the hub finds out about a file before it is rolled out, and what it keeps."""

from __future__ import annotations

import hashlib
import io
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from quarto_pi.cli import main
from quarto_pi.hub.settings import HubFailure
from quarto_pi.hub.version_shelf import MOST_VERSIONS, BundleRefused, VersionShelf, look_at_bundle
from tests.hub.bundle_making import BLOCK, Publisher, bundle_of, good_bundle, manifest_of, payload_of, publisher_in


@pytest.fixture(scope="module")
def publisher(tmp_path_factory: pytest.TempPathFactory) -> Publisher:
    return publisher_in(tmp_path_factory.mktemp("publisher"))


def written(folder: Path, content: bytes) -> Path:
    file = folder / "some.raucb"
    file.write_bytes(content)
    return file


@pytest.mark.parametrize("blocks", [1, 2, 128, 129, 300])
def test_a_bundle_tells_its_version_and_who_has_signed_it(blocks: int, publisher: Publisher, tmp_path: Path) -> None:
    content = good_bundle(publisher, blocks=blocks)
    found = look_at_bundle(written(tmp_path, content), publisher.certificate)
    assert (found.version, found.checked, found.size) == ("2.0-abc", True, len(content))
    assert found.sha256 == hashlib.sha256(content).hexdigest()
    assert not look_at_bundle(written(tmp_path, content), None).checked


@pytest.mark.skipif(shutil.which("rauc") is None or shutil.which("mksquashfs") is None, reason="RAUC packs it")
def test_a_bundle_that_rauc_has_packed_is_one(publisher: Publisher, tmp_path: Path) -> None:
    folder, file = tmp_path / "content", tmp_path / "real.raucb"
    folder.mkdir()
    for name in ("boot.img", "root.img"):
        (folder / name).write_bytes(payload_of(3, 200))
    manifest = (
        "[update]\ncompatible=quarto-pi-card\nversion=0.2.0-abc1234\n\n[bundle]\nformat=verity\n\n"
        "[image.boot]\nfilename=boot.img\n\n[image.rootfs]\nfilename=root.img\n"
    )
    (folder / "manifest.raucm").write_text(manifest, encoding="ascii")
    signer = (f"--cert={publisher.certificate}", f"--key={publisher.key}")
    subprocess.run(["rauc", "bundle", *signer, folder, file], check=True, capture_output=True)  # noqa: S603, S607
    assert look_at_bundle(file, publisher.certificate).version == "0.2.0-abc1234"
    damaged = bytearray(file.read_bytes())
    damaged[9_000] ^= 1
    with pytest.raises(BundleRefused, match="damaged"):
        look_at_bundle(written(tmp_path, bytes(damaged)), publisher.certificate)


def test_somebody_elses_bundle_is_refused_where_a_publisher_is_named(publisher: Publisher, tmp_path: Path) -> None:
    stranger = publisher_in(tmp_path, "stranger")
    file = written(tmp_path, good_bundle(stranger))
    with pytest.raises(BundleRefused, match="not signed by the publisher"):
        look_at_bundle(file, publisher.certificate)
    assert look_at_bundle(file, None).version == "2.0-abc"


def test_a_certificate_that_has_run_out_still_counts_as_on_a_card(tmp_path: Path) -> None:
    old = publisher_in(tmp_path, "old", has_ended=True)
    assert look_at_bundle(written(tmp_path, good_bundle(old)), old.certificate).checked


def changed(of: bytes, at: int) -> bytes:
    return of[:at] + bytes([of[at] ^ 1]) + of[at + 1 :]


WRONG: dict[str, tuple[Callable[[Publisher], bytes], str]] = {
    "nothing": (lambda _: b"", "no update"),
    "a photo": (lambda _: b"\xff\xd8\xff" * 9_000, "no update"),
    "no signature": (lambda _: payload_of(), "not whole, or not signed"),
    "cut": (lambda who: good_bundle(who)[:-100], "not whole, or not signed"),
    "its middle lost": (lambda who: good_bundle(who)[:BLOCK] + good_bundle(who)[9 * BLOCK :], "damaged"),
    "a byte changed": (lambda who: changed(good_bundle(who), 77_777), "not what was signed"),
    "its signature changed": (lambda who: changed(good_bundle(who), 301 * BLOCK + 500), "sign"),
    "other content": (lambda who: bundle_of(who, manifest_of(payload_of(1)), payload_of(2)), "not what was signed"),
    "for something else": (
        lambda who: bundle_of(who, manifest_of(payload_of(), compatible="toaster"), payload_of()),
        "it is for 'toaster'",
    ),
    "no version": (lambda who: bundle_of(who, manifest_of(payload_of(), version=""), payload_of()), "no version"),
    "a wild version": (
        lambda who: bundle_of(who, manifest_of(payload_of(), version="../../x"), payload_of()),
        "no version",
    ),
    "plain": (
        lambda who: bundle_of(who, "[update]\ncompatible=quarto-pi-card\nversion=2\n", payload_of()),
        "'verity'",
    ),
    "no manifest": (lambda who: bundle_of(who, "nonsense", payload_of()), "manifest"),
    "no hash": (
        lambda who: bundle_of(who, manifest_of(payload_of()).replace("verity-hash", "other"), payload_of()),
        "does not say what was signed",
    ),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_cannot_be_rolled_out_is_refused_in_one_sentence(what: str, publisher: Publisher, tmp_path: Path) -> None:
    make, said = WRONG[what]
    with pytest.raises(BundleRefused, match=said) as refused:
        look_at_bundle(written(tmp_path, make(publisher)), publisher.certificate)
    assert str(refused.value).endswith(".")
    assert "\n" not in str(refused.value)


def test_a_publisher_who_is_not_there_is_said(publisher: Publisher, tmp_path: Path) -> None:
    with pytest.raises(HubFailure, match="is not there"):
        look_at_bundle(written(tmp_path, good_bundle(publisher)), tmp_path / "nobody.pem")


# --- What is kept -----------------------------------------------------------------------------------------------------


def test_versions_are_kept_found_and_taken_away(publisher: Publisher, tmp_path: Path) -> None:
    shelf = VersionShelf(tmp_path)
    assert shelf.all() == []
    old = shelf.put(io.BytesIO(good_bundle(publisher, "1.9")), "anna", 5.0)
    new = shelf.put(io.BytesIO(good_bundle(publisher, "2.0")), "anna", 6.0)
    again = VersionShelf(tmp_path)
    assert again.all() == [new, old]
    assert again.find(new.sha256) == new
    assert again.keeper == shelf.keeper != ""
    assert shelf.remove(old.sha256)
    assert not shelf.remove(old.sha256)
    assert again.all() == [new]
    assert sorted(path.suffix for path in (tmp_path / "versions").iterdir()) == ["", ".json", ".raucb"]


def test_what_is_refused_leaves_nothing_behind(publisher: Publisher, tmp_path: Path) -> None:
    shelf = VersionShelf(tmp_path)
    for content in (b"a photo", good_bundle(publisher)[:-1]):
        with pytest.raises(BundleRefused):
            shelf.put(io.BytesIO(content), "anna", 5.0)
    assert list((tmp_path / "versions").iterdir()) == []


def test_two_versions_of_one_name_cannot_be_told_apart(publisher: Publisher, tmp_path: Path) -> None:
    shelf = VersionShelf(tmp_path)
    first = shelf.put(io.BytesIO(good_bundle(publisher, seed=1)), "anna", 5.0)
    assert shelf.put(io.BytesIO((shelf.bundle(first.sha256)).read_bytes()), "anna", 6.0).at == 6.0, "the same again"
    with pytest.raises(BundleRefused, match=r"another update is called 2\.0-abc"):
        shelf.put(io.BytesIO(good_bundle(publisher, seed=2)), "anna", 7.0)


def test_so_many_versions_are_kept_and_no_more(publisher: Publisher, tmp_path: Path) -> None:
    shelf = VersionShelf(tmp_path)
    for number in range(MOST_VERSIONS):
        shelf.put(io.BytesIO(good_bundle(publisher, f"{number}", blocks=1)), "anna", number)
    with pytest.raises(BundleRefused, match="remove one first"):
        shelf.put(io.BytesIO(good_bundle(publisher, "more", blocks=1)), "anna", 99)


def test_a_bundle_whose_file_has_gone_or_is_cut_is_none(publisher: Publisher, tmp_path: Path) -> None:
    shelf = VersionShelf(tmp_path)
    kept = shelf.put(io.BytesIO(good_bundle(publisher)), "anna", 5.0)
    shelf.bundle(kept.sha256).write_bytes(b"hsqs")
    assert shelf.find(kept.sha256) is None
    assert shelf.all() == []


def test_the_command_puts_a_version_there_lists_and_removes_it(
    publisher: Publisher, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hub = tmp_path / "hub"
    hub.mkdir(mode=0o700)
    (hub / "hub.toml").write_text(f'[hub]\npublisher = "{publisher.certificate}"\n', encoding="utf-8")
    order = ["hub", "version", "--folder", str(hub)]
    assert main([*order, str(written(tmp_path, good_bundle(publisher)))]) == 0
    assert "2.0-abc" in capsys.readouterr().out
    assert main(order) == 0
    assert "2.0-abc" in capsys.readouterr().out
    assert main([*order, str(written(tmp_path, good_bundle(publisher_in(tmp_path, "stranger"), "3")))]) == 2
    assert "not signed by the publisher" in capsys.readouterr().err
    assert main([*order, str(tmp_path / "none.raucb")]) == 2
    assert main([*order, "--remove", "2.0-abc"]) == 0
    assert main([*order, "--remove", "2.0-abc"]) == 2
    assert VersionShelf(hub).all() == []

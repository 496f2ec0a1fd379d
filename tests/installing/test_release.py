"""Which version a folder of sources is."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from installing.release import release_in
from installing.telling import InstallError

from quarto_pi import __version__

PROJECT = Path(__file__).parent.parent.parent
MODULE = "quarto_pi/__init__.py"


def git(folder: Path, *words: str) -> str:
    alone = ("-c", "user.name=Somebody", "-c", "user.email=somebody@example.org", "-c", "commit.gpgsign=false")
    done = subprocess.run(  # noqa: S603 - a clone of the test's own
        ["git", "-C", folder, *alone, *words],  # noqa: S607
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout.strip()


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    folder = tmp_path / "clone"
    (folder / "quarto_pi").mkdir(parents=True)
    (folder / MODULE).write_text('__version__ = "1.2.3"\n', encoding="utf-8")
    git(folder, "init", "-q")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "begin")
    return folder


def test_clone_is_its_version_and_its_commit(clone: Path) -> None:
    assert release_in(clone).name == f"1.2.3-{git(clone, 'rev-parse', 'HEAD')[:10]}"


def test_clone_that_was_changed_has_a_checksum_instead(clone: Path) -> None:
    before = release_in(clone).name
    (clone / "quarto_pi/more.py").write_text("1\n", encoding="utf-8")
    git(clone, "add", ".")
    changed = release_in(clone).name
    assert changed.startswith("1.2.3-x")
    (clone / "quarto_pi/more.py").write_text("2\n", encoding="utf-8")
    assert len({before, changed, release_in(clone).name}) == 3


def test_archive_says_which_commit_it_is(clone: Path) -> None:
    (clone / "COMMIT").write_text("0123456789\n", encoding="utf-8")
    assert release_in(clone).name == "1.2.3-0123456789"


def test_other_folder_is_told_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(InstallError, match="is not quarto-pi's folder"):
        release_in(tmp_path)


def test_copy_has_what_belongs_to_it_and_nothing_that_was_made_elsewhere(clone: Path, tmp_path: Path) -> None:
    for leftover in ("quarto_pi/kernel.so", "quarto_pi/words.mo", "quarto_pi/__pycache__/x.pyc"):
        (clone / leftover).parent.mkdir(exist_ok=True)
        (clone / leftover).touch()
    release_in(clone).copy_to(tmp_path / "copy")
    copied = {str(file.relative_to(tmp_path / "copy")) for file in (tmp_path / "copy").rglob("*") if file.is_file()}
    assert copied == {MODULE}


def test_clone_for_its_owner_alone_becomes_a_copy_that_the_board_may_read(clone: Path, tmp_path: Path) -> None:
    script = clone / "systemd/patience"
    script.parent.mkdir()
    script.touch()
    for path, mode in ((script, 0o700), (clone / MODULE, 0o600), (script.parent, 0o700), (clone / "quarto_pi", 0o700)):
        path.chmod(mode)
    before = os.umask(0o077)
    try:
        release_in(clone).copy_to(tmp_path / "copy")
    finally:
        os.umask(before)
    modes = {path.name: path.stat().st_mode & 0o777 for path in (tmp_path / "copy").rglob("*")}
    assert modes == {"systemd": 0o755, "patience": 0o755, "quarto_pi": 0o755, "__init__.py": 0o644}


def test_file_that_git_does_not_know_yet_makes_it_another_version(clone: Path) -> None:
    before = release_in(clone).name
    (clone / "quarto_pi/more.py").write_text("1\n", encoding="utf-8")
    assert release_in(clone).name != before


def test_packed_archive_is_installed_under_its_own_name(tmp_path: Path) -> None:
    packed = subprocess.run(  # noqa: S603 - the project's own script
        [PROJECT / "systemd/pack", tmp_path], check=True, capture_output=True, text=True
    ).stdout.strip()
    subprocess.run(["tar", "-xzf", packed, "-C", tmp_path], check=True)  # noqa: S603, S607 - what we have packed
    folder = Path(packed.removesuffix(".tar.gz"))
    assert f"quarto-pi-{release_in(folder).name}" == folder.name
    assert __version__ in folder.name
    assert (folder / "systemd/install").stat().st_mode & 0o100

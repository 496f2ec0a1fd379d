"""Writing a file anew: whatever happens meanwhile, its name is that of a whole version."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from quarto_pi.files import replace_text

DIES_AT_A_STEP = """
import os, sys
from pathlib import Path
from quarto_pi.files import replace_text
steps = 0
def look(event, arguments):
    global steps
    if event in ("open", "os.rename", "os.link", "os.remove", "os.chmod") and sys.argv[1] in str(arguments):
        steps += 1
        if steps == int(sys.argv[2]):
            os._exit(9)
sys.addaudithook(look)
replace_text(Path(sys.argv[1]) / "board.toml", "new" * 5000)
"""


def test_previous_version_is_kept_beside_the_new_one(tmp_path: Path) -> None:
    file = tmp_path / "board.toml"
    for text in ("one", "two", "three"):
        replace_text(file, text)
    assert {part.name: part.read_text() for part in tmp_path.iterdir()} == {
        "board.toml": "three",
        "board.toml.bak": "two",
    }


def test_text_is_on_the_disk_before_its_name_is_and_its_name_at_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "board.toml"
    replace_text(file, "one")
    synced: list[tuple[bool, str]] = []
    sync = os.fsync

    def fsync(descriptor: int) -> None:
        synced.append((stat.S_ISDIR(os.fstat(descriptor).st_mode), file.read_text()))
        sync(descriptor)

    monkeypatch.setattr("os.fsync", fsync)
    replace_text(file, "two")
    assert synced == [(False, "one"), (True, "two")]


def test_mode_is_kept_and_a_new_file_can_be_read_by_all(tmp_path: Path) -> None:
    file = tmp_path / "board.toml"
    replace_text(file, "one")
    assert file.stat().st_mode & 0o777 == 0o644
    file.chmod(0o640)
    replace_text(file, "two")
    assert file.stat().st_mode & 0o777 == 0o640
    assert (tmp_path / "board.toml.bak").stat().st_mode & 0o777 == 0o640


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file to somebody else")
def test_owner_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "board.toml"
    file.write_text("one")
    os.chown(file, 1234, 2345)
    replace_text(file, "two")
    assert (file.stat().st_uid, file.stat().st_gid) == (1234, 2345)


def test_what_a_link_points_to_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    file, link = tmp_path / "there" / "board.toml", tmp_path / "link.toml"
    file.write_text("one")
    link.symlink_to(file)
    replace_text(link, "two")
    assert link.is_symlink()
    assert file.read_text() == "two"


def test_program_that_dies_at_any_step_leaves_a_whole_file(tmp_path: Path) -> None:
    file = tmp_path / "board.toml"
    for step in range(1, 20):
        file.write_text("old" * 5000)
        script = [sys.executable, "-c", DIES_AT_A_STEP, str(tmp_path), str(step)]
        ended = subprocess.run(script, check=False).returncode  # noqa: S603 - this Python
        assert ended in (0, 9)
        assert file.read_text() == ("new" if ended == 0 else file.read_text()[:3]) * 5000
        if ended == 0:
            break
    assert step > 4, "it did not die often enough to prove anything"


def test_file_that_is_somebody_else_s_is_replaced_all_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As Linux has it where `sudo` has written what the service writes next: no `chown`, and no link to it."""

    def refuse(*_: object) -> None:
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))

    file = tmp_path / "tags.toml"
    replace_text(file, "root's")
    file.chmod(0o640)
    monkeypatch.setattr("os.geteuid", lambda: file.stat().st_uid + 1)
    monkeypatch.setattr("os.fchown", refuse)
    monkeypatch.setattr("os.link", refuse)
    replace_text(file, "the board's")
    assert {part.name: part.read_text() for part in tmp_path.iterdir()} == {
        "tags.toml": "the board's",
        "tags.toml.bak": "root's",
    }
    assert {part.stat().st_mode & 0o777 for part in tmp_path.iterdir()} == {0o640}


def test_a_device_is_never_replaced_by_a_file(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(OSError, match="not a file"):
        replace_text(pipe, "one")
    assert pipe.is_fifo()

"""The tags file: written whole or not at all, never in a form that would be refused, and what was before is kept."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from quarto_pi.rules import PIECES
from quarto_pi.sensing.readings import TagsError
from quarto_pi.sensing.tags import TagTable
from quarto_pi.simulation.board import UIDS
from quarto_pi.wiring.guide import TagsFile

TABLE = TagTable(dict(zip(UIDS, PIECES, strict=True)))
OTHER = TagTable({f"{uid[:-2]}81": piece for uid, piece in TABLE.pieces.items()})
PART = TagTable({UIDS[0]: PIECES[0], UIDS[5]: PIECES[5]})


@pytest.fixture
def file(tmp_path: Path) -> TagsFile:
    return TagsFile(tmp_path / "state" / "tags.toml")


def test_what_is_written_is_read_again(file: TagsFile) -> None:
    file.write(TABLE)
    assert file.read() == TABLE
    assert sorted(each.name for each in file.path.parent.iterdir()) == ["tags.toml"]


def test_what_was_there_before_is_kept(file: TagsFile) -> None:
    file.write(TABLE)
    file.write(OTHER)
    assert file.read() == OTHER
    assert TagsFile(file.before).read() == TABLE
    file.write(OTHER)
    assert TagsFile(file.before).read() == TABLE


def test_tags_of_some_pieces_wait_beside_the_file_until_all_have_one(file: TagsFile) -> None:
    file.write(TABLE)
    file.write(PART)
    assert (file.read(), file.read_part()) == (TABLE, PART)
    file.write(OTHER)
    assert (file.read(), file.read_part()) == (OTHER, TagTable())


def test_a_part_that_nobody_can_read_is_no_part(file: TagsFile) -> None:
    assert file.read_part() == TagTable()
    file.write(PART)
    file.part.write_bytes(b"\xff\0")
    assert file.read_part() == TagTable()


def test_what_the_reader_would_refuse_is_not_written(file: TagsFile) -> None:
    file.write(TABLE)
    with pytest.raises(TagsError, match="is not a UID"):
        file.write(TagTable({**TABLE.pieces, "XYZ": PIECES[0]}))
    assert file.read() == TABLE


@pytest.mark.parametrize("function", ["fsync", "replace"])
def test_a_disk_that_takes_no_more_leaves_the_old_file_as_it_was(
    file: TagsFile, monkeypatch: pytest.MonkeyPatch, function: str
) -> None:
    file.write(TABLE)

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, function, full)
    with pytest.raises(OSError, match="No space left"):
        file.write(OTHER)
    monkeypatch.undo()
    assert file.read() == TABLE
    assert not list(file.path.parent.glob("*.new"))


def test_everything_is_on_the_disk_before_the_new_file_takes_the_old_ones_place(
    file: TagsFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    fsync, replace = os.fsync, os.replace

    def note_fsync(descriptor: int) -> None:
        done.append("fsync")
        fsync(descriptor)

    def note_replace(old: str, new: str) -> None:
        done.append("replace")
        replace(old, new)

    monkeypatch.setattr(os, "fsync", note_fsync)
    monkeypatch.setattr(os, "replace", note_replace)
    file.write(TABLE)
    assert done == ["fsync", "replace", "fsync"]


def test_a_file_that_is_set_aside_is_in_nobodys_way(file: TagsFile) -> None:
    file.write(TABLE)
    aside = file.set_aside()
    assert not file.exists()
    assert TagsFile(aside).read() == TABLE


@pytest.mark.parametrize("content", [b"\xff\xfe", b"[tags]\n", None])
def test_a_file_that_cannot_be_read_is_named(file: TagsFile, content: bytes | None) -> None:
    file.path.parent.mkdir()
    if content is not None:
        file.path.write_bytes(content)
    with pytest.raises(TagsError, match=r"tags\.toml"):
        file.read()

"""A cpio archive in the form that the kernel takes as its first file system ("newc": buffer-format.txt)."""

from __future__ import annotations

from collections.abc import Mapping

_FOLDER, _FILE = 0o040755, 0o100755
_END = "TRAILER!!!"


def archive(files: Mapping[str, bytes | None]) -> bytes:
    """The archive of these files, all of them executable; None is a folder."""
    entries = [_entry(number, name, content) for number, (name, content) in enumerate(files.items(), 1)]
    return b"".join([*entries, _entry(0, _END, b"")])


def _entry(number: int, name: str, content: bytes | None) -> bytes:
    mode = 0 if name == _END else _FOLDER if content is None else _FILE
    data = content or b""
    # Number, mode, owner, group, links, time, size, four device numbers, length of the name, no checksum.
    fields = (number, mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(name) + 1, 0)
    head = b"070701" + b"".join(b"%08X" % field for field in fields) + name.encode() + b"\0"
    return _padded(head) + _padded(data)


def _padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % 4)

"""Files that survive a pulled plug: the old text or the new one is there afterwards, never half of one, never none."""

from __future__ import annotations

import errno
import os
import shutil
import stat
from contextlib import suppress
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Final

FOR_ALL_TO_READ: Final = 0o644
PREVIOUS_SUFFIX: Final = ".bak"
"""What is added to the name of the previous version."""


def replace_text(file: Path, text: str) -> None:
    """Write a file anew, durably; it keeps its owner and mode, and its previous version stays beside it."""
    file = file.resolve()  # what a symbolic link points to is replaced, not the link
    old = file.stat() if file.exists() else None
    if old is not None and not stat.S_ISREG(old.st_mode):
        # A device, such as /dev/null, would be a file from then on.
        raise OSError(errno.EINVAL, "not a file", str(file))
    with NamedTemporaryFile("w", encoding="utf-8", dir=file.parent, prefix=f".{file.name}.", delete=False) as new:
        try:
            new.write(text)
            new.flush()
            if old is not None and (old.st_uid, old.st_gid) != (os.geteuid(), os.getegid()):
                # Only root can; what root has written once, the board may still write anew.
                with suppress(PermissionError):
                    os.fchown(new.fileno(), old.st_uid, old.st_gid)
            os.fchmod(new.fileno(), FOR_ALL_TO_READ if old is None else old.st_mode & 0o7777)
            os.fsync(new.fileno())
            if old is not None:
                _keep(file)
            Path(new.name).replace(file)
        except BaseException:
            with suppress(OSError):
                Path(new.name).unlink()
            raise
    sync_folder(file.parent)


def put_whole(
    file: Path, content: bytes, mode: int = FOR_ALL_TO_READ, group: int | None = None, owner: int | None = None
) -> None:
    """Write a file anew, durably, with this mode; nothing of what stood there before is kept, as secrets have to be."""
    new = file.with_name(f".{file.name}.new")
    new.unlink(missing_ok=True)
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode & 0o600)
    with os.fdopen(descriptor, "wb") as stream:
        # What a card for every computer has of modes is fixed when it is mounted.
        with suppress(PermissionError):
            os.fchmod(stream.fileno(), mode)
        # Last: who has given a file away may not change its mode any more.
        if group is not None or owner is not None:
            os.fchown(stream.fileno(), -1 if owner is None else owner, -1 if group is None else group)
        stream.write(content)
        stream.flush()
        os.fsync(stream.fileno())
    new.replace(file)
    sync_folder(file.parent)


def _keep(file: Path) -> None:
    """Give a file a second name; the name never stops being that of a whole version."""
    between = file.with_name(f".{file.name}{PREVIOUS_SUFFIX}")
    between.unlink(missing_ok=True)
    try:
        between.hardlink_to(file)
    except OSError:
        # Linux lets nobody link what is somebody else's, and a card for every computer has no links.
        _copy(file, between)
    between.replace(file.with_name(f"{file.name}{PREVIOUS_SUFFIX}"))


def _copy(file: Path, to: Path) -> None:
    to.touch(mode=0o600, exist_ok=False)
    shutil.copyfile(file, to)
    shutil.copymode(file, to)
    with to.open("rb") as copy:
        os.fsync(copy.fileno())


def sync_folder(folder: Path) -> None:
    """Have the names in a folder outlive a pulled plug."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)

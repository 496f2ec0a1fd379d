"""The place for what has to outlive the plug: there, writable, durable, and with room."""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Final

from quarto_pi.checks.finding import Finding
from quarto_pi.checks.machine import Machine
from quarto_pi.config import state_folder
from quarto_pi.config.state import OF_THE_SERVICE
from quarto_pi.files import sync_folder

LEAST_FREE_MB: Final = 100
LEAST_FREE_FILES: Final = 100
SLOW_SECONDS: Final = 2.0
PROBE: Final = os.urandom(4096)
# What forgets everything when the plug is pulled; an overlay is what raspi-config makes of a read-only card.
FORGETFUL: Final = ("tmpfs", "ramfs", "overlay")
FIXES: Final = {
    errno.EROFS: "restart the Pi; if it stays so, the card is worn out: copy what is on it to a new one",
    errno.ENOSPC: "make room: 'sudo journalctl --vacuum-size=50M' and 'sudo apt clean' are a beginning",
    errno.EDQUOT: "make room: 'sudo journalctl --vacuum-size=50M' and 'sudo apt clean' are a beginning",
    errno.EACCES: "it is not yours: sudo quarto-pi check",
    errno.EPERM: "it is not yours: sudo quarto-pi check",
}


def storage(machine: Machine) -> Iterator[Finding]:
    """Whether the board can keep what it has to remember."""
    folder = folder_of(machine)
    place = _nearest(folder)
    try:
        seconds = _write_durably(place)
        room = os.statvfs(place)
    except OSError as error:
        fix = FIXES.get(error.errno or 0, "restart the Pi; if it stays so, put in a new card")
        yield Finding("storage", ok=False, detail=f"{folder} cannot be written: {error.strerror}", fix=fix)
        return
    free_mb = room.f_bavail * room.f_frsize // 1_000_000
    detail = f"{free_mb} MB free in {folder}; written through to the disk within {seconds * 1000:.0f} ms"
    kind = _file_system(machine, place)
    if free_mb < LEAST_FREE_MB or (room.f_files > 0 and room.f_favail < LEAST_FREE_FILES):
        yield Finding("storage", ok=False, detail=detail, fix=FIXES[errno.ENOSPC])
    elif kind in FORGETFUL and machine.path("proc/device-tree/model").exists():
        fix = "switch the overlay off with raspi-config, or mount a disk there"
        yield Finding("storage", ok=False, detail=f"{folder} is on {kind}: a pulled plug empties it", fix=fix)
    elif seconds > SLOW_SECONDS:
        yield Finding("storage", ok=True, detail=detail, fix="a card that is this slow is worn out, or was never good")
    else:
        yield Finding("storage", ok=True, detail=detail)


def folder_of(machine: Machine) -> Path:
    """Where the board keeps it."""
    return state_folder(machine.environ, machine.path(str(OF_THE_SERVICE)))


def _nearest(folder: Path) -> Path:
    """The folder, or if it is yet to be made, the one in which it will be."""
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    return folder


def _write_durably(folder: Path) -> float:
    """Write a probe through to the disk, read it again, and take it away; return how long that took."""
    start = time.monotonic()
    with NamedTemporaryFile(dir=folder, prefix=".check-", delete=False) as probe:
        try:
            probe.write(PROBE)
            probe.flush()
            os.fsync(probe.fileno())
            sync_folder(folder)
            seconds = time.monotonic() - start
            if Path(probe.name).read_bytes() != PROBE:
                raise OSError(errno.EIO, "what was written is not what is read")
        finally:
            with suppress(OSError):
                Path(probe.name).unlink()
    return seconds


def _file_system(machine: Machine, place: Path) -> str:
    """The kind of file system that a folder is on (proc(5), /proc/mounts: device, place, kind, options)."""
    best = ("", "")
    for line in (machine.text("proc/mounts") or "").splitlines():
        words = line.split()
        if len(words) > 2 and len(words[1]) >= len(best[0]) and Path(place).is_relative_to(machine.path(words[1])):
            best = (words[1], words[2])
    return best[1]

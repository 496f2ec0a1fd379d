"""One installer at a time: the second one says who is at work."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager

from installing.places import Places
from installing.telling import InstallError


@contextmanager
def alone(places: Places) -> Iterator[None]:
    """Keep other installers out; the kernel lets them in again when this process ends, however it does."""
    places.lock.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(places.lock, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o644)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            who = os.pread(descriptor, 20, 0).decode("ascii", "replace").strip() or "unknown"
            raise InstallError(
                f"Another installer is at work on this machine (pid {who}): wait until it is done, then run this again."
            ) from None
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"{os.getpid()}\n".encode("ascii"), 0)
        yield
    finally:
        os.close(descriptor)

"""A USB cable to the host: a pseudo-terminal that can be pulled out, and that may damage what goes through it."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import select
import struct
import termios
import time
import tty
from collections.abc import Callable
from pathlib import Path
from typing import Final

MOST_WAITING: Final = 3_000  # bytes, for a host that does not read; a pseudo-terminal holds some 4,000


class Cable:
    """What leads from the Pico to the host, which finds it under the name `port` while it is plugged in."""

    def __init__(self, port: Path) -> None:
        self.port = port
        self.in_step = True  # nobody reads while the Pico runs; not so for a host in another process
        self.damage: Callable[[bytes], bytes] = lambda data: data
        self.damage_from_host: Callable[[bytes], bytes] = lambda data: data
        self.lost_frames = 0
        self._ends: tuple[int, int] | None = None

    def plug_in(self) -> None:
        """Put it in."""
        master, slave = pty.openpty()
        tty.setraw(slave)
        os.set_blocking(master, False)
        self._ends = (master, slave)
        self.port.unlink(missing_ok=True)
        self.port.symlink_to(os.ttyname(slave))

    def unplug(self) -> None:
        """Pull it out."""
        if self._ends is not None:
            for end in self._ends:
                os.close(end)
            self._ends = None
        self.port.unlink(missing_ok=True)

    @property
    def is_plugged_in(self) -> bool:
        """Whether it is in."""
        return self._ends is not None

    @property
    def has_room(self) -> bool:
        """Whether the host has read enough for another frame."""
        return self._ends is not None and _waiting_in(self._ends[1]) < MOST_WAITING

    def send(self, data: bytes) -> None:
        """Take a frame to the host, or lose it if there is no room."""
        assert self._ends is not None
        master, slave = self._ends
        data = self.damage(data) if data else b""
        if not self.has_room:
            self.lost_frames += 1
            return
        before = _waiting_in(slave)
        try:
            sent = os.write(master, data)
        except BlockingIOError:
            sent = 0
        # The kernel carries the bytes over in its own time; on the board's clock that takes no time at all.
        while self.in_step and _waiting_in(slave) < before + sent:
            time.sleep(0)

    def wait_for_host(self, seconds: float) -> None:
        """Wait until a host in another process has sent something, so long at most."""
        select.select(self._ends[:1] if self._ends else [], [], [], seconds)

    def from_host(self) -> bytes:
        """What the host has sent."""
        if self._ends is None:
            return b""
        with contextlib.suppress(BlockingIOError, OSError):
            return self.damage_from_host(os.read(self._ends[0], 4096))
        return b""


def _waiting_in(end: int) -> int:
    count: int = struct.unpack("i", fcntl.ioctl(end, termios.FIONREAD, b"\0\0\0\0"))[0]
    return count

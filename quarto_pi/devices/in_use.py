"""One program at a time has the board: who opens the readers' bus locks its device node.

The lock is the kernel's (flock): it needs no file of its own, holds between users, and ends with the program, however
that ends.
"""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from typing import Final

from quarto_pi.rules import QuartoError

STOP: Final = "sudo systemctl stop quarto-pi"
"""What ends the service."""


class BoardInUse(QuartoError, RuntimeError):
    """Another program has the board: `user`; the text says what to do."""

    def __init__(self, user: str) -> None:
        super().__init__(f"the board is in use by {user}: end that first, the service with '{STOP}'.")
        self.user = user


def claim(descriptor: int, root: Path = Path("/")) -> None:
    """Lock an open device node until it is closed."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise BoardInUse(_user(os.fstat(descriptor), root)) from error


def _user(node: os.stat_result, root: Path) -> str:
    """The program that holds the lock, as far as the kernel tells (proc(5), /proc/locks)."""
    place = f"{os.major(node.st_dev):02x}:{os.minor(node.st_dev):02x}:{node.st_ino}"
    try:
        for line in (root / "proc" / "locks").read_text(encoding="ascii").splitlines():
            # 1: FLOCK  ADVISORY  WRITE 15543 fe:00:1652459 0 EOF
            fields = line.split()
            if fields[1] == "FLOCK" and fields[5] == place:
                return f"{_program(root / 'proc' / fields[4])} (pid {fields[4]})"
    except (OSError, IndexError):
        pass
    return "another program"


def _program(process: Path) -> str:
    words = (process / "cmdline").read_text(encoding="utf-8", errors="replace").split("\0")
    ours = [number for number, word in enumerate(words) if Path(word).name in ("quarto-pi", "quarto_pi")]
    return f"quarto-pi {words[ours[0] + 1]}" if ours and ours[0] + 1 < len(words) else Path(words[0]).name

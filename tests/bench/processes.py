"""What processes take while they are watched: CPU seconds a second, and memory, each with all that it has started."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Taken:
    """A process and its descendants over some seconds: CPU, user and system, as a share of one core, and megabytes.

    Memory that several of them share is counted once (PSS, proc(5), smaps_rollup).
    """

    cpu: float
    megabytes: float


class Watched:
    """A process that is watched from now on; what ends meanwhile is no longer counted."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._begin = time.monotonic()
        self._before = cpu_seconds(tree_of(pid))

    def taken(self) -> Taken:
        """What it has taken since, and takes."""
        tree = tree_of(self.pid)
        spent, seconds = cpu_seconds(tree) - self._before, time.monotonic() - self._begin
        return Taken(spent / seconds, sum(map(_kilobytes, tree)) / 1000)


def tree_of(pid: int) -> list[int]:
    """A process and all that it has started, and those that they have."""
    found, ahead = [], [pid]
    while ahead:
        one = ahead.pop()
        found.append(one)
        for task in Path(f"/proc/{one}/task").glob("*/children"):
            ahead += [int(child) for child in _text(task).split()]
    return found


def cpu_seconds(pids: Iterable[int]) -> float:
    """The CPU time that processes have used, with that of their children that have ended."""
    ticks = 0
    for pid in pids:
        # The name, which may hold anything, stands in brackets; fields are counted behind it (proc(5), /proc/PID/stat).
        fields = _text(Path(f"/proc/{pid}/stat")).rpartition(")")[2].split()
        ticks += sum(map(int, fields[11:15]))
    return ticks / TICKS


def _kilobytes(pid: int) -> int:
    lines = _text(Path(f"/proc/{pid}/smaps_rollup")).splitlines()
    return next((int(line.split()[1]) for line in lines if line.startswith("Pss:")), 0)


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="ascii", errors="replace")
    except OSError:
        # It has ended meanwhile.
        return ""

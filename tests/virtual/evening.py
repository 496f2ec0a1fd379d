"""An evening in which the power fails again and again: play, cut, look what is there, play on."""

from __future__ import annotations

import random
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TextIO

from tests.cafe.log import Log, NotKept
from tests.cafe.process import SEED, SYNCHRONOUS, TABLE
from tests.virtual.disk import DiskServer, VolatileDisk
from tests.virtual.machine import DATA_MB, Machine, System, make_image, power_machine

LONGEST_BOOT_SECONDS = 300.0
CUT_AFTER_SECONDS = (0.0, 6.0)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an evening came to."""

    cuts: int
    settled: int
    lost: tuple[int, ...]
    notes: tuple[str, ...]
    games: int
    written: int
    flushes: int
    forgotten: int


def live_through(system: System, cuts: int, seed: int, transcript_in: Path, synchronous: str = "") -> Outcome:
    """Cut the power so often, and look once more at the end; all that the machine says goes into a file."""
    draw = random.Random(f"{seed} {synchronous}")
    log = Log()
    settled = forgotten = 0
    with TemporaryDirectory() as folder, transcript_in.open("w", encoding="utf-8") as transcript:
        image, path = Path(folder) / "data.ext4", Path(folder) / "disk"
        make_image(image, DATA_MB)
        disk = VolatileDisk(image, draw)
        server = DiskServer(disk, path)
        try:
            for cut in range(cuts + 1):
                before = len(log.safe)
                words = {TABLE: log.standing(), SYNCHRONOUS: synchronous, SEED: f"{seed}-{cut}"}
                machine = power_machine(system, path, " ".join(f"{key}={value}" for key, value in words.items()))
                _watch(machine, log, transcript, draw.uniform(*CUT_AFTER_SECONDS) if cut < cuts else 0.0)
                server.wait_until_idle()
                forgotten += disk.lose_power()
                settled += len(log.safe) - before + log.lost[-1]
        finally:
            server.close()
            disk.close()
    games = len({number for number, _ in log.safe})
    return Outcome(cuts, settled, tuple(log.lost[1:]), tuple(log.notes), games, disk.written, disk.flushes, forgotten)


def _watch(machine: Machine, log: Log, transcript: TextIO, seconds: float) -> None:
    """Listen until something is safe, and cut the power so many seconds after that."""
    cutting = threading.Timer(LONGEST_BOOT_SECONDS, machine.cut)
    cutting.start()
    heard_safe, began = False, time.monotonic()
    try:
        for line in machine.lines():
            transcript.write(f"{line}\n")
            said = log.hear(line)
            if log.stuck is not None:
                raise NotKept(f"the game does not go on: {log.stuck}")
            if "safe" in said and not heard_safe:
                heard_safe = True
                cutting.cancel()
                cutting = threading.Timer(seconds, machine.cut)
                cutting.start()
    finally:
        cutting.cancel()
        machine.cut()
    if not heard_safe:
        spent = time.monotonic() - began
        raise NotKept(f"nothing was kept in {spent:.0f} s: look at the end of {transcript.name}")

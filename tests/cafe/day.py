"""A day at a café: a controller that is killed and started again, and one that is left alone, for its memory."""

from __future__ import annotations

import random
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.cafe.log import Log, NotKept
from tests.cafe.memory import Memory
from tests.cafe.process import SEED, SHOWN, TABLE, TIDIED

CUT_AFTER_SECONDS = (0.0, 2.5)
"""After something has been told as safe; a game takes about a tenth of a second."""
LONGEST_SECONDS = 120.0
"""A controller that has said nothing for so long hangs."""


@dataclass(frozen=True, slots=True)
class Day:
    """What a day with cuts came to: games that were played to their end, and what was lost at each cut."""

    games: int
    cuts: int
    settled: int
    lost: tuple[int, ...]
    notes: tuple[str, ...]


def day_with_cuts(games: int, seed: int = 1, *, cut_after: tuple[float, float] = CUT_AFTER_SECONDS) -> Day:
    """Play until so many games have ended, killing the controller again and again."""
    draw, log, settled = random.Random(seed), Log(), 0
    with TemporaryDirectory() as folder:
        for cut in count():
            before = len(log.safe)
            words = {TABLE: log.standing(), SEED: f"{seed}-{cut}"}
            with _controller(Path(folder), words) as controller:
                _listen_and_kill(controller, log, draw.uniform(*cut_after))
            settled += len(log.safe) - before + log.lost[-1]
            if log.ended >= games:
                return Day(log.ended, cut, settled, tuple(log.lost[1:]), tuple(log.notes))
    raise AssertionError


def day_without(games: int, *, shown: bool = True, tidied: bool = True) -> list[Memory]:
    """Play so many games in one process, and measure it after each; `tidied`, after what nobody holds is let go of."""
    measured: list[Memory] = []
    log = Log()
    words = {SEED: "steady"} | ({SHOWN: "yes"} if shown else {}) | ({TIDIED: "yes"} if tidied else {})
    with TemporaryDirectory() as folder, _controller(Path(folder), words) as controller:
        for line in _lines(controller):
            match log.hear(line):
                case {"games": int(ended), "kilobytes": int(kb), "blocks": int(blocks), "written": int(written)}:
                    measured.append(Memory(ended, kb, blocks, written))
                    if ended >= games:
                        return measured
                case {"stuck": view}:
                    raise NotKept(f"the game does not go on: {view}")
    raise NotKept(f"the controller ended after {len(measured)} games")


@contextmanager
def _controller(folder: Path, words: dict[str, str]) -> Iterator[subprocess.Popen[str]]:
    said = [f"{key}={value}" for key, value in words.items()]
    command = [sys.executable, "-m", "tests.cafe.process", str(folder), "--", *said]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as controller:  # noqa: S603 - our own
        try:
            yield controller
        finally:
            controller.kill()


def _lines(controller: subprocess.Popen[str]) -> Iterator[str]:
    assert controller.stdout is not None
    return iter(controller.stdout)


def _listen_and_kill(controller: subprocess.Popen[str], log: Log, seconds: float) -> None:
    """Kill it so long after it has told something as safe, and hear what it had said by then."""
    killing = threading.Timer(LONGEST_SECONDS, controller.kill)
    killing.start()
    begun = False
    try:
        for line in _lines(controller):
            said = log.hear(line)
            if log.stuck is not None:
                raise NotKept(f"the game does not go on: {log.stuck}")
            if "safe" in said and not begun:
                begun = True
                killing.cancel()
                killing = threading.Timer(seconds, controller.kill)
                killing.start()
    finally:
        killing.cancel()
    if not begun:
        raise NotKept("the controller did not keep anything any more")

"""The page: how many sweeps a second the loop makes while nobody looks on, and while fifty do.

The board is the simulated one, a piece on the move all the time, so that there is always something new to send. It runs
as fast as it can, which leaves the page's thread no pause to work in (a real board waits for its readers' answers), and
then in real time. Those who look on are a process of their own, as they are on other machines in a home. Then how long
a mark for a touched square needs from the display, on which it is at once, to somebody who looks on.
"""

from __future__ import annotations

import subprocess
import sys
import time
from contextlib import ExitStack
from statistics import median
from typing import Final

from quarto_pi.config import Config
from quarto_pi.referee import Effect, Show
from quarto_pi.referee.view import Mark
from quarto_pi.wiring.board import open_loop
from quarto_pi.wiring.platform import simulated_hardware, simulated_tags
from tests.bench.measure import table

SPECTATORS: Final = 50
SECONDS: Final = 6.0
MOVE_MS: Final = 400
LOOKING_ON: Final = """
import asyncio, sys

async def look_on(port):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET /api/v1/stream HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n")
    await reader.readuntil(b"event: state")
    return reader

async def drain(reader):
    while await reader.read(65536):
        pass

async def main():
    readers = await asyncio.gather(*(look_on(int(sys.argv[1])) for _ in range(int(sys.argv[2]))))
    print("all there", flush=True)
    await asyncio.gather(*(drain(reader) for reader in readers))

asyncio.run(main())
"""

MARKS: Final = 60
MARK_EVERY_MS: Final = 1_300
WATCHING: Final = """
import json, sys, time, urllib.request

stream = urllib.request.urlopen(f"http://127.0.0.1:{sys.argv[1]}/api/v1/stream")
marked = set()
for line in stream:
    if line.startswith(b"data: {") and b'"marks"' in line:
        at = time.monotonic_ns()
        now = {cell for cell, mark in json.loads(line[6:])["marks"].items() if mark == "seen"}
        for cell in now - marked:
            print(cell, at, flush=True)
        if not marked and not now:
            print("looking", at, flush=True)
        marked = now
"""


def run() -> None:
    """Measure and print."""
    rows = []
    for name, paced in (("as fast as it can", False), ("in real time", True)):
        alone, longest_alone = sweeps_a_second(0, paced=paced)
        watched, longest = sweeps_a_second(SPECTATORS, paced=paced)
        rows.append(
            [name, f"{alone:.1f}", f"{watched:.1f}", f"{watched / alone:.2f}", f"{longest_alone:.0f}", f"{longest:.0f}"]
        )
    header = ["the loop runs", "sweeps/s alone", f"with {SPECTATORS} looking on", "ratio"]
    table("The page's spectators", [*header, "longest ms alone", f"with {SPECTATORS}"], rows)
    late = sorted(marks_to_page())
    figures = (median(late), late[int(0.95 * len(late))], late[-1])
    table(
        "Milliseconds from the mark of a touched square on the display to the same mark at the page's spectator",
        ["of them", "median", "95 %", "worst"],
        [[f"{len(late)}", *(f"{figure:.1f}" for figure in figures)]],
    )


def sweeps_a_second(spectators: int, *, paced: bool) -> tuple[float, float]:
    """How many rounds of the readers the loop makes, and how long the longest of them took, in milliseconds."""
    platform, board = simulated_hardware(paced=paced)
    # The stand-ins for the Pi's packages have to be in place before the drivers are imported.
    from quarto_pi.config.service import PageConfig  # noqa: PLC0415
    from quarto_pi.simulation.workshop import Workshop  # noqa: PLC0415
    from quarto_pi.wiring.page import OpenPage  # noqa: PLC0415

    config = Config()
    with ExitStack() as stack:
        page = OpenPage(config, PageConfig(port=0), stack)
        loop = open_loop(config, platform, stack, simulated_tags(), page=page.output)
        page.serve(loop)
        loop.turn()
        port = page.address.rstrip("/").rpartition(":")[2]
        crowd = stack.enter_context(
            subprocess.Popen(  # noqa: S603 - this project's own crowd
                [sys.executable, "-c", LOOKING_ON, port, str(spectators)], stdout=subprocess.PIPE, text=True
            )
        )
        stack.callback(crowd.kill)
        assert crowd.stdout is not None
        crowd.stdout.readline()
        workshop, moves, moved_at = Workshop(board, {}), 0, board.clock.ns
        rounds, longest, began = 0, 0.0, time.perf_counter()
        while time.perf_counter() - began < SECONDS:
            if board.clock.ns - moved_at > MOVE_MS * 1_000_000:
                moved_at = board.clock.ns
                moves += 1
                workshop.put(0, ("b2", "b3")[moves % 2])
            started = time.perf_counter()
            loop.turn()
            longest = max(longest, time.perf_counter() - started)
            rounds += 1
        return rounds / (time.perf_counter() - began), 1_000 * longest


class _Marking:
    """An output like the display: the moment at which each mark is to be shown."""

    def __init__(self) -> None:
        self._marks: frozenset[str] = frozenset()
        self.shown: list[tuple[str, int]] = []

    def perform(self, effect: Effect) -> None:
        """Note what is marked now and was not before."""
        if isinstance(effect, Show):
            marks = frozenset(cell for cell, mark in effect.view.marks if mark is Mark.SEEN)
            self.shown += [(cell, time.monotonic_ns()) for cell in marks - self._marks]
            self._marks = marks

    def tick(self, now: int) -> None:
        """Nothing moves here."""


def marks_to_page() -> list[float]:
    """How many milliseconds each mark needs to somebody who looks on, while a board runs in real time."""
    platform, board = simulated_hardware(paced=True)
    from quarto_pi.config.service import PageConfig  # noqa: PLC0415
    from quarto_pi.simulation.workshop import Workshop  # noqa: PLC0415
    from quarto_pi.wiring.page import OpenPage  # noqa: PLC0415

    config = Config()
    with ExitStack() as stack:
        page = OpenPage(config, PageConfig(port=0), stack)
        marking = _Marking()
        loop = open_loop(config, platform, stack, simulated_tags(), outputs=(marking,), page=page.output)
        page.serve(loop)
        loop.turn()
        port = page.address.rstrip("/").rpartition(":")[2]
        watching = stack.enter_context(
            subprocess.Popen(  # noqa: S603 - this project's own spectator
                [sys.executable, "-c", WATCHING, port], stdout=subprocess.PIPE, text=True
            )
        )
        assert watching.stdout is not None
        watching.stdout.readline()
        marking.shown.clear()
        workshop, moves, moved_at = Workshop(board, {}), 0, board.clock.ns
        while len(marking.shown) < MARKS:
            if board.clock.ns - moved_at > MARK_EVERY_MS * 1_000_000:
                moved_at = board.clock.ns
                moves += 1
                workshop.put(0, ("offer", "b2", "c3")[moves % 3])
            loop.turn()
        for _ in range(10):
            loop.turn()
        watching.kill()
        arrived = [line.split() for line in watching.stdout]
    late: list[float] = []
    for cell, at in marking.shown:
        seen = next((int(seen) for where, seen in arrived if where == cell and int(seen) >= at), None)
        if seen is not None:
            late.append((seen - at) / 1_000_000)
    assert len(late) > MARKS * 3 // 4, (len(late), arrived[:5])
    return late

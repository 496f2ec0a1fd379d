"""The page: how many sweeps a second the loop makes while nobody looks on, and while fifty do.

The board is the simulated one, a piece on the move all the time, so that there is always something new to send. It runs
as fast as it can, which leaves the page's thread no pause to work in (a real board waits for its readers' answers), and
then in real time. Those who look on are a process of their own, as they are on other machines in a home.
"""

from __future__ import annotations

import subprocess
import sys
import time
from contextlib import ExitStack
from typing import Final

from quarto_pi.config import Config
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

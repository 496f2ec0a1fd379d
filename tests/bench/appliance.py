"""The board as an appliance: how soon it is ready, what it takes of the machine, and what it writes to the card.

The simulated board at real speed; its chips are part of the process, and how much of its time they take is told.
"""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from quarto_pi.config import Config
from quarto_pi.devices.light_patterns import PanelLightsSettings, SquareLightsSettings
from quarto_pi.devices.settings import OledSettings
from quarto_pi.simulation.bus import SpiBus
from quarto_pi.wiring.platform import simulated_hardware
from tests.bench.measure import table
from tests.cafe.day import day_without
from tests.ports import free_port

STARTS = 7
SECONDS = 15.0
IDLE_AFTER_MS = 61_000
MOVE_SECONDS = 2.5
"""People who play fast: they give, and place, every few seconds."""
GAMES = 30
ACTIONS_A_GAME = 32
EVERYTHING = """
[oled]
[panel_lights]
[square_lights]
[page]
present = true
port = {port}
"""
RUN = ("-m", "quarto_pi", "run", "--simulated")


def run() -> None:
    """Measure and print."""
    _starts()
    _cpu()
    _writing()


# --- start and memory -------------------------------------------------------------------------------------------------


def _starts() -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        config = folder / "everything.toml"
        config.write_text(EVERYTHING.format(port=free_port()), encoding="utf-8")
        started = {
            "a bare Python that prints a line": ("-c", "print()"),
            "quarto-pi run": RUN,
            "with a journal": (*RUN, "--keep", str(folder / "kept")),
            "with journal, page, display and lights": (*RUN, "--keep", str(folder / "kept"), "--config", str(config)),
        }
        rows = []
        for what, arguments in started.items():
            measured = [_start(arguments) for _ in range(STARTS)]
            seconds = [second for second, _ in measured]
            megabytes = median(megabytes for _, megabytes in measured)
            rows.append([what, f"{median(seconds):.2f}", f"{max(seconds):.2f}", f"{megabytes:.1f}"])
    header = ["", "s until ready: median", "worst", "MB in memory"]
    table(f"From the start of the process to the first sweep that is judged, {STARTS} starts", header, rows)


def _start(arguments: tuple[str, ...]) -> tuple[float, float]:
    """Seconds until something is said (the board says what to do once it has looked at all squares), and megabytes."""
    began = time.perf_counter()
    with subprocess.Popen(  # noqa: S603 - ourselves
        [sys.executable, *arguments], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        assert process.stdout is not None
        said = process.stdout.readline()
        assert said, f"'{' '.join(arguments)}' ended before it was ready"
        seconds = time.perf_counter() - began
        status = Path(f"/proc/{process.pid}/status").read_text(encoding="ascii")
        kilobytes = next((line.split()[1] for line in status.splitlines() if line.startswith("VmRSS")), "0")
        process.kill()
    return seconds, int(kilobytes) / 1_000


# --- CPU --------------------------------------------------------------------------------------------------------------


def _cpu() -> None:
    rows = [["a Python process that sleeps, ten times a second", *_shares(_sleep, lambda: 0.0)]]
    for kept in (False, True):
        ending = ", journal" if kept else ""
        with ExitStack() as stack, TemporaryDirectory() as folder:
            board = _Board(stack, Path(folder) if kept else None)
            rows.append([f"in play{ending}", *_shares(board.play, board.chips)])
            board.become_idle()
            rows.append([f"idle{ending}", *_shares(board.watch, board.chips)])
    header = ["", "% of a core", "of that the simulated chips", "the controller alone"]
    table(f"CPU of the board with display, lights and page, in real time, {SECONDS:.0f} s each", header, rows)


def _shares(work: Callable[[float], None], chips: Callable[[], float]) -> list[str]:
    """The shares of a core in per cent: of everything, of the chips, of what is left."""
    began, cpu, before = time.perf_counter(), time.process_time(), chips()
    work(SECONDS)
    elapsed = time.perf_counter() - began
    all_of_it, simulated = (100 * spent / elapsed for spent in (time.process_time() - cpu, chips() - before))
    return [f"{all_of_it:.1f}", f"{simulated:.1f}", f"{all_of_it - simulated:.1f}"]


def _sleep(seconds: float) -> None:
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        time.sleep(0.1)


class _Board:
    """A simulated board with everything on it, and hands."""

    def __init__(self, stack: ExitStack, keep: Path | None) -> None:
        # The stand-ins for the Pi's packages have to be in place before the drivers are imported.
        simulated_hardware()
        from quarto_pi.wiring.playground import Playground  # noqa: PLC0415

        config = Config(oled=OledSettings(), panel_lights=PanelLightsSettings(), square_lights=SquareLightsSettings())
        self._playground = Playground(config, stack, paced=False, keep=keep)
        self._draw = random.Random(1)
        self._chips = 0.0
        self._count_chips(self._playground.board.bus)
        self._playground.loop.turn()
        self._playground.board.clock.keep_pace()

    def chips(self) -> float:
        """The CPU time that the chips have taken."""
        return self._chips

    def play(self, seconds: float) -> None:
        """Give and place by the rules, one thing after the other."""
        end = time.perf_counter() + seconds
        next_at = time.perf_counter()

        def going_on() -> bool:
            nonlocal next_at
            now = time.perf_counter()
            if now >= next_at:
                next_at += MOVE_SECONDS
                self._move()
            return now < end

        self._playground.loop.run(going_on)

    def become_idle(self) -> None:
        """Let a quiet minute pass in no time."""
        # What hands have begun has to come to rest first.
        self.watch(3.0)
        clock = self._playground.board.clock
        clock.ns += IDLE_AFTER_MS * 1_000_000
        clock.keep_pace()
        self.watch(2.0)

    def watch(self, seconds: float) -> None:
        """Let the board look at what does not move."""
        end = time.perf_counter() + seconds
        self._playground.loop.run(lambda: time.perf_counter() < end)

    def _move(self) -> None:
        workshop, state = self._playground.workshop, self._playground.loop.state
        assert state is not None
        game = state.game
        if game.over:
            workshop.clear()
        elif game.hand is not None:
            workshop.put(game.hand.number, self._draw.choice(game.board.empty_squares).name)
        elif game.board.pieces_left:
            workshop.put(self._draw.choice(game.board.pieces_left).number, "offer")

    def _count_chips(self, bus: SpiBus) -> None:
        transfer = bus.transfer

        def counted(data: Sequence[int], speed_hz: int, mode: int) -> list[int]:
            before = time.thread_time()
            answer = transfer(data, speed_hz, mode)
            self._chips += time.thread_time() - before
            return answer

        bus.transfer = counted  # type: ignore[method-assign] # a meter is put in between


# --- the card ---------------------------------------------------------------------------------------------------------


def _writing() -> None:
    measured = day_without(GAMES, shown=False)
    first, last = measured[0], measured[-1]
    each = (last.written - first.written) / max(1, last.games - first.games)
    rows = [[f"{last.games}", f"{each / 1000:.0f}", f"{each / ACTIONS_A_GAME / 1000:.1f}"]]
    header = ["games", "kB a game", f"kB an action, of at most {ACTIONS_A_GAME}"]
    table("What the journal has the kernel write to the card, in whole pages; without one nothing is", header, rows)

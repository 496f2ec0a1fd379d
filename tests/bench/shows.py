"""A recorded game on all displays: what goes over the buses, how long that takes, and what it costs."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import median

from quarto_pi.controller.computer import Computer
from quarto_pi.referee import Settings, Show
from quarto_pi.referee.view import ClockView
from quarto_pi.rules import Player
from quarto_pi.trace.format import read_trace
from quarto_pi.trace.replay import effects_of
from tests.bench.measure import table
from tests.games.performance import Lines, Timed
from tests.outputs.stage import TICK_MS, stage

TRACE = Path(__file__).parent.parent / "traces" / "short-game.trace"
LEVEL = 3
BURST = 100
I2C_BITS = 9  # a byte and its acknowledgement
I2C_BIT_MS = 1 / 400
MINUTE_MS = 60_000


@dataclass
class Measured:
    """What was counted while the game was shown: bytes and CPU seconds of each picture, and CPU seconds in all."""

    new: list[tuple[int, float]] = field(default_factory=list)
    moving: list[tuple[int, float]] = field(default_factory=list)
    caller: float = 0.0
    worker: float = 0.0
    length_ms: int = 0


def run(luma_alone: int) -> None:
    """Measure and print; luma alone takes so many bytes for every picture."""
    measured = show(effects_of_trace(TRACE))
    pictures = [*measured.new, *measured.moving]
    rows = [
        _row("a new screen", measured.new),
        _row("motion on it, and all of it each 30 s", measured.moving),
        _row("luma alone, the same pictures", [(luma_alone, 0.0)] * len(pictures))[:-1],
    ]
    header = ["", "pictures", "bytes in all", "median", "worst", "ms at 400 kHz: median", "worst", "CPU ms: median"]
    rows[-1].append("")
    length = f"{measured.length_ms / 1_000:.0f} s of {TRACE.stem}"
    table(f"From the effect to the last byte: the OLED (ssd1306 on I2C) in {length}", header, rows)
    table(
        "CPU for display, panel lights and square lights, simulated chips included",
        ["", "ms a minute of play", "share of a core"],
        [
            [name, f"{MINUTE_MS * 1_000 * spent / measured.length_ms:.0f}", f"{1e5 * spent / measured.length_ms:.2f} %"]
            for name, spent in (("the loop that calls", measured.caller), ("the workers that send", measured.worker))
        ],
    )
    view = next(effect.view for _, effect in effects_of_trace(TRACE) if isinstance(effect, Show))
    views = [Show(replace(view, clock=ClockView(Player.A, seconds))) for seconds in range(BURST)]
    table(
        f"{BURST} views at once",
        ["", "dropped undrawn", "dropped unsent", "sent", "bytes"],
        [
            _burst("all before the loop's next tick", [views]),
            _burst("a tick each, while the bus is busy", [[each] for each in views]),
        ],
    )


def effects_of_trace(file: Path) -> list[Timed]:
    """What the referee wants done in a recorded evening, and when."""
    with file.open(encoding="utf-8") as text:
        trace = read_trace(text, Settings(), LEVEL)
    lines = Lines(trace.lines)
    return [(lines.reached, effect) for effect in effects_of(replace(trace, lines=lines), Computer())]


def show(effects: list[Timed]) -> Measured:
    """Show an evening, with a tick each 100 ms and at once after every effect, as the loop does it."""
    measured = Measured(length_ms=effects[-1][0])
    moments = sorted({*range(0, measured.length_ms, TICK_MS), *(at for at, _ in effects)})
    waiting = list(effects)
    with stage() as it:
        it.tick(0)
        for now in moments:
            before, arrived = it.desk.bytes, False
            started = time.process_time()
            while waiting and waiting[0][0] <= now:
                effect = waiting.pop(0)[1]
                arrived = arrived or isinstance(effect, Show)
                it.perform(effect)
            for output in it.outputs:
                output.tick(now)
            called = time.process_time()
            it.desk.clock.wait_until(now * 1_000)
            it.work()
            measured.caller += called - started
            measured.worker += time.process_time() - called
            sent = it.desk.bytes - before
            if sent:
                (measured.new if arrived else measured.moving).append((sent, time.process_time() - started))
    return measured


def _row(name: str, pictures: list[tuple[int, float]]) -> list[str]:
    sent, spent = [count for count, _ in pictures], [1_000 * seconds for _, seconds in pictures]
    times = [count * I2C_BITS * I2C_BIT_MS for count in (median(sent), max(sent))]
    counts = [len(sent), sum(sent), round(median(sent)), max(sent)]
    return [name, *map(str, counts), *(f"{ms:.1f}" for ms in times), f"{median(spent):.1f}"]


def _burst(name: str, ticks: list[list[Show]]) -> list[str]:
    """Views that arrive between these ticks, and a bus that is free only afterwards."""
    with stage() as it:
        it.tick(0)
        before = it.desk.bytes
        for arriving in ticks:
            for each in arriving:
                it.perform(each)
            for output in it.outputs:
                output.tick(0)
        it.work()
        unsent = it.desk.oled.dropped
        sent = it.desk.bytes - before
    return [name, f"{BURST - len(ticks)}", f"{unsent}", f"{len(ticks) - unsent}", f"{sent}"]

"""The referee: how fast an evening is replayed, and how soon the board does what hands and fingers mean."""

from __future__ import annotations

import random
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from statistics import median

from quarto_pi.config import Config
from quarto_pi.controller.computer import Computer
from quarto_pi.referee import Tell
from quarto_pi.rules import PIECES, Called, Given, Placed
from quarto_pi.sensing.readings import SQUARE_NAMES
from quarto_pi.trace.format import read_trace
from quarto_pi.trace.replay import replay
from quarto_pi.wiring.platform import simulated_hardware
from tests.bench.measure import table

# The stand-ins below the real packages have to be in place before the evening's devices are imported.
simulated_hardware()

from tests.evening import Build, Evening, Underneath, on_the_header  # noqa: E402
from tests.pico.underneath import on_a_pico  # noqa: E402

GAMES = 6
THOUGHT_MS = 6_000
ROUNDS = 5
CARRIED_AT_ONCE = 0.4


def run() -> None:
    """Play games through simulated chips, measure the delays, and replay what was recorded."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "evening.trace"
        _delays("on a Pi's header", play(file))
        _delays("on a Pico with the time of an RP2040", play(Path(folder) / "pico.trace", build=_on_a_slow_pico))
        text = file.read_text().splitlines(keepends=True)
    best = 0.0
    trace = read_trace(text, Config().game.settings(offer_reader=True), 3)
    for _ in range(ROUNDS):
        started = time.process_time()
        list(replay(read_trace(text, Config().game.settings(offer_reader=True), 3), Computer()))
        best = max(best, len(trace.lines) / (time.process_time() - started))
    evening = (trace.lines[-1].at - trace.lines[0].at) / 1000
    table(
        f"Replaying those {evening:.0f} seconds, reading the trace included",
        ["", "lines of the trace", "lines a CPU second", "times as fast as it happened"],
        [["", f"{len(trace.lines)}", f"{best:.0f}", f"{best * evening / len(trace.lines):.0f}"]],
    )


def _on_a_slow_pico(stack: ExitStack, config: Config) -> Underneath:
    return on_a_pico(stack, config, processor_time=True)


def _delays(board: str, delays: dict[str, list[float]]) -> None:
    table(
        f"Milliseconds from what hands and fingers did to its effect, through simulated chips {board}, "
        f"{Config().fields.mode.value}",
        ["", "of them", "median", "95 %", "worst"],
        [_row(name, found) for name, found in delays.items()],
    )


def _row(name: str, found: list[float]) -> list[str]:
    ordered = sorted(found)
    figures = (median(ordered), ordered[int(0.95 * len(ordered))], ordered[-1])
    return [name, f"{len(found)}", *(f"{figure:.0f}" for figure in figures)]


def play(file: Path, build: Build = on_the_header) -> dict[str, list[float]]:
    """How long it took for what hands and fingers did to be marked as seen, and to be told."""
    draw = random.Random(1)
    delays: dict[str, list[float]] = {
        "a piece comes to rest: seen": [],
        "a piece rests on the give place: told": [],
        "a piece rests on a square: told": [],
        "the button is pressed: told": [],
        "a piece is taken up, and out of reach: seen": [],
        "a piece is carried to its square in half a second: seen": [],
    }
    put, given, placed, pressed, lifted, carried = delays.values()

    def at_any_moment() -> float:
        # A round of the readers has just ended: hands know nothing of rounds.
        return draw.uniform(1, 300)

    with ExitStack() as stack:
        evening = Evening(stack, Config(), file, build=build)
        evening.wait(2_000)
        for _ in range(GAMES):
            pieces, squares = draw.sample(PIECES, 16), draw.sample(SQUARE_NAMES, 16)
            for piece, square in zip(pieces, squares, strict=True):
                evening.put(piece.letters, "offer", at_any_moment())
                put.append(_delay_to_mark(evening, "offer"))
                given.append(_delay(evening, Given))
                evening.wait(draw.uniform(0, THOUGHT_MS))
                if draw.random() < CARRIED_AT_ONCE:
                    evening.carry(piece.letters, square, at_any_moment())
                    carried.append(_delay_to_mark(evening, square))
                else:
                    evening.lift(piece.letters, at_any_moment())
                    lifted.append(_delay_to_mark(evening, "offer"))
                    evening.put(piece.letters, square, at_any_moment())
                    put.append(_delay_to_mark(evening, square))
                placed.append(_delay(evening, Placed))
                if evening.state.game.over:
                    break
                evening.press()
                pressed.append(_delay(evening, Called))
                if evening.state.game.over:
                    break
                evening.wait(draw.uniform(0, THOUGHT_MS))
            evening.clear()
            evening.wait(12_000)
    return delays


def _delay(evening: Evening, kind: type[Given | Placed | Called]) -> float:
    told = [effect for effect in evening.watcher.effects if isinstance(effect, Tell)]
    last = next(effect for effect in reversed(told) if isinstance(effect.report, kind))
    return last.at - evening.done_at


def _delay_to_mark(evening: Evening, cell: str) -> float:
    """From the piece's coming to rest, or being out of reach, to the mark; before it, if it is heard on its way."""
    at, marked = evening.watcher.marked[-1]
    assert marked == cell, (marked, cell)
    return at - evening.began - evening.done_at

"""The referee: how fast an evening is replayed, and how soon the board does what hands and fingers mean."""

from __future__ import annotations

import random
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from statistics import median

from quarto_pi.below import simulated_hardware
from quarto_pi.computer import Computer
from quarto_pi.config import Config
from quarto_pi.referee import Tell
from quarto_pi.rules import PIECES, Called, Given, Placed
from quarto_pi.sensing.readings import SQUARES
from quarto_pi.trace.reader import read_trace
from quarto_pi.trace.replay import replay
from tests.bench.measure import table

# The stand-ins below the real packages have to be in place before the evening's devices are imported.
simulated_hardware()

from tests.evening import Evening  # noqa: E402

GAMES = 4
THOUGHT_MS = 6_000
ROUNDS = 5


def run() -> None:
    """Play games through simulated chips, measure the delays, and replay what was recorded."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "evening.trace"
        delays = play(file)
        rows = [[name, f"{len(found)}", f"{median(found):.0f}", f"{max(found):.0f}"] for name, found in delays.items()]
        table(
            "Milliseconds from what hands and fingers did to its effect, through simulated chips",
            ["", "of them", "median", "worst"],
            rows,
        )
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


def play(file: Path) -> dict[str, list[float]]:
    """How long it took for pieces that were given and placed, and for presses of the button, to be told."""
    draw = random.Random(1)
    delays: dict[str, list[float]] = {"a piece rests on the give place": [], "a piece rests on a square": []}
    delays["the button is pressed"] = []
    with ExitStack() as stack:
        evening = Evening(stack, Config(), file)
        evening.wait(2_000)
        for _ in range(GAMES):
            pieces, squares = draw.sample(PIECES, 16), draw.sample(SQUARES, 16)
            for piece, square in zip(pieces, squares, strict=True):
                evening.put(piece.letters, "offer")
                delays["a piece rests on the give place"].append(_delay(evening, Given))
                evening.lift(piece.letters)
                evening.wait(draw.uniform(0, THOUGHT_MS))
                evening.put(piece.letters, square)
                delays["a piece rests on a square"].append(_delay(evening, Placed))
                if evening.state.game.over:
                    break
                evening.press()
                delays["the button is pressed"].append(_delay(evening, Called))
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

"""The sensing layer's trade-off: how soon a resting piece is reported, against events that did not happen."""

import time
from collections.abc import Iterator
from dataclasses import replace
from statistics import median

from quarto_pi.rules import PIECES
from quarto_pi.sensing.board import Sensing, Sweep
from quarto_pi.sensing.events import PiecePlaced
from quarto_pi.sensing.readings import DEFAULT_TIMES, SQUARE_NAMES, SensingTimes
from tests.bench.measure import table
from tests.sensing.evenings import Verdict, hold_against, random_hands, random_noise, watch
from tests.sensing.hands import TAGS, Hands, Noise, Table

LEVELS = {"clean": 0.0, "usual": 0.3, "poor": 1.0}
"""Boards by their noise: see `random_noise`."""

CHOICES: dict[str, tuple[int, ...]] = {
    "placed_after_ms": (0, 150, 200, 250, 400),
    "placed_after_sweeps": (2, 4, 6),
    "lead_sweeps": (1, 3, 5, 7),
    "removed_confidence": (4, 16, 24, 32),
}
"""The settings that are varied, one at a time; the others keep their defaults."""

INTERVALS_MS = (20, 40, 120, 250, 500)
SWEEPS = 12_000
ACTIONS = 60
UNSEEN_SEED = 5000
HELD = 200


def run(sweeps: int = SWEEPS) -> None:
    """Print all tables."""
    evenings = {level: list(_evenings(level, 100, sweeps)) for level in LEVELS}
    for setting, values in CHOICES.items():
        lifts = setting.startswith("removed")
        rows = [
            [_marked(setting, value), *_figures(evenings, replace(DEFAULT_TIMES, **{setting: value}), lifts=lifts)]
            for value in values
        ]
        what = "lifted" if lifts else "resting"
        _print(f"{setting}, a sweep each 100 ms, delay from {what} to its event (* is the default)", setting, rows)
    rows = []
    for interval in INTERVALS_MS:
        played = {level: list(_evenings(level, interval, sweeps)) for level in LEVELS}
        rows.append([f"{interval} ms", *_figures(played, DEFAULT_TIMES)])
    _print("the defaults at other sweep intervals", "interval", rows)
    unseen(2 * sweeps)
    _hovering()
    _cpu_time(evenings["poor"])


def unseen(sweeps: int) -> None:
    """Evenings that played no part in choosing the defaults."""
    rows = []
    for interval in (40, 120):
        played = {level: list(_evenings(level, interval, sweeps, UNSEEN_SEED)) for level in LEVELS}
        rows.append([f"{interval} ms", *_figures(played, DEFAULT_TIMES)])
    _print("the defaults in evenings that they were not chosen from", "interval", rows)


def _evenings(level: str, interval: int, sweeps: int, seed: int = 0) -> Iterator[tuple[Hands, int, list[Sweep]]]:
    done = 0
    while done < sweeps:
        hands, end = random_hands(seed, ACTIONS)
        end += 5_000
        evening = list(Table(hands, random_noise(seed, LEVELS[level]), seed, interval).sweeps(end))
        yield hands, end, evening
        done += len(evening)
        seed += 1


def _figures(
    evenings: dict[str, list[tuple[Hands, int, list[Sweep]]]], times: SensingTimes, *, lifts: bool = False
) -> list[str]:
    """For each board: median and worst delay of what was placed (or lifted), and false events per 100,000 sweeps."""
    sensing = Sensing(TAGS, times)
    cells: list[str] = []
    for played in evenings.values():
        verdicts = [_verdict(sensing, *evening) for evening in played]
        delays = [delay for verdict in verdicts for delay in (verdict.lift_delays if lifts else verdict.delays)]
        false = sum(len(verdict.false) for verdict in verdicts)
        sweeps = sum(len(evening) for _, _, evening in played)
        cells += [f"{median(delays):.0f}", f"{max(delays)}", f"{100_000 * false / sweeps:.0f}"]
    return cells


def _verdict(sensing: Sensing, hands: Hands, end: int, sweeps: list[Sweep]) -> Verdict:
    _, events = watch(sensing, sweeps)
    return hold_against(hands, events, bound=60_000, removal=0, until=end)


def _marked(setting: str, value: int) -> str:
    return f"{value} *" if getattr(DEFAULT_TIMES, setting) == value else f"{value}"


def _print(title: str, first: str, rows: list[list[str]]) -> None:
    header = [first]
    for level in LEVELS:
        header += [f"{level}: median", "worst ms", "false/100k"]
    table(title, header, rows)


def _hovering() -> None:
    """How many of the pieces that are only held over a square count as placed."""
    lengths = (100, 200, 300, 500)
    rows = []
    for wait in CHOICES["placed_after_ms"]:
        sensing = Sensing(TAGS, replace(DEFAULT_TIMES, placed_after_ms=wait))
        rows.append([_marked("placed_after_ms", wait), *(f"{_believed(sensing, length)} %" for length in lengths)])
    table(
        "pieces held over a square, heard half of the time: how many are believed, a sweep each 40 ms",
        ["placed_after_ms", *(f"{length} ms" for length in lengths)],
        rows,
    )


def _believed(sensing: Sensing, length: int) -> int:
    hands = Hands()
    for index in range(HELD):
        hands.hover(PIECES[index % 16], SQUARE_NAMES[index * 7 % 16], 2_000 + 1_500 * index, length)
    _, events = watch(sensing, Table(hands, Noise(), 1, 40).sweeps(2_000 + 1_500 * HELD))
    return round(100 * sum(isinstance(event, PiecePlaced) for event in events) / HELD)


def _cpu_time(poor: list[tuple[Hands, int, list[Sweep]]]) -> None:
    full = Hands()
    for piece, cell in zip(PIECES, SQUARE_NAMES, strict=True):
        full.put(piece, cell, 0)
    still = list(Table(full, Noise(), 1, 100).sweeps(200_000))
    playing = [sweep for _, _, sweeps in poor[:3] for sweep in sweeps]
    rows = [["a full board at rest", _microseconds(still)]]
    rows.append(["an evening on a poor board", _microseconds(playing[: len(poor[0][2])])])
    table("CPU time of the sensing layer", ["sweeps of 17 cells", "us per sweep"], rows)


def _microseconds(sweeps: list[Sweep]) -> str:
    sensing = Sensing(TAGS)
    started = time.process_time()
    watch(sensing, sweeps)
    return f"{1e6 * (time.process_time() - started) / len(sweeps):.0f}"

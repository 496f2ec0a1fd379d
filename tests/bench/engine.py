"""The search: nodes, time and nodes a second with 8 to 2 pieces placed, compiled and interpreted side by side."""

from __future__ import annotations

import time
from types import ModuleType

from quarto_pi.engine import kernel
from quarto_pi.engine.book import GameValue
from tests.bench.measure import table
from tests.engine.positions import Numbers, listed
from tests.engine.worlds import COMPILED, interpreted_kernel

# What a plain prototype in C needed for positions of this kind, on a machine of the kind it was made for.
PROTOTYPE_NODES = {7: 9_700, 6: 48_000, 5: 285_000, 4: 2_100_000}
DEEP_TABLE_MB = 256
SHALLOW_TABLE_MB = 16
LEAST_INTERPRETED = 6
"""Interpreted, positions with fewer pieces than this would take minutes."""


def run() -> None:
    """Measure and print."""
    rows = []
    for placed, positions in by_placed("positions.txt", "drawn.txt"):
        nodes, seconds = searched(kernel, positions, squares=False)
        rows.append(
            [
                f"{placed}",
                f"{nodes:,.0f}",
                f"{nodes / PROTOTYPE_NODES[placed]:.2f}" if placed in PROTOTYPE_NODES else "-",
                f"{seconds:.5f}",
                f"{nodes / seconds / 1e6:.1f}",
                *interpreted(positions, nodes, seconds),
            ]
        )
    table(
        "The search: mean of ten positions without an immediate win, an empty table for each",
        ["placed", "nodes", "of the prototype's", "CPU s", "M nodes/s", "interpreted M nodes/s", "times slower"],
        rows,
    )
    rows = []
    for placed, positions in by_placed("drawn-squares.txt"):
        nodes, seconds = searched(kernel, positions, squares=True)
        rows.append([f"{placed}", f"{nodes:,.0f}", f"{seconds:.5f}", f"{nodes / seconds / 1e6:.1f}"])
    table("The same with the variant squares", ["placed", "nodes", "CPU s", "M nodes/s"], rows)
    if not COMPILED:
        print("\nThere is no compiled search here: all figures are of the interpreted one.")


def run_empty_board() -> None:
    """Search the empty board, with and without squares: about a minute."""
    rows = []
    for squares in (False, True):
        search = kernel.Search(squares, 15, DEEP_TABLE_MB << 20)
        search.start()
        begun = time.process_time()
        value = GameValue(search.value([-1] * 16, 0))
        seconds = time.process_time() - begun
        rows.append(["squares" if squares else "plain", value.word, f"{search.nodes:,}", f"{seconds:.1f}"])
    table("The empty board by search alone", ["variant", "value", "nodes", "CPU s"], rows)


def interpreted(positions: list[Numbers], nodes: float, seconds: float) -> tuple[str, str]:
    """The interpreted search's speed and how many times slower it is, where that can be waited for."""
    if not COMPILED or 16 - positions[0][0].count(-1) < LEAST_INTERPRETED:
        return "-", "-"
    same_nodes, slow = searched(interpreted_kernel(), positions, squares=False)
    assert same_nodes == nodes, "both worlds search the same nodes"
    return f"{nodes / slow / 1e6:.2f}", f"{slow / seconds:.0f}"


def by_placed(*files: str) -> list[tuple[int, list[Numbers]]]:
    """The positions of files by how many pieces are placed, most first."""
    found: dict[int, list[Numbers]] = {}
    for file in files:
        for numbers, _ in listed(file):
            found.setdefault(16 - numbers[0].count(-1), []).append(numbers)
    return sorted(((placed, positions) for placed, positions in found.items() if placed <= 8), reverse=True)


def searched(world: ModuleType, positions: list[Numbers], *, squares: bool) -> tuple[float, float]:
    """Mean nodes and mean CPU seconds."""
    deep = positions[0][0].count(-1) > 12
    megabytes = DEEP_TABLE_MB if deep else SHALLOW_TABLE_MB
    search = world.Search(squares, 15, megabytes << 20)
    nodes, seconds = 0, 0.0
    for board, hand in positions:
        search.resize(megabytes << 20)
        search.start()
        begun = time.process_time()
        search.value(board, hand)
        seconds += time.process_time() - begun
        nodes += search.nodes
    return nodes / len(positions), seconds / len(positions)

"""The rules: placements checked for alignments a second, against the naive model; import time and memory."""

import random
import subprocess
import sys
from functools import partial

from quarto_pi.rules import PIECES, SQUARES, Board, Piece, Square
from tests.bench.measure import rate, table
from tests.rules.naive import PLAIN, aligned

GAMES = 40
IMPORTS = 15

Filling = list[tuple[Square, Piece]]


def run() -> None:
    """Measure and print."""
    rows = []
    for squares in (False, True):
        ours = rate(partial(check_ours, squares))
        naive = rate(partial(check_naive, squares))
        name = f"squares {'on' if squares else 'off'}"
        rows.append([name, f"{ours:,.0f}", f"{naive:,.0f}", f"{ours / naive:.1f}"])
    table(
        "Placements checked for alignments a CPU second",
        ["variant", "quarto_pi.rules", "naive model", "ratio"],
        rows,
    )
    bare, full = (import_cost(f"import {module}") for module in ("sys", "quarto_pi.rules"))
    table(
        f"Importing quarto_pi.rules, least of {IMPORTS} processes",
        ["", "CPU ms", "peak memory MB"],
        [
            ["bare Python", f"{bare[0]:.1f}", f"{bare[1]:.1f}"],
            ["with quarto_pi.rules", f"{full[0]:.1f}", f"{full[1]:.1f}"],
            ["more by", f"{full[0] - bare[0]:.1f}", f"{full[1] - bare[1]:.1f}"],
        ],
    )


def fillings() -> list[Filling]:
    """Random orders in which the board is filled, the same in every run."""
    draw = random.Random(1)
    return [list(zip(draw.sample(SQUARES, 16), draw.sample(PIECES, 16), strict=True)) for _ in range(GAMES)]


def check_ours(squares: bool) -> int:
    """Fill boards with the rules; every placement is checked."""
    done = 0
    for filling in fillings():
        board = Board()
        for square, piece in filling:
            board = board.place(square, piece)
            board.alignments_through(square, squares)
            done += 1
    return done


def check_naive(squares: bool) -> int:
    """Fill boards with the naive model; every alignment is looked for again after every placement."""
    rules = {**PLAIN, "squares": squares}
    done = 0
    for filling in fillings():
        board: dict[str, str] = {}
        for square, piece in filling:
            board[square.name] = " ".join(piece.words)
            aligned(board, rules)
            done += 1
    return done


def import_cost(statement: str) -> tuple[float, float]:
    """Least CPU milliseconds and peak memory of processes that run one statement."""
    script = (
        f"import resource; before = resource.getrusage(resource.RUSAGE_SELF); {statement}; "
        "after = resource.getrusage(resource.RUSAGE_SELF); "
        "print(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, after.ru_maxrss)"
    )
    costs = [
        subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.split()  # noqa: S603
        for _ in range(IMPORTS)
    ]
    return min(float(seconds) for seconds, _ in costs) * 1000, min(int(kilobytes) for _, kilobytes in costs) / 1024

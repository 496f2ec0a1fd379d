"""The search beside another commit's, in one run: `python -m tests.bench engine --beside COMMIT [--empty-board]`.

Both search the same positions in turn, in processes of their own; what they find has to be the same. Then threads: the
same positions by one and by two. Wall time says something only where nobody else is at work.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from quarto_pi.engine import kernel
from quarto_pi.engine.solver import Budget, Solver
from tests.bench.measure import table
from tests.engine.positions import Numbers, options_of, position_of, quiet_position

HERE = Path(__file__).parent.parent.parent
TRAITS = [0, 1, 2, 3]
EMPTY_BOARD: Numbers = ([-1] * 16, 0)
ROUNDS = 3
POSITIONS = {6: 300, 5: 80, 4: 20, 3: 4}
"""How many positions by how many pieces are placed."""
TABLE_MB = 64
TABLE_MB_OF_THE_EMPTY_BOARD = 256


def compare(words: Sequence[str]) -> None:
    """Build the other commit, measure both, print."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench engine")
    parser.add_argument("--beside", metavar="COMMIT", required=True)
    parser.add_argument("--empty-board", action="store_true", help="the empty board too: some minutes")
    asked = parser.parse_args(words)
    with tempfile.TemporaryDirectory() as folder:
        other = built(asked.beside, Path(folder))
        rows = []
        for squares in (False, True):
            for placed, count in POSITIONS.items():
                rng = random.Random(f"beside {squares} {placed}")
                positions = [quiet_position(rng, 16 - placed, squares, TRAITS) for _ in range(count)]
                rows.append(row(f"{placed}{' with squares' * squares}", other, positions, squares, TABLE_MB))
        if asked.empty_board:
            rows.append(row("0", other, [EMPTY_BOARD], squares=False, table_mb=TABLE_MB_OF_THE_EMPTY_BOARD))
    header = ["placed", "positions", "nodes there", "here", "CPU s there", "here", "time", "nodes/s", "time from - to"]
    table(f"{asked.beside}, and here: the least of {ROUNDS} runs in turn, all values the same", header, rows)
    threads()


def built(commit: str, folder: Path) -> Path:
    """A folder with the package of a commit as it is installed, its search compiled."""
    source, installed = folder / "source", folder / "installed"
    source.mkdir()
    git = ["git", "archive", commit]
    archive = subprocess.run(git, cwd=HERE, check=True, capture_output=True)  # noqa: S603 - a commit of our own
    subprocess.run(["tar", "x"], cwd=source, input=archive.stdout, check=True)  # noqa: S607 - the usual one
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(installed), str(source)]
    subprocess.run(pip, check=True)  # noqa: S603 - a commit of our own
    return installed


def row(name: str, other: Path, positions: list[Numbers], squares: bool, table_mb: int) -> list[str]:
    """What both need for some positions."""
    question = {"squares": squares, "table_mb": table_mb, "positions": positions}
    there, here = [], []
    for _ in range(1 if positions == [EMPTY_BOARD] else ROUNDS):
        there.append(side(other, question))
        here.append(side(HERE, question))
        assert there[-1]["values"] == here[-1]["values"], "both find the same values"
        assert (Path(there[-1]["kernel"]).suffix, Path(here[-1]["kernel"]).suffix) == (".so", ".so"), "not compiled"
    before, now = (min(run["seconds"] for run in runs) for runs in (there, here))
    ratios = sorted(b["seconds"] / a["seconds"] for a, b in zip(there, here, strict=True))
    faster = here[0]["nodes"] / now / (there[0]["nodes"] / before)
    return [
        *(name, f"{len(positions)}", f"{there[0]['nodes']:,}", f"{here[0]['nodes']:,}", f"{before:.3f}", f"{now:.3f}"),
        *(f"{now / before:.2f}", f"{faster:.2f}", f"{ratios[0]:.2f} - {ratios[-1]:.2f}"),
    ]


def side(folder: Path, question: dict[str, Any]) -> dict[str, Any]:
    """What one side answers."""
    told: dict[str, Any] = json.loads(
        subprocess.run(  # noqa: S603 - our own program
            [sys.executable, "-P", str(Path(__file__).with_name("side.py"))],
            env={"PYTHONPATH": str(folder)},
            input=json.dumps(question),
            text=True,
            check=True,
            stdout=subprocess.PIPE,
        ).stdout
    )
    return told


def threads() -> None:
    """Search by one thread and by two: the value of large positions, and every option of smaller ones."""
    rows = []
    for what, placed, count in (("value", 2, 3), ("value", 3, 3), ("value", 4, 10), ("options", 5, 8)):
        rng = random.Random(f"threads {what} {placed}")
        positions = [position_of(quiet_position(rng, 16 - placed, False, TRAITS)) for _ in range(count)]
        measured = []
        for number in (1, 2):
            solver = Solver(options_of(False, TRAITS), TABLE_MB, use_book=False, threads=number)
            begun, cpu = time.perf_counter(), time.process_time()
            for position in positions:
                question = solver.value if what == "value" else solver.options
                question(position, Budget())
            measured.append((time.perf_counter() - begun, time.process_time() - cpu, solver.nodes))
        (wall, cpu, nodes), (wall_2, cpu_2, nodes_2) = measured
        rows.append(
            [
                *(f"{what}, {placed} placed", f"{count}", f"{nodes:,}", f"{nodes_2:,}", f"{cpu:.2f}", f"{cpu_2:.2f}"),
                *(f"{wall:.2f}", f"{wall_2:.2f}", f"{wall / wall_2:.2f}", f"{2 * cpu / cpu_2:.2f}"),
            ]
        )
    header = ["", "positions", "nodes, 1 thread", "2", "CPU s, 1", "2", "s, 1", "2", "times as fast", "at best"]
    title = "Two threads; at best: with a core for each, both busy all the time"
    table(title if kernel.TOGETHER else "One thread, there are never two here", header, rows)

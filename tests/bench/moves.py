"""What a move of the strongest level costs at the table, compiled and interpreted, and whether it ever loses."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType

from quarto_pi.engine import kernel, solver
from quarto_pi.engine.match import LevelContestant, Score, play_on
from quarto_pi.engine.opponent import STRONGEST, Opponent
from quarto_pi.engine.solver import Budget, Solver
from quarto_pi.engine.temptation import COMPILED_NODES, INTERPRETED_NODES
from quarto_pi.rules import Game, Options, Player, Position
from tests.bench.measure import table
from tests.bench.tempt import drawn_starts
from tests.engine.positions import position_of, quiet_position
from tests.engine.worlds import COMPILED, interpreted_kernel

POSITIONS = 12
PLACED = (0, 2, 3, 4, 5, 6, 7, 8, 10)
GAMES = 100
STARTS = (0, 4, 5, 6)
PERFECT_NODES = 3_000_000
"""Enough for every position that the book does not know."""


def run() -> None:
    """Measure and print."""
    worlds = {"compiled": (kernel, COMPILED_NODES)} if COMPILED else {}
    worlds["interpreted"] = (interpreted_kernel() if COMPILED else kernel, INTERPRETED_NODES)
    seconds = {name: _seconds(*world) for name, world in worlds.items()}
    rows = []
    for placed in PLACED:
        row = [f"{placed}"]
        for measured in seconds.values():
            each = measured[placed]
            row += [f"{sum(each) / len(each):.3f}", f"{max(each):.3f}"]
        rows.append(row)
    header = ["placed", *(title for name in worlds for title in (f"{name}, mean", "at most"))]
    table(f"A move of level {STRONGEST} at the table, CPU s, {2 * POSITIONS} positions a row", header, rows)
    rows = [
        [f"{nodes:,}", f"{placed}", *map(str, (score.wins, score.draws, score.losses))]
        for nodes in (COMPILED_NODES, INTERPRETED_NODES)
        for placed, score in _against_perfect_play(nodes)
    ]
    table(
        f"Level {STRONGEST} with the nodes of a move, compiled or interpreted, against perfect play, from drawn starts",
        ["nodes a move", "placed", "wins", "draws", "losses"],
        rows,
    )


def _seconds(world: ModuleType, nodes: int) -> dict[int, list[float]]:
    """The CPU seconds of moves in positions of both variants, by the pieces that are placed."""
    spent: dict[int, list[float]] = {placed: [] for placed in PLACED}
    with _searching_with(world):
        for squares in (False, True):
            asked = Solver(Options(squares=squares), table_mb=16)
            for placed in PLACED:
                rng = random.Random(placed)
                for seed in range(POSITIONS):
                    position = Position()
                    if placed:
                        position = position_of(quiet_position(rng, 16 - placed, squares=squares, traits=[0, 1, 2, 3]))
                    begun = time.process_time()
                    Opponent(STRONGEST, asked, seed).choose(position, Budget(nodes))
                    spent[placed].append(time.process_time() - begun)
    return spent


@contextmanager
def _searching_with(world: ModuleType) -> Iterator[None]:
    usual = {name: getattr(solver, name) for name in ("Search", "Stopped")}
    vars(solver).update({name: getattr(world, name) for name in usual})
    try:
        yield
    finally:
        vars(solver).update(usual)


def _against_perfect_play(nodes: int) -> Iterator[tuple[int, Score]]:
    """The scores by the pieces that are placed at the start; what is decided within nodes is so in both worlds."""
    bounded, perfect = Solver(Options(), table_mb=16), Solver(Options(), table_mb=64)
    for placed in STARTS:
        players = LevelContestant(STRONGEST, bounded, nodes), LevelContestant(STRONGEST, perfect, PERFECT_NODES)
        score = Score()
        for number, start in zip(range(GAMES), drawn_starts(placed, perfect), strict=False):
            game = Game.from_position(start, bounded.rules, Player(number % 2))
            score = score.plus(play_on(players, game, number).winner)
        yield placed, score

"""What the strongest level wins against people, and what its moves cost: from drawn starts and from the empty board."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator

from quarto_pi.engine.book import GameValue
from quarto_pi.engine.match import LevelContestant, Score, play_on
from quarto_pi.engine.opponent import STRONGEST
from quarto_pi.engine.solver import IS_COMPILED, Budget, Move, Solver
from quarto_pi.rules import Game, Options, Player, Position
from tests.bench.measure import table
from tests.engine.people import ALERT, CHILD, Habits, Person
from tests.engine.positions import position_of, quiet_position

GAMES = 200
GOALS = {7: 95, 5: 85, 3: 70, 0: 90}
"""Of a hundred games against the alert person, by the pieces placed at the start."""


def drawn_starts(placed: int, solver: Solver) -> Iterator[Position]:
    """Positions that perfect play would draw, one after the other; the empty board for none placed."""
    rng = random.Random(1000 * placed + 7)
    while True:
        start = Position()
        if placed:
            start = position_of(quiet_position(rng, 16 - placed, squares=False, traits=[0, 1, 2, 3]))
        if not placed or solver.value(start, Budget()) is GameValue.DRAW:
            yield start


class Timed(LevelContestant):
    """The strongest level, with the CPU seconds of each move."""

    def __init__(self, solver: Solver) -> None:
        super().__init__(STRONGEST, solver)
        self.seconds: list[float] = []

    def choose(self, position: Position) -> Move:
        """The level's move."""
        begun = time.process_time()
        move = super().choose(position)
        self.seconds.append(time.process_time() - begun)
        return move


def score_against(habits: Habits, placed: int, games: int, solver: Solver) -> tuple[Score, list[float]]:
    """The strongest level's score, it and the person to move first in turn, and what each of its moves cost."""
    level, person = Timed(solver), Person(habits)
    score = Score()
    for number, start in zip(range(games), drawn_starts(placed, solver), strict=False):
        played = play_on((level, person), Game.from_position(start, solver.rules, Player(number % 2)), number)
        score = score.plus(played.winner)
    return score, level.seconds


def run(games: int = GAMES) -> None:
    """Play and print."""
    solver = Solver(Options(), table_mb=16)
    rows = []
    for habits in (ALERT, CHILD):
        for placed, goal in GOALS.items():
            score, seconds = score_against(habits, placed, games, solver)
            low, high = (f"{100 * bound:.0f}" for bound in score.interval)
            rows.append(
                [
                    habits.name,
                    f"{placed}",
                    f"{score.wins}",
                    f"{score.draws}",
                    f"{score.losses}",
                    f"{100 * score.wins / score.games:.1f}",
                    f"{goal}" if habits is ALERT else "-",
                    f"{low} - {high}",
                    f"{sum(seconds) / len(seconds):.3f}",
                    f"{max(seconds):.3f}",
                ]
            )
    table(
        f"Level {STRONGEST} against people, {games} games a row, the search {'' if IS_COMPILED else 'not '}compiled",
        ["", "placed", "wins", "draws", "losses", "wins of 100", "goal", "points, 95 %", "CPU s a move", "at most"],
        rows,
    )

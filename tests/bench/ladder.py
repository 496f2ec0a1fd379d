"""The ladder of levels: each against the one below, and against people; both start in turn (`make ladder`)."""

import sys

from quarto_pi.engine.match import LevelContestant, Played, Score, play_match
from quarto_pi.engine.opponent import LEVELS
from quarto_pi.engine.solver import Solver
from quarto_pi.rules import Options
from tests.bench.measure import table
from tests.engine.people import ALERT, CHILD, Habits, Person

GAMES = 400
GAMES_WITH_PEOPLE = 1_000
MOVE_NODES = 100_000
"""Choosing among perfect moves is kept short here: it would take most of the time."""


def step(upper: int, lower: int, games: int, options: Options, solver: Solver, *, tell: bool = False) -> Score:
    """The score of a level against a lower one."""

    def progress(score: Score, _: Played) -> None:
        if tell and score.games % 50 == 0:
            print(f"level {upper} against {lower}: {score.games} of {games} games", file=sys.stderr)

    contestants = (LevelContestant(upper, solver, MOVE_NODES), LevelContestant(lower, solver, MOVE_NODES))
    return play_match(contestants, options, games, seed=1, progress=progress)


def against(habits: Habits, level: int, games: int, options: Options, solver: Solver) -> Score:
    """The score of a level against somebody of these habits."""
    contestants = (LevelContestant(level, solver, MOVE_NODES), Person(habits))
    return play_match(contestants, options, games, seed=1, progress=lambda _score, _played: None)


def run(games: int = GAMES) -> None:
    """Play all steps and print them."""
    options = Options()
    solver = Solver(options)
    rows = []
    for upper in list(LEVELS)[1:]:
        score = step(upper, upper - 1, games, options, solver, tell=True)
        low, high = score.interval
        points = (f"{score.wins}", f"{score.draws}", f"{score.losses}", f"{score.share:.3f}", f"{low:.3f} - {high:.3f}")
        rows.append([f"level {upper} against {upper - 1}", *points])
    table(
        f"The ladder, {games} games a step",
        ["", "wins", "draws", "losses", "share of the points", "95 % confidence"],
        rows,
    )
    rows = []
    for level in LEVELS:
        row = [f"level {level}"]
        for habits in (ALERT, CHILD):
            score = against(habits, level, GAMES_WITH_PEOPLE, options, solver)
            low, high = score.interval
            row += [f"{score.share:.3f}", f"{low:.3f} - {high:.3f}"]
        rows.append(row)
    table(
        f"The levels against people, {GAMES_WITH_PEOPLE} games each: share of the points, with its 95 % confidence",
        ["", ALERT.name, "", CHILD.name, ""],
        rows,
    )

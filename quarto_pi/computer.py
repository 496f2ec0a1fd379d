"""The computer at the board: what it answers to the referee's questions.

The seed of an answer is the moment of its question, so that games differ and a replay repeats them.
"""

from __future__ import annotations

from quarto_pi.engine.budget import Budget
from quarto_pi.engine.conversation import LEISURE_NODES
from quarto_pi.engine.move import Move
from quarto_pi.engine.opponent import Leisure, Opponent
from quarto_pi.engine.solver import Solver
from quarto_pi.referee import Answer, Ask, Plan
from quarto_pi.rules import Options

SMALL_TABLE_MB = 16


class Computer:
    """Answers at once, in this process: for replays, and for whatever is not in a hurry."""

    def __init__(self, table_mb: int = SMALL_TABLE_MB) -> None:
        self._table_mb = table_mb
        self._solver: tuple[tuple[object, ...], Solver] | None = None

    def __call__(self, ask: Ask) -> Answer:
        """The answer to a question."""
        opponent = Opponent(ask.level, self._solver_for(ask.rules), seed=ask.at)
        calls = notices(opponent, ask)
        if calls or ask.position.board.count == 16:
            return Answer(ask.at, ask.number, Plan(), calls)
        move = opponent.choose(ask.position, Budget(), Leisure(Budget(nodes=LEISURE_NODES)))
        return Answer(ask.at, ask.number, plan_of(move))

    def _solver_for(self, rules: Options) -> Solver:
        lines = (rules.squares, rules.traits)
        if self._solver is None or self._solver[0] != lines:
            self._solver = (lines, Solver(rules, table_mb=self._table_mb))
        return self._solver[1]


def notices(opponent: Opponent, ask: Ask) -> bool:
    """Whether the computer calls what the other player has left uncalled (D10)."""
    return bool(ask.uncalled) and opponent.calls(ask.position, ask.uncalled)


def plan_of(move: Move) -> Plan:
    """An engine's move as the referee understands it."""
    return Plan(move.square, move.give, move.call)

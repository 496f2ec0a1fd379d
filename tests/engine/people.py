"""People who play against the levels: what they see, and how they choose among what looks safe.

They are written apart from the engine's own model of people, so that the one can be measured by the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from quarto_pi.engine.solver import Move
from quarto_pi.engine.threats import candidates, threats_on, winning_squares
from quarto_pi.rules import Alignment, Options, Position


@dataclass(frozen=True, slots=True)
class Habits:
    """The share of wins that somebody sees, and of pieces to give that are checked before they are handed over."""

    name: str
    sees: float
    checks: float


ALERT = Habits("an alert person", 1.0, 1.0)
CHILD = Habits("a child", 0.6, 0.4)


class Person:
    """Plays in a match by habits; otherwise picks evenly."""

    def __init__(self, habits: Habits) -> None:
        self.name = habits.name
        self.habits = habits
        self._options = Options()
        self._random = Random(0)

    def begin(self, options: Options, seed: int) -> None:
        """Get ready for a game."""
        self._options, self._random = options, Random(f"{self.name} {seed}")

    def choose(self, position: Position) -> Move:
        """A win that is seen; else one of the moves that look safe."""
        if position.hand is not None:
            wins = winning_squares(threats_on(position.board, self._options), position.hand)
            if wins and self._random.random() < self.habits.sees:
                return Move(wins[0], None, call=True)
        moves = candidates(position)
        if self._random.random() < self.habits.checks:
            safe = [
                each
                for each in moves
                if each.move.give is None
                or not winning_squares(threats_on(each.left.board, self._options), each.move.give)
            ]
            moves = safe or moves
        return self._random.choice(moves).move

    def calls(self, position: Position, alignments: Sequence[Alignment]) -> bool:  # noqa: ARG002 - the match's form
        """Whether an alignment that was left uncalled is seen."""
        return self._random.random() < self.habits.sees

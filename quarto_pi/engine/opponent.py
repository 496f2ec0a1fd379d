"""The opponent at the table: a level, of ten, that looks at a position and decides on a move.

A level errs as people do: for a turn it overlooks a line, a trait, a diagonal, a square of four; what it does see it
plays sensibly. Whether it works a position out exactly depends on how many squares are still empty.

Its decisions depend on level, seed and position alone, so that a game with the same seed can be repeated; only a search
that is cut off by time can end otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from quarto_pi.engine.book import GameValue
from quarto_pi.engine.solver import Budget, Move, OutOfBudget, Solver
from quarto_pi.engine.temptation import TemptingChoice
from quarto_pi.engine.threats import CandidateMove, Sight, candidates, threats_on, winning_squares
from quarto_pi.rules import Alignment, Board, Position, Square, lines_in_play, traits_mask
from quarto_pi.rules.options import LEVEL


@dataclass(frozen=True, slots=True)
class Level:
    """How well an opponent plays.

    `blindness` is the chance to overlook an ordinary alignment for a turn; `horizon` the number of empty squares from
    which on it works the game out to the end; `slip` the chance that it does not bother to, in a turn.
    """

    number: int
    blindness: float
    horizon: int
    slip: float


LEVELS = {
    level.number: level
    for level in (
        Level(1, blindness=0.6, horizon=0, slip=0.0),
        Level(2, blindness=0.36, horizon=0, slip=0.0),
        Level(3, blindness=0.225, horizon=0, slip=0.0),
        Level(4, blindness=0.15, horizon=0, slip=0.0),
        Level(5, blindness=0.11, horizon=0, slip=0.0),
        Level(6, blindness=0.05, horizon=0, slip=0.0),
        Level(7, blindness=0.015, horizon=0, slip=0.0),
        Level(8, blindness=0.0, horizon=6, slip=0.4),
        Level(9, blindness=0.0, horizon=8, slip=0.14),
        Level(10, blindness=0.0, horizon=16, slip=0.0),
    )
}
"""The ladder, its steps found by playing people of different eyes and each other (`make ladder`)."""

STRONGEST = LEVEL.highest

MoveReport = Callable[[GameValue | None, Move], None]
"""Hears of each better move as it is found, with its value where that is known."""


def keep_silent(_value: GameValue | None, _move: Move) -> None:
    """A `MoveReport` for those who only want the last word."""


class Opponent:
    """A player of one level; the solver knows the rules options that the game is played by."""

    def __init__(self, level: int, solver: Solver, seed: int = 0) -> None:
        self._level = LEVELS[level]
        self._solver = solver
        self._seed = seed

    @property
    def level(self) -> int:
        """The number of its level."""
        return self._level.number

    def choose(self, position: Position, budget: Budget, report: MoveReport = keep_silent) -> Move:
        """The move for a position that is not over; where the budget is too small, the best that was found in it."""
        wins = self._wins(position)

        def look_again(value: GameValue | None, move: Move) -> None:
            report(GameValue.WIN if move.square in wins else value, _called(move, wins))

        return _called(self._decide(position, budget, look_again), wins)

    def _decide(self, position: Position, budget: Budget, report: MoveReport) -> Move:
        random, sight = self._look(position)
        wins = () if position.hand is None else winning_squares(sight.threats(position.board), position.hand)
        if wins:
            move = Move(wins[0], None, call=True)
            report(GameValue.WIN, move)
            return move
        moves = candidates(position)
        random.shuffle(moves)
        safe = [candidate for candidate in moves if _seems_safe(candidate, sight)] or moves
        if not self._works_it_out(position.board, random):
            planned = self._planned(safe, sight)
            report(None, planned.move)
            return planned.move
        if self._level.number < STRONGEST:
            return self._first_of_best(position, safe, budget, report).move
        return TemptingChoice(self._solver, position, random, report).among(safe, budget)

    def calls(self, position: Position, alignments: Sequence[Alignment]) -> bool:
        """Whether this opponent notices alignments that the other player has made and not called (D10)."""
        _, sight = self._look(position)
        return any(sight.sees(alignment.squares, alignment.traits) for alignment in alignments)

    def _wins(self, position: Position) -> tuple[Square, ...]:
        """The squares that win, whether they are seen or not."""
        if position.hand is None:
            return ()
        return winning_squares(threats_on(position.board, self._solver.rules), position.hand)

    def _look(self, position: Position) -> tuple[Random, Sight]:
        random = Random(f"{self._seed} {self._level.number} {position}")  # noqa: S311 - a game, repeatable on purpose
        return random, Sight.drawn(self._level.blindness, self._solver.rules, random)

    def _works_it_out(self, board: Board, random: Random) -> bool:
        empty = 16 - board.count
        return empty <= self._level.horizon and random.random() >= self._level.slip

    def _planned(self, safe: Sequence[CandidateMove], sight: Sight) -> CandidateMove:
        """The move of somebody who does not look to the end, but has something in mind: lines that grow."""
        return max(safe[:PLANNED], key=lambda candidate: _common_traits(candidate, sight))

    def _first_of_best(
        self, position: Position, moves: Sequence[CandidateMove], budget: Budget, report: MoveReport
    ) -> CandidateMove:
        """The first move of the best value; where the budget does not reach that far, the best that was found."""
        best, best_value = moves[0], None
        try:
            target = self._best_value(position, budget)
            for candidate in moves:
                value = target if target is GameValue.LOSS else self._value_of(candidate, budget)
                if best_value is None or value.value > best_value.value:
                    best, best_value = candidate, value
                    report(value, candidate.move)
                if value is target:
                    break
        except OutOfBudget:
            if best_value is None:
                report(None, best.move)
        return best

    def _best_value(self, position: Position, budget: Budget) -> GameValue | None:
        """The value to be reached; unknown where a win on the board has been overlooked and so is out of reach."""
        if self._wins(position):
            return None
        return self._solver.value(position, budget)

    def _value_of(self, candidate: CandidateMove, budget: Budget) -> GameValue:
        """What a move is worth to the one who makes it."""
        if candidate.left.hand is None:
            return GameValue.DRAW
        return self._solver.value(candidate.left, budget).reversed


def _called(move: Move, wins: Sequence[Square]) -> Move:
    """The move, with a call where it completes what was overlooked: seen once the piece stands there (D10)."""
    return Move(move.square, None, call=True) if move.square in wins else move


PLANNED: Final = 24
"""So many moves come to the mind of somebody who only follows a plan."""


def _common_traits(candidate: CandidateMove, sight: Sight) -> int:
    """How much a piece has in common with what stands on the lines of its square already."""
    square, board = candidate.move.square, candidate.left.board
    piece = None if square is None else board[square]
    if square is None or piece is None:
        return 0
    common = 0
    for line in lines_in_play(sight.options.squares):
        others = [other for each in line if each != square and (other := board[each]) is not None]
        if square in line and others:
            alike = traits_mask(sight.options.traits) & ~sight.overlooked.get(line, 0)
            for other in others:
                alike &= ~(piece.number ^ other.number)
            common += len(others) * alike.bit_count()
    return common


def _seems_safe(candidate: CandidateMove, sight: Sight) -> bool:
    """Whether no win is seen for the piece that is given away."""
    give = candidate.move.give
    return give is None or not winning_squares(sight.threats(candidate.left.board), give)

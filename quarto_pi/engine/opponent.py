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

from quarto_pi.engine.retrieval import GameValue
from quarto_pi.engine.solver import Budget, Move, OutOfBudget, Solver
from quarto_pi.engine.threats import (
    CandidateMove,
    Threat,
    candidates,
    immediate_traps,
    threats_on,
    traps_ahead,
    winning_squares,
    worked_out_traps,
)
from quarto_pi.rules import Alignment, Board, Line, Options, Position, Square, Trait, lines_in_play
from quarto_pi.rules.board import COLUMNS, DIAGONALS, ROWS
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
        Level(2, blindness=0.42, horizon=0, slip=0.0),
        Level(3, blindness=0.26, horizon=0, slip=0.0),
        Level(4, blindness=0.15, horizon=3, slip=0.3),
        Level(5, blindness=0.07, horizon=5, slip=0.3),
        Level(6, blindness=0.04, horizon=7, slip=0.3),
        Level(7, blindness=0.02, horizon=8, slip=0.3),
        Level(8, blindness=0.01, horizon=9, slip=0.3),
        Level(9, blindness=0.0, horizon=9, slip=0.0),
        Level(10, blindness=0.0, horizon=16, slip=0.0),
    )
}
"""The ladder, each step found by playing it against the one below (`make ladder`)."""

STRONGEST = LEVEL.highest

# How much harder than a row or column of one colour an alignment is to see: people look along the edges first, and at
# colour before anything else.
_HARDER_LINE = {**dict.fromkeys(ROWS + COLUMNS, 1.0), **dict.fromkeys(DIAGONALS, 1.7)}
_HARDER_BLOCK = 1.4
_HARDER_TRAIT = {Trait.COLOUR: 0.7, Trait.HEIGHT: 0.9, Trait.SHAPE: 1.0, Trait.TOP: 1.4}
_NEVER_BLINDER = 0.9


@dataclass(frozen=True, slots=True)
class Sight:
    """What an opponent sees during one turn: `overlooked` has the bits of the traits that it misses on each line."""

    options: Options
    overlooked: dict[Line, int]

    @classmethod
    def drawn(cls, level: Level, options: Options, lines: tuple[Line, ...], random: Random) -> Sight:
        """What a level happens to see this time."""
        return cls(options, {line: _overlooked(level, line, options, random) for line in lines})

    def threats(self, board: Board) -> tuple[Threat, ...]:
        """The threats on a board that are seen."""
        seen = (threat.without(self.overlooked.get(threat.line, 0)) for threat in threats_on(board, self.options))
        return tuple(threat for threat in seen if threat is not None)

    def sees(self, line: Line, traits: tuple[Trait, ...]) -> bool:
        """Whether an alignment on a line is seen by at least one of the traits that it shares."""
        overlooked = self.overlooked.get(line, 0)
        return any(not trait.bit & overlooked for trait in traits)


def _overlooked(level: Level, line: Line, options: Options, random: Random) -> int:
    """The bits of the traits that are missed on one line."""
    bits = 0
    for trait in options.traits:
        chance = level.blindness * _HARDER_LINE.get(line, _HARDER_BLOCK) * _HARDER_TRAIT[trait]
        if random.random() < min(chance, _NEVER_BLINDER):
            bits |= trait.bit
    return bits


MoveReport = Callable[[GameValue | None, Move], None]
"""Hears of each better move as it is found, with its value where that is known."""


PATIENT_CANDIDATES = 4
"""So many moves are looked at once more, two turns ahead, by who has the time."""


@dataclass(slots=True)
class Leisure:
    """What may be spent, once a perfect move is known, on finding the one that is hardest to answer."""

    budget: Budget
    patient: bool = False


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

    def choose(
        self, position: Position, budget: Budget, leisure: Leisure | None = None, report: MoveReport = keep_silent
    ) -> Move:
        """The move for a position that is not over; without leisure, the first perfect one that is found."""
        wins = self._wins(position)

        def look_again(value: GameValue | None, move: Move) -> None:
            report(GameValue.WIN if move.square in wins else value, _called(move, wins))

        return _called(self._decide(position, budget, leisure, look_again), wins)

    def _decide(self, position: Position, budget: Budget, leisure: Leisure | None, report: MoveReport) -> Move:
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
            report(None, safe[0].move)
            return safe[0].move
        if self._level.number < STRONGEST:
            return self._first_of_best(position, safe, budget, report).move
        safe.sort(key=lambda candidate: -immediate_traps(candidate.left, self._solver.rules))
        best = self._first_of_best(position, safe, budget, report)
        return best.move if leisure is None else self._hardest_to_answer(best, safe, leisure, report)

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
        rules = self._solver.rules
        return random, Sight.drawn(self._level, rules, lines_in_play(rules.squares), random)

    def _works_it_out(self, board: Board, random: Random) -> bool:
        empty = 16 - board.count
        return empty <= self._level.horizon and random.random() >= self._level.slip

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

    def _hardest_to_answer(
        self, best: CandidateMove, moves: Sequence[CandidateMove], leisure: Leisure, report: MoveReport
    ) -> Move:
        """Of the moves that are as good as the best one, that which leaves most answers to go wrong with."""
        if best.left.hand is None:
            return best.move
        found: list[tuple[float, CandidateMove]] = []
        chosen = best
        try:
            value = self._value_of(best, leisure.budget)
            for candidate in (best, *(other for other in moves if other is not best)):
                if self._value_of(candidate, leisure.budget) is value:
                    found.append((worked_out_traps(candidate.left, self._solver, leisure.budget), candidate))
                    chosen = _most(found, chosen, value, report)
            if leisure.patient:
                nearest = sorted(found, key=lambda pair: -pair[0])[:PATIENT_CANDIDATES]
                ahead: list[tuple[float, CandidateMove]] = []
                for _, candidate in nearest:
                    ahead.append((traps_ahead(candidate.left, self._solver, leisure.budget), candidate))
                chosen = _most(ahead, chosen, value, report)
        except OutOfBudget:
            pass
        return chosen.move


def _called(move: Move, wins: Sequence[Square]) -> Move:
    """The move, with a call where it completes what was overlooked: seen once the piece stands there (D10)."""
    return Move(move.square, None, call=True) if move.square in wins else move


def _most(
    found: Sequence[tuple[float, CandidateMove]], before: CandidateMove, value: GameValue, report: MoveReport
) -> CandidateMove:
    """The candidate with the most traps, the first of several; reported where it is another than before."""
    _, chosen = max(found, key=lambda pair: pair[0])
    if chosen is not before:
        report(value, chosen.move)
    return chosen


def _seems_safe(candidate: CandidateMove, sight: Sight) -> bool:
    """Whether no win is seen for the piece that is given away."""
    give = candidate.move.give
    return give is None or not winning_squares(sight.threats(candidate.left.board), give)

"""The strongest level's choice: of the moves that keep a position's value the one that people answer wrongly most.

Exact values come first: a draw is made sure of, then a win is looked for, and no move is considered that is worth less.
Among those the person at the table is reckoned with, who completes an alignment that is seen, gives nothing away that
is seen, and picks evenly among what then looks safe. How likely is a mistake now, and at the next turn?
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random
from typing import Final

from quarto_pi.engine.book import DEEPEST, GameValue
from quarto_pi.engine.solver import IS_COMPILED, Budget, Move, OutOfBudget, Solver
from quarto_pi.engine.threats import CandidateMove, chance_to_overlook, threats_on
from quarto_pi.rules import Board, Piece, Position, Square

COMPILED_NODES: Final = 1_000_000
INTERPRETED_NODES: Final = 100_000
MOVE_NODES: Final = COMPILED_NODES if IS_COMPILED else INTERPRETED_NODES
"""What a move may cost at the table, in nodes of the search: `python -m tests.bench moves` tells the seconds."""

# --- How likely the answers are mistakes ------------------------------------------------------------------------------

ALL_ANSWERS_FROM: Final = 9
"""With this many empty squares or fewer every answer is looked at, with more a sample: there are too many."""
SAMPLED_ANSWERS: Final = {10: 24, 11: 8}
FEWEST_SAMPLED: Final = 6
GOOD_ANSWERS: Final = 8
"""So many of the answers that are no mistake are followed to the next turn."""
REPLIES: Final = 12
"""So many of the replies to each of them are compared."""
TO_THE_END_FROM: Final = 6
"""With this many empty squares or fewer everything is followed to the end of the game."""


@dataclass(frozen=True, slots=True)
class _Answer:
    """Something that the person may do: a square and a piece to give, how likely, and whether it gives a win away."""

    square: int
    give: int
    weight: float
    is_gift: bool


class Temptation:
    """How likely a person answers a position wrongly, for a player who wants to gain `more` than the value it has.

    Boards are piece numbers, -1 for an empty square, as the solver lays them. Everything that is worked out is taken
    off the budget; `OutOfBudget` is raised once it is used up.
    """

    def __init__(self, solver: Solver, more: GameValue, budget: Budget, random: Random, blindness: float = 0.0) -> None:
        self._solver = solver
        self._more = more
        self._budget = budget
        self._random = random
        self._blindness = blindness
        self._to_the_end: dict[tuple[tuple[int, ...], int], float] = {}

    def chance(self, board: list[int], hand: int, turns: int = 1) -> float:
        """The chance of a mistake within so many turns by the person who holds a piece and has no immediate win."""
        empty = board.count(-1)
        if empty > TO_THE_END_FROM:
            return self._chance(board, hand, turns)
        key = (tuple(board), hand)
        known = self._to_the_end.get(key) if turns > 1 else None
        if known is None:
            known = self._chance(board, hand, turns)
            if turns > 1:
                self._to_the_end[key] = known
        return known

    def _chance(self, board: list[int], hand: int, turns: int) -> float:
        answers = list(self._answers(board, hand))
        whole = sum(answer.weight for answer in answers)
        if not whole:
            # There is nothing left to give, or everything gives a win away.
            return 1.0 if answers else 0.0
        mistaken, good = 0.0, []
        for answer in answers:
            board[answer.square] = hand
            if answer.is_gift or (answer.weight and self._gains(board, answer.give)):
                mistaken += answer.weight
            elif answer.weight:
                good.append(answer)
            board[answer.square] = -1
        now = mistaken / whole
        if turns == 1 or not good:
            return now
        if board.count(-1) > TO_THE_END_FROM + 1:
            good = good if len(good) <= GOOD_ANSWERS else self._random.sample(good, GOOD_ANSWERS)
        later, weight = 0.0, sum(answer.weight for answer in good)
        for answer in good:
            board[answer.square] = hand
            later += answer.weight / weight * self._best_reply(board, answer.give, turns - 1)
            board[answer.square] = -1
        return now + (1 - now) * later

    def _best_reply(self, board: list[int], hand: int, turns: int) -> float:
        """The greatest chance that a reply leaves which gives nothing away."""
        replies = [(answer.square, answer.give) for answer in self._every_answer(board, hand) if not answer.is_gift]
        self._random.shuffle(replies)
        most, looked_at = 0.0, 0
        for square, give in replies:
            board[square] = hand
            if not self._solver.attains(board, give, self._more, self._budget):
                looked_at += 1
                most = max(most, self.chance(board, give, turns))
            board[square] = -1
            if most == 1.0 or (looked_at == REPLIES and board.count(-1) > TO_THE_END_FROM):
                break
        return most

    def _gains(self, board: list[int], hand: int) -> bool:
        return self._solver.attains(board, hand, self._more, self._budget)

    def _answers(self, board: list[int], hand: int) -> Sequence[_Answer]:
        """What the person may do; where there is too much of it, a sample."""
        answers = list(self._every_answer(board, hand))
        empty = board.count(-1)
        most = len(answers) if empty <= ALL_ANSWERS_FROM else SAMPLED_ANSWERS.get(empty, FEWEST_SAMPLED)
        probable = [answer for answer in answers if answer.weight]
        return self._random.sample(probable, most) if len(probable) > most else probable or answers

    def _every_answer(self, board: list[int], hand: int) -> Iterator[_Answer]:
        squares = [square for square in range(16) if board[square] < 0]
        left = [piece for piece in range(16) if piece != hand and piece not in board]
        for square, safe in zip(squares, self._solver.safe_answers(board, hand, self._budget), strict=True):
            for piece in left:
                if safe >> piece & 1:
                    yield _Answer(square, piece, 1.0, is_gift=False)
                else:
                    yield _Answer(square, piece, self._chance_of_gift(board, square, hand, piece), is_gift=True)

    def _chance_of_gift(self, board: list[int], square: int, hand: int, give: int) -> float:
        """The chance that all that a piece would complete is overlooked."""
        if not self._blindness:
            return 0.0
        pieces = {Square(index): Piece(number) for index, number in enumerate(board) if number >= 0}
        pieces[Square(square)] = Piece(hand)
        chance = 1.0
        for threat in threats_on(Board.of(pieces), self._solver.rules):
            completed = threat.completed_by(Piece(give))
            for trait in self._solver.rules.traits:
                if trait.bit & completed:
                    chance *= chance_to_overlook(self._blindness, threat.line, trait)
        return chance


# --- The choice -------------------------------------------------------------------------------------------------------

KEEPING_SHARE: Final = 0.5
"""The share of what is left of a budget that goes at most into looking for a win, and then into listing the moves."""
LISTED: Final = 24
"""So many moves are compared while few pieces stand."""
FOLLOWED: Final = 8
"""So many of the most tempting moves are followed to the person's next turn."""
GUESSED: Final = 40
"""So many moves are compared by who has no time to work anything out."""
ALL_TURNS: Final = 16
"""As many turns as no game has: followed to its end."""


class TemptingChoice:
    """The choice for one position, among moves that give no immediate win away where that can be helped.

    `tell` hears of each better move, with the value that is known by then.
    """

    def __init__(
        self, solver: Solver, position: Position, random: Random, tell: Callable[[GameValue | None, Move], None]
    ) -> None:
        self._solver = solver
        self._position = position
        self._board = solver.lay(position)
        self._random = random
        self._tell = tell
        self._told: GameValue | None = None
        self._best: CandidateMove | None = None

    def among(self, moves: Sequence[CandidateMove], budget: Budget) -> Move:
        """The move; where the budget does not reach that far, the best that was found in it."""
        try:
            value, keeping = self._keeping(moves, budget)
            self._compare(value, keeping, budget)
        except OutOfBudget:
            if self._best is None:
                # Not even a draw could be made sure of: with few safe answers left, one of them is seldom a win.
                guessed = min(moves[:GUESSED], key=lambda candidate: self._safe_answers(candidate, Budget()))
                self._choose(None, guessed)
        return moves[0].move if self._best is None else self._best.move

    def _choose(self, value: GameValue | None, candidate: CandidateMove) -> None:
        if self._told is not value or self._best is not candidate:
            self._told, self._best = value, candidate
            self._tell(value, candidate.move)

    # --- the moves that keep the value ---

    def _keeping(self, moves: Sequence[CandidateMove], budget: Budget) -> tuple[GameValue, Sequence[CandidateMove]]:
        """The value of the position, and moves that keep it."""
        if moves[0].left.hand is None:
            self._choose(GameValue.DRAW, moves[0])
            return GameValue.DRAW, moves[:1]
        value = GameValue.LOSS
        if self._reaches(GameValue.DRAW, moves, budget):
            value = GameValue.DRAW
            part = budget.part(KEEPING_SHARE * budget.nodes)
            try:
                if self._reaches(GameValue.WIN, moves, part):
                    value = GameValue.WIN
            except OutOfBudget:
                if budget.is_spent:
                    raise
        if value is GameValue.LOSS:
            return value, moves
        return value, self._all_with(value, moves, budget)

    def _reaches(self, goal: GameValue, moves: Sequence[CandidateMove], budget: Budget) -> bool:
        """Whether the position is worth a draw, or a win; a move by which it is so is chosen at once."""
        hand = self._position.hand
        if hand is None:
            # Whoever gives the first piece, or goes on after a clearing, has few moves, all in the book.
            chosen = next((move for move in moves if self._is_worth(move, goal, budget)), None)
        else:
            if self._solver.recalls(self._board, hand.number, goal, budget) is False:
                return False
            # Where the book knows the position but not what follows, the search has to find the move.
            looking_up = self._position.board.count < DEEPEST
            if not self._solver.attains(self._board, hand.number, goal, budget, looking_up=looking_up):
                return False
            known = (move for move in moves if self._recalls(move, goal, budget))
            chosen = next(known, None) or next((move for move in moves if self._is_worth(move, goal, budget)), None)
        if chosen is None:
            return False
        self._choose(goal, chosen)
        return True

    def _all_with(self, value: GameValue, moves: Sequence[CandidateMove], budget: Budget) -> Sequence[CandidateMove]:
        """The moves of a value: what the table knows first, then as many as a share of the budget allows."""
        if self._position.board.count < DEEPEST:
            # All in the book, many of them mirror images of each other: some are enough.
            moves = moves[:LISTED]
        found = [move for move in moves if self._recalls(move, value, budget)]
        part = budget.part(KEEPING_SHARE * min(budget.nodes, MOVE_NODES))
        try:
            known = set(map(id, found))
            found += [move for move in moves if id(move) not in known and self._is_worth(move, value, part)]
        except OutOfBudget:
            if budget.is_spent:
                raise
        return found

    def _recalls(self, candidate: CandidateMove, goal: GameValue, budget: Budget) -> bool:
        with self._left_by(candidate) as give:
            return self._solver.recalls(self._board, give, _above(goal.reversed), budget) is False

    def _is_worth(self, candidate: CandidateMove, goal: GameValue, budget: Budget) -> bool:
        with self._left_by(candidate) as give:
            return not self._solver.attains(self._board, give, _above(goal.reversed), budget)

    @contextmanager
    def _left_by(self, candidate: CandidateMove) -> Iterator[int]:
        """The board as a move leaves it, and the piece that is given."""
        square, hand, give = candidate.move.square, self._position.hand, candidate.move.give
        if square is not None and hand is not None:
            self._board[square.index] = hand.number
        try:
            yield -1 if give is None else give.number
        finally:
            if square is not None:
                self._board[square.index] = -1

    # --- which of them is answered wrongly ---

    def _compare(self, value: GameValue, keeping: Sequence[CandidateMove], budget: Budget) -> None:
        if len(keeping) < 2:
            return
        if value is GameValue.WIN:
            # All of them win: the fewer answers, the sooner.
            self._choose(value, min(keeping, key=lambda candidate: self._safe_answers(candidate, budget)))
            return
        temptation = Temptation(self._solver, GameValue(value.value + 1), budget, self._random)
        following = list(keeping)
        for turns in (1, 2, ALL_TURNS) if self._position.board.count >= DEEPEST else (1,):
            chances: list[tuple[float, CandidateMove]] = []
            for candidate in following:
                with self._left_by(candidate) as give:
                    chances.append((temptation.chance(self._board, give, turns), candidate))
                if turns == 1:
                    self._choose(value, _likeliest(chances)[0])
            following = _likeliest(chances)[:FOLLOWED]
            self._choose(value, following[0])

    def _safe_answers(self, candidate: CandidateMove, budget: Budget) -> int:
        with self._left_by(candidate) as give:
            return sum(safe.bit_count() for safe in self._solver.safe_answers(self._board, give, budget))


def _above(value: GameValue) -> GameValue:
    """The next better value."""
    return GameValue(value.value + 1)


def _likeliest(chances: Sequence[tuple[float, CandidateMove]]) -> list[CandidateMove]:
    """The candidates, most tempting first; of equal ones the first."""
    return [candidate for _, candidate in sorted(chances, key=lambda pair: -pair[0])]

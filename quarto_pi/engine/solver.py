"""The exact value of a position and of each of its options: the book where it knows them, else the search."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from quarto_pi.engine import kernel
from quarto_pi.engine.book import DEEPEST, BookDamaged, BookSection, BookVariant, GameValue, book_key, read_book
from quarto_pi.engine.kernel import TOGETHER, Search, Stopped
from quarto_pi.rules import PIECES, Options, Piece, Position, Square, traits_mask

IS_COMPILED: Final = Path(kernel.__file__).suffix != ".py"
"""Whether the search runs compiled here; interpreted it is about a hundred times slower."""

# --- A move of the engine, and how its search is coming along ---------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Move:
    """Place the piece in hand on a square, then call or give; None for what does not apply."""

    square: Square | None
    give: Piece | None
    call: bool = False

    def __str__(self) -> str:
        square = "-" if self.square is None else self.square.name
        give = "-" if self.give is None else self.give.digit
        return f"{square} {give}{' call' if self.call else ''}"


@dataclass(frozen=True, slots=True)
class Progress:
    """What a search has found so far: `depth` is how many placements ahead it has looked."""

    depth: int
    nodes: int
    milliseconds: int
    value: GameValue | None
    line: tuple[Move, ...]


# --- How long a search may go on: a number of nodes, a moment, or until somebody says stop ----------------------------

NO_LIMIT = 2**62


class OutOfBudget(Exception):
    """The search had to end before it knew the answer."""


@dataclass(slots=True)
class Budget:
    """What is left for a search. `stop` is asked every few thousand nodes; time is the asker's business."""

    nodes: int = NO_LIMIT
    stop: Callable[[], bool] = lambda: False
    whole: Budget | None = None

    def part(self, nodes: float) -> Budget:
        """A budget of its own for part of the work; what is spent of it is taken off this one, too."""
        return Budget(max(1, int(min(nodes, self.nodes))), self.stop, self)

    @property
    def is_spent(self) -> bool:
        """Whether nothing is left, or somebody has said stop."""
        return self.nodes <= 0 or self.stop()

    def spend(self, nodes: int) -> None:
        """Take nodes that were searched off the budget; raise once nothing is left."""
        self.nodes -= nodes
        if self.whole is not None:
            self.whole.nodes -= nodes
        if self.is_spent:
            raise OutOfBudget


# --- The exact value of a position and of each of its options: the book where it knows them, else the search ----------

MOST_THREADS = 64

LOOK_UP_NODES = 250 if IS_COMPILED else 5
"""What a look into the book costs of a budget: about as much time as so many nodes of a search."""
ASKING_NODES = 50 if IS_COMPILED else 5
"""What a question costs beside its search."""
ANSWERS_NODES = 500 if IS_COMPILED else 20
"""What it costs to list the safe answers, and to make something of the list."""


@dataclass(frozen=True, slots=True)
class Option:
    """Something that the player to move can do, and what it is worth to that player."""

    square: Square | None
    give: Piece | None
    value: GameValue


class Solver:
    """Exact values under one set of rules options; what it has learnt in one search helps the next.

    So many `threads` search at the same time, with one table; where the search is not compiled, or words have 32 bits,
    one does all of it. A value does not depend on their number, nodes do.
    """

    def __init__(self, rules: Options, table_mb: int = 64, use_book: bool = True, threads: int = 1) -> None:
        self.rules = rules
        self.nodes = 0
        self._lapsed = False
        self._table_bytes = table_mb << 20
        self._search = Search(rules.squares, traits_mask(rules.traits), self._table_bytes)
        self._searches = [self._search]
        self.threads = threads
        self._section = _sections().get((rules.squares, len(rules.traits))) if use_book else None

    @property
    def threads(self) -> int:
        """How many search at the same time. It may be set between two searches."""
        return len(self._searches)

    @threads.setter
    def threads(self, wanted: int) -> None:
        del self._searches[1:]
        for _ in range(1, wanted if TOGETHER else 1):
            another = Search(self.rules.squares, traits_mask(self.rules.traits), 0)
            another.share(self._search)
            self._searches.append(another)

    def forget(self) -> None:
        """Empty the table, so that searches take the nodes again that they take at first."""
        if self.nodes:
            self._search.resize(self._table_bytes)
            self.threads = self.threads  # they share the new table
            self.nodes = 0

    def value(self, position: Position, budget: Budget) -> GameValue:
        """The value for the player to move; raises `OutOfBudget` where it cannot be found in time."""
        board = self.lay(position)
        if position.hand is not None:
            return self._placing(board, position.hand.number, budget)
        if position.board.count == 16:
            return GameValue.DRAW
        best = GameValue.LOSS
        for piece in self._kinds(board):
            value = self._placing(board, piece, budget).reversed
            if value is GameValue.WIN:
                return value
            best = max(best, value, key=lambda outcome: outcome.value)
        return best

    def options(self, position: Position, budget: Budget) -> tuple[Option, ...]:
        """The value of every option, in the order of squares and pieces; none where the board is full."""
        board = self.lay(position)
        if position.hand is None:
            return self._givings([(None, board)], budget)
        hand = position.hand.number
        winning = set(self._search.winning_squares(board, hand))
        after = [(square, _with(board, square, hand)) for square in position.board.empty_squares]
        ending = {square: GameValue.WIN for square, _ in after if square.index in winning}
        if position.board.count == 15:
            ending = {square: GameValue.DRAW for square, _ in after} | ending
        going_on = [(square, placed) for square, placed in after if square not in ending]
        found = [*(Option(square, None, value) for square, value in ending.items()), *self._givings(going_on, budget)]
        return tuple(sorted(found, key=lambda option: option.square.index if option.square else 0))

    def lay(self, position: Position) -> list[int]:
        """The board as the search takes it: piece numbers, -1 for an empty square. What is asked next is about it."""
        # The book knows of no alignments; those that come about while options are tried win at once.
        self._lapsed = bool(position.board.alignments(self.rules.squares, self.rules.traits))
        return [-1 if piece is None else piece.number for piece in position.board.cells]

    def attains(self, board: list[int], hand: int, goal: GameValue, budget: Budget, *, looking_up: bool = True) -> bool:
        """Whether the player who holds a piece can force a win, or at least a draw; half of what `value` has to know.

        Without looking it up it is searched for, so that the table knows by which move.
        """
        known = self._looked_up(board, hand, budget) if looking_up else None
        if known is not None:
            return known.value >= goal.value
        self._search.start(budget.nodes, budget.stop)
        try:
            return self._search.attains(board, hand, goal.value)
        except Stopped:
            raise OutOfBudget from None
        finally:
            self.nodes += self._search.nodes
            budget.spend(self._search.nodes + ASKING_NODES)

    def recalls(self, board: list[int], hand: int, goal: GameValue, budget: Budget) -> bool | None:
        """What `attains` would say, where the book or the table has it; None where it would have to be searched for."""
        known = self._looked_up(board, hand, budget)
        if known is not None:
            return known.value >= goal.value
        budget.spend(ASKING_NODES)
        self._search.start(1)
        try:
            return self._search.attains(board, hand, goal.value)
        except Stopped:
            return None

    def safe_answers(self, board: list[int], hand: int, budget: Budget) -> list[int]:
        """For each empty square in turn the pieces, a bit each, that complete nothing once the hand is placed there."""
        budget.spend(ANSWERS_NODES)
        return self._search.safe_answers(board, hand)

    def _givings(self, boards: Sequence[tuple[Square | None, list[int]]], budget: Budget) -> tuple[Option, ...]:
        """The value of giving each piece that is left, on each of some boards after placing on a square."""
        ways = [(square, board, piece) for square, board in boards for piece in PIECES if piece.number not in board]
        values = self._placings([(board, piece.number) for _, board, piece in ways], budget)
        return tuple(
            Option(square, piece, value.reversed) for (square, _, piece), value in zip(ways, values, strict=True)
        )

    def _placings(self, laid: Sequence[tuple[list[int], int]], budget: Budget) -> list[GameValue]:
        """The values for the player who holds a piece, of several positions: each thread works out the next of them."""
        if self.threads == 1:
            return [self._placing(board, hand, budget) for board, hand in laid]
        values = {number: self._looked_up(board, hand, budget) for number, (board, hand) in enumerate(laid)}
        left = [number for number, known in values.items() if known is None]

        def work(search: Search) -> None:
            with suppress(IndexError):  # nothing is left
                while True:
                    number = left.pop()
                    values[number] = GameValue(search.value(*laid[number]))

        if left:
            self._together(work, budget)
        return [value for value in values.values() if value is not None]

    def _placing(self, board: list[int], hand: int, budget: Budget) -> GameValue:
        """The value for the player who holds a piece; the first thread that knows it ends the others' search."""
        known = self._looked_up(board, hand, budget)
        if known is not None:
            return known
        found: list[GameValue] = []

        def work(search: Search) -> None:
            found.append(GameValue(search.value(board, hand)))

        if self.threads == 1:
            self._alone(work, budget)
        else:
            self._together(work, budget, lambda: bool(found))
        return found[0]

    def _alone(self, work: Callable[[Search], None], budget: Budget) -> None:
        """Have the one search do what it is told, within the budget."""
        self._search.start(budget.nodes, budget.stop)
        try:
            work(self._search)
        except Stopped:
            raise OutOfBudget from None
        finally:
            self.nodes += self._search.nodes
            budget.spend(self._search.nodes)

    def _together(self, work: Callable[[Search], None], budget: Budget, done: Callable[[], bool] | None = None) -> None:
        """Have every search do its work at the same time, within one budget: until all have, or the work is done.

        Without `done` each has work of its own; with it they share what one could do.
        """
        over = threading.Event()

        def nodes() -> int:
            return sum(search.nodes for search in self._searches)

        def ended() -> bool:
            return over.is_set() or (done is not None and done()) or nodes() >= budget.nodes or budget.stop()

        for number, search in enumerate(self._searches):
            search.start(0, ended)
            search.contrary = done is not None and number % 2 == 1
        try:
            with ThreadPoolExecutor(self.threads, "search") as pool:
                running = [pool.submit(work, search) for search in self._searches]
                try:
                    errors = [future.exception() for future in running]
                finally:
                    # Whatever ends it, Ctrl-C too: the pool waits for all of them.
                    over.set()
            for error in errors:
                if isinstance(error, Stopped):
                    if done is None or not done():
                        raise OutOfBudget
                elif error is not None:
                    raise error
        finally:
            self.nodes += nodes()
            budget.spend(nodes())

    def _looked_up(self, board: list[int], hand: int, budget: Budget) -> GameValue | None:
        """What the book says, at its price; None where it says nothing."""
        known = self._in_book(board, hand)
        if known is not None:
            budget.spend(LOOK_UP_NODES)
        return known

    def _in_book(self, board: list[int], hand: int) -> GameValue | None:
        """What the book says; None where it says nothing."""
        placed = 16 - board.count(-1)
        if self._section is None or placed > DEEPEST or self._lapsed:
            return None
        if self._search.winning_squares(board, hand):
            return GameValue.WIN
        return self._section[book_key(self._search.identity(board, hand), placed)]

    def _kinds(self, board: list[int]) -> list[int]:
        """One of each kind of pieces left that agree in all traits in play."""
        mask = traits_mask(self.rules.traits)
        kinds = {number & mask: number for number in reversed(range(16)) if number not in board}
        return sorted(kinds.values())


def _with(board: list[int], square: Square, piece: int) -> list[int]:
    """A board with one more piece."""
    return [*board[: square.index], piece, *board[square.index + 1 :]]


def best_value(options: tuple[Option, ...]) -> GameValue:
    """What a position is worth that has these options."""
    return max((option.value for option in options), key=lambda value: value.value)


@cache
def _sections() -> dict[BookVariant, BookSection]:
    """The book, read once; without it the search does all the work (`quarto-pi check` tells)."""
    try:
        return read_book()
    except BookDamaged:
        return {}

"""The exact value of a position and of each of its options: the book where it knows them, else the search."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from quarto_pi.engine.book import DEEPEST, BookDamaged, BookSection, BookVariant, book_key, read_book
from quarto_pi.engine.kernel import Search, Stopped
from quarto_pi.engine.retrieval import GameValue
from quarto_pi.rules import PIECES, Options, Piece, Position, Square, traits_mask

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

    def spend(self, nodes: int) -> None:
        """Take nodes that were searched off the budget; raise once nothing is left."""
        self.nodes -= nodes
        if self.nodes <= 0 or self.stop():
            raise OutOfBudget


# --- The exact value of a position and of each of its options: the book where it knows them, else the search ----------

LOOK_UP_NODES = 50
"""What a look into the book costs of a budget: about as much time as so many nodes of a search."""


@dataclass(frozen=True, slots=True)
class Option:
    """Something that the player to move can do, and what it is worth to that player."""

    square: Square | None
    give: Piece | None
    value: GameValue


class Solver:
    """Exact values under one set of rules options; what it has learnt in one search helps the next."""

    def __init__(self, rules: Options, table_mb: int = 64, use_book: bool = True) -> None:
        self.rules = rules
        self.nodes = 0
        self._lapsed = False
        self._search = Search(rules.squares, traits_mask(rules.traits), table_mb << 20)
        self._section = _sections().get((rules.squares, len(rules.traits))) if use_book else None

    def value(self, position: Position, budget: Budget) -> GameValue:
        """The value for the player to move; raises `OutOfBudget` where it cannot be found in time."""
        board = self._lay(position)
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
        board = self._lay(position)
        if position.hand is None:
            return self._givings(None, board, budget)
        hand = position.hand.number
        winning = set(self._search.winning_squares(board, hand))
        found: list[Option] = []
        for square in position.board.empty_squares:
            if square.index in winning:
                found.append(Option(square, None, GameValue.WIN))
                continue
            board[square.index] = hand
            if position.board.count == 15:
                found.append(Option(square, None, GameValue.DRAW))
            else:
                found.extend(self._givings(square, board, budget))
            board[square.index] = -1
        return tuple(found)

    def _lay(self, position: Position) -> list[int]:
        """The board as the search takes it: piece numbers, -1 for an empty square."""
        # The book knows of no alignments; those that come about while options are tried win at once.
        self._lapsed = bool(position.board.alignments(self.rules.squares, self.rules.traits))
        return [-1 if piece is None else piece.number for piece in position.board.cells]

    def _givings(self, square: Square | None, board: list[int], budget: Budget) -> tuple[Option, ...]:
        """The value of giving each piece that is left, after placing on a square."""
        left = [piece for piece in PIECES if piece.number not in board]
        return tuple(Option(square, piece, self._placing(board, piece.number, budget).reversed) for piece in left)

    def _placing(self, board: list[int], hand: int, budget: Budget) -> GameValue:
        """The value for the player who holds a piece."""
        known = self._in_book(board, hand)
        if known is not None:
            budget.spend(LOOK_UP_NODES)
            return known
        self._search.start(budget.nodes, budget.stop)
        try:
            return GameValue(self._search.value(board, hand))
        except Stopped:
            raise OutOfBudget from None
        finally:
            self.nodes += self._search.nodes
            budget.spend(self._search.nodes)

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

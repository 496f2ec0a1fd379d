"""One pair of hands for everybody at the table: what guests do upon what they are told, each in a way of their own."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from quarto_pi.rules import PIECES, Board, Piece, Player, parse_square
from quarto_pi.sensing.readings import OFFER, SQUARE_NAMES
from tests.stranger.channels import Channel, Perceived
from tests.stranger.tongues import Clause, Heard


@dataclass(frozen=True, slots=True)
class Manner:
    """How guests are: drawn from the seed.

    `thinks` are the milliseconds before they do something. `calls`: "at once", "late" (the other one's piece is given
    first) or "never". `watches`: so long they look on before they begin. How often they put a piece elsewhere first,
    how often they press where a piece is to be given, and in which order they clear the board.
    """

    thinks: tuple[int, int]
    calls: str
    watches: int
    presses_first: bool
    elsewhere: float
    presses: float
    clears: str

    @classmethod
    def of(cls, seed: int) -> Manner:
        """The guests of a seed."""
        draw = random.Random(f"{seed} manner")
        return cls(
            thinks=draw.choice(((300, 900), (700, 2_500), (1_500, 4_000))),
            calls=draw.choice(("at once", "at once", "late", "never")),
            watches=draw.choice((0, 4_000, 20_000)),
            presses_first=draw.random() < 0.7,
            elsewhere=draw.choice((0.0, 0.0, 0.1, 0.3)),
            presses=draw.choice((0.0, 0.0, 0.1)),
            clears=draw.choice(("as they come", "last first", "anyhow")),
        )


class Table:
    """What hands can do, and what stands where they have put it."""

    def __init__(self) -> None:
        self.where: dict[Piece, str] = {}

    def put(self, piece: Piece, cell: str) -> None:
        """Put a piece on a cell, from wherever it is."""
        raise NotImplementedError

    def lift(self, piece: Piece) -> None:
        """Take a piece off the table."""
        raise NotImplementedError

    def press(self, held: int = 120) -> None:
        """Press the button."""
        raise NotImplementedError

    def wait(self, milliseconds: int) -> None:
        """Let time pass."""
        raise NotImplementedError


Deed = Callable[[], None]


class Guest:
    """Somebody who is told what to do by one channel, and knows nothing else of it than how four alike look."""

    def __init__(self, table: Table, channel: Channel, manner: Manner, seed: int, *, gives: bool) -> None:
        self.manner = manner
        self.has_begun = False
        self._table = table
        self._channel = channel
        self._random = random.Random(f"{seed} guest")
        self._gives = gives
        self._mover = Player.A
        self._called: tuple[Player, int] | None = None
        self._sees: Player | None = None
        self._answered: object = None
        self._strayed: object = None
        self.strays = False
        """Whether the last deed was something else than what was told."""

    def deed(self, told: Perceived, now: int) -> Deed | None:
        """What there is to do by what is told; None if nothing."""
        self.strays = False
        heard = [self._channel.tongue.understand(text) for text in told.texts]
        for each in heard:
            if (found := self._of_text(each, told, now)) is not None:
                return found
        return self._of_pictures(heard, told)

    def may_wait(self, told: Perceived) -> bool:
        """Whether waiting is what is told."""
        return any(self._channel.tongue.understand(text).says_to_wait for text in told.texts[:1])

    def thinks(self) -> int:
        """How long it takes now until hands move."""
        return self._random.randint(*self.manner.thinks)

    # --- what a text tells ------------------------------------------------------------------------------------------

    def _of_text(self, heard: Heard, told: Perceived, now: int) -> Deed | None:
        answer = self._who_called(heard, now)
        if answer is not None:
            return answer
        named: Piece | None = None
        squares: tuple[str, ...] = ()
        is_so: bool | None = True
        asked = False
        for clause in heard.clauses:
            named = clause.piece or named
            if clause.asks:
                asked, is_so = True, self._is_so(clause, heard)
            if clause.press and self.has_begun:
                if (clause.provided or asked) and not (is_so if asked else self._is_so(clause, heard)):
                    squares = clause.squares or squares
                else:
                    return self._press_once(told)
            if not clause.asks and (found := self._of_clause(clause, named, squares, heard)) is not None:
                return found
            squares = clause.squares or squares
        return None

    def _who_called(self, heard: Heard, now: int) -> Deed | None:
        """Who has called says so: once or twice where both are asked, else by a press or by waiting."""
        if self._called is None or now - self._called[1] > 10_000 or not heard.says_to_wait:
            return None
        if not any(clause.press for clause in heard.clauses):
            return None
        caller, self._called = self._called[0], None
        if len(heard.players) == 1 or not heard.players:
            mine = not heard.players or heard.players[0] is caller
            return (lambda: None) if mine else self._table.press
        return self._table.press if heard.players[0] is caller else self._press_twice

    def _press_twice(self) -> None:
        self._table.press()
        self._table.wait(250)
        self._table.press()

    def _press_once(self, told: Perceived) -> Deed | None:
        if self._answered == told:
            return None
        self._answered = told
        return self._table.press

    def _is_so(self, clause: Clause, heard: Heard) -> bool:
        """Whether the piece that is asked about stands where it is asked about."""
        piece = clause.piece or heard.piece
        where = None if piece is None else self._table.where.get(piece)
        return where in clause.squares if clause.squares else where is not None and where != OFFER and not clause.put

    def _of_clause(self, clause: Clause, named: Piece | None, before: tuple[str, ...], heard: Heard) -> Deed | None:
        if clause.take and clause.put and clause.piece is not None:
            return self._of_put(clause, clause.piece, before, heard)
        if clause.take or (clause.put and clause.beside):
            return self._of_take(clause, named, before)
        return self._of_put(clause, named, before, heard) if clause.put else None

    def _of_take(self, clause: Clause, named: Piece | None, before: tuple[str, ...]) -> Deed | None:
        where = self._table.where
        if clause.piece is not None or (clause.beside and named is not None):
            piece = clause.piece or named
            return None if piece is None or piece not in where else lambda: self._table.lift(piece)
        cells = clause.squares or before
        there = [piece for piece, cell in where.items() if not cells or cell in cells]
        return (lambda: self._clear(there)) if there else None

    def _of_put(self, clause: Clause, named: Piece | None, before: tuple[str, ...], heard: Heard) -> Deed | None:
        where = self._table.where
        if clause.gives and clause.piece is None:
            return self._give if OFFER not in where.values() and self._box else None
        if clause.free and clause.piece is None and named is None:
            may = self._box and (self.has_begun or not self._gives)
            return (lambda: self._place(self._random.choice(self._box), heard)) if may else None
        if named is None:
            return None
        if clause.squares or before:
            goal = (clause.squares or before)[-1]
            return None if where.get(named) == goal else lambda: self._carry(named, goal)
        return None if where.get(named, OFFER) != OFFER else lambda: self._place(named, heard)

    # --- what pictures and lights tell ------------------------------------------------------------------------------

    def _of_pictures(self, heard: list[Heard], told: Perceived) -> Deed | None:
        """A piece and where to it has to go, or whence; a piece alone goes where its owner likes."""
        where = self._table.where
        if not self.has_begun:
            return None
        piece = next((each.piece for each in heard if each.piece is not None), None) or next(iter(told.pieces), None)
        asked, goals, taken = told.pointed("ask"), told.pointed("put"), told.pointed("take")
        if asked and piece is not None and where.get(piece) == asked[0]:
            return self._press_once(told)
        if goals and piece is not None and not asked:
            return None if where.get(piece) == goals[0] else lambda: self._carry(piece, goals[0])
        there = [each for each, cell in where.items() if cell in taken]
        if there and not goals:
            return lambda: self._clear(there)
        is_mine = any(any(clause.put for clause in each.clauses) or each.piece is not None for each in heard)
        if piece is not None and is_mine and not asked and where.get(piece, OFFER) == OFFER:
            return lambda: self._place(piece, heard[0])
        return None

    # --- what hands do ----------------------------------------------------------------------------------------------

    @property
    def _box(self) -> list[Piece]:
        return [piece for piece in PIECES if piece not in self._table.where]

    @property
    def _free(self) -> list[str]:
        return [square for square in SQUARE_NAMES if square not in self._table.where.values()]

    def _give(self) -> None:
        piece = self._random.choice(self._box)
        if self._random.random() < self.manner.presses and self._strayed != len(self._table.where):
            self._strayed = len(self._table.where)
            self.strays = True
            self._table.press()
            return
        if self._random.random() < self.manner.elsewhere and self._strayed != len(self._table.where):
            self._strayed = len(self._table.where)
            self._table.put(piece, self._random.choice(self._free))
            self.has_begun = True
            return
        self._table.put(piece, OFFER)
        self.has_begun = True
        if self._sees is not None:
            # Late, but the other one has not placed yet.
            self._table.wait(1_500)
            self._call(self._sees)

    def _place(self, piece: Piece, heard: Heard) -> None:
        self._mover = heard.players[0] if heard.players else self._mover
        if self._random.random() < self.manner.elsewhere and len(self._free) > 1:
            self._carry(piece, self._random.choice(self._free))
            self._table.wait(self._random.choice((300, 900, 1_500)))
        self._carry(piece, self._random.choice(self._free))
        self.has_begun = True

    def _carry(self, piece: Piece, cell: str) -> None:
        if piece in self._table.where:
            self._table.lift(piece)
            self._table.wait(self._random.choice((200, 500)))
        self._table.put(piece, cell)
        if cell == OFFER or not self._is_quarto(cell):
            self._sees = None
        elif self.manner.calls == "at once":
            self._table.wait(self._random.choice((0, 300, 1_000)))
            self._call(self._mover)
        elif self.manner.calls == "late":
            self._sees = self._mover

    def _call(self, caller: Player) -> None:
        self._sees = None
        self._table.press()
        self._called = (caller, self.now())

    def now(self) -> int:
        """The moment at the table."""
        raise NotImplementedError

    def _is_quarto(self, square: str) -> bool:
        standing = {parse_square(cell): piece for piece, cell in self._table.where.items() if cell != OFFER}
        return bool(Board.of(standing).alignments_through(parse_square(square)))

    def _clear(self, pieces: list[Piece]) -> None:
        for piece in self._in_order(pieces):
            self._table.lift(piece)
            self._table.wait(self._random.choice((100, 300, 700)))

    def _in_order(self, pieces: list[Piece]) -> Iterator[Piece]:
        if self.manner.clears == "last first":
            yield from reversed(pieces)
        elif self.manner.clears == "anyhow":
            yield from self._random.sample(pieces, len(pieces))
        else:
            yield from pieces

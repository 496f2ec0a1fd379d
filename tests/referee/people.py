"""People at a table who do as they please: turns by the rules in between, and whatever else hands do."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import dataclass, field

from quarto_pi.rules import PIECES, Board, parse_piece, parse_square
from quarto_pi.sensing.readings import CELLS, OFFER, SQUARE_NAMES
from tests.games.table import STRANGERS, UIDS, Table

LETTERS = tuple(piece.letters for piece in PIECES)


def header(*, gives_on_place: bool = True, buttons: int = 1, **changes: object) -> dict[str, object]:
    """The first line of a trace."""
    return {
        "trace": 1,
        "rules": {"squares": False, "calling": "button"},
        "tags": {uid: piece for piece, uid in UIDS.items()},
        "players": ["human", "human"],
        "starter": 0,
        "offer_reader": gives_on_place,
        "buttons": buttons,
        "undo": True,
        **changes,
    }


@dataclass
class People:
    """Hands that mostly play and sometimes do not; the same seed always does the same.

    Keen ones give the piece that completes an alignment, and complete it, wherever there is one.
    """

    seed: int
    gives_on_place: bool = True
    buttons: tuple[str, ...] = ("call",)
    mischief: float = 0.3
    keen: bool = False
    table: Table = field(init=False)
    where: dict[str, str] = field(default_factory=dict)
    now: int = 500

    def __post_init__(self) -> None:
        self.rng = random.Random(self.seed)
        self.table = Table(self.seed)

    def play(self, turns: int) -> list[str]:
        """The lines of the trace of so many turns."""
        for _ in range(turns):
            if self.rng.random() < self.mischief:
                self.rng.choice(self._pranks())()
            self._turn()
        self.table.close(self.now + 3_000)
        return self.table.says

    def _pranks(self) -> list[Callable[[], None]]:
        return [self.press, self.press, self.shift, self.lift_and_put_back, self.hover, self.wrong_piece]

    def _best(self) -> tuple[str, str] | None:
        """A piece and a square that complete an alignment."""
        standing = {parse_square(self.where[thing]): parse_piece(thing) for thing in self.standing()}
        if len(set(standing)) < len(self.standing()):
            return None
        board = Board.of(standing)
        for piece in board.pieces_left:
            for square in board.empty_squares:
                if piece.letters in self.left() and board.place(square, piece).alignments_through(square, squares=True):
                    return piece.letters, square.name
        return None

    # --- what they do -------------------------------------------------------------------------------------------------

    def _turn(self) -> None:
        left, free = self.left(), self.free()
        if not left or not free:
            self.clear()
            return
        piece, square = (self._best() if self.keen else None) or (self.rng.choice(left), self.rng.choice(free))
        if self.gives_on_place:
            self.put(piece, OFFER)
            self.rest()
            if self.rng.random() < 0.2:
                self.press()
        self.put(piece, square)
        self.rest()
        if self.rng.random() < 0.2:
            self.press()

    def rest(self) -> None:
        """Let some time pass, now and then a long one."""
        self.now += self.rng.choice((300, 900, 1_200, 1_600, 2_500))
        if self.rng.random() < 0.03:
            self.now += self.rng.choice((6_000, 15_000))

    def put(self, thing: str, cell: str) -> None:
        """Put a thing on a cell, from wherever it is."""
        if thing in self.where:
            self.now = self.table.goes(thing, self.where[thing], self.now) + 300
        self.where[thing] = cell
        self.now = self.table.comes(thing, cell, self.now)

    def lift(self, thing: str) -> None:
        """Take a thing off the table."""
        self.now = self.table.goes(thing, self.where.pop(thing), self.now)

    def press(self) -> None:
        """Press a button, for a moment or for long."""
        button, length = self.rng.choice(self.buttons), self.rng.choice((40, 120, 120, 120, 400, 3_300))
        self.table.button(self.now, button, down=True)
        self.table.button(self.now + length, button, down=False)
        self.now += length + self.rng.choice((60, 300, 1_000))

    def shift(self) -> None:
        """Push a piece to another square."""
        standing, free = self.standing(), self.free()
        if standing and free:
            piece = self.rng.choice((standing[-1], self.rng.choice(standing)))
            cell = self.rng.choice(free)
            self.now = self.table.slides(piece, (self.where[piece], cell), self.now, 300)
            self.where[piece] = cell
            self.rest()

    def lift_and_put_back(self) -> None:
        """Take a piece up, think, and put it down again."""
        standing = self.standing()
        if standing:
            piece = self.rng.choice((standing[-1], self.rng.choice(standing)))
            cell = self.where[piece]
            self.lift(piece)
            self.rest()
            self.put(piece, cell)
            self.rest()

    def hover(self) -> None:
        """Hold a piece over a square."""
        left, free = self.left(), self.free()
        if left and free:
            self.now = self.table.hovers(self.rng.choice(left), self.rng.choice(free), self.now, 250) + 200

    def wrong_piece(self) -> None:
        """Put down a piece that is nobody's to place, and take it off again."""
        left, free = self.left(), self.free()
        if left and free:
            piece = self.rng.choice(left)
            self.put(piece, self.rng.choice(free))
            self.rest()
            self.lift(piece)
            self.rest()

    def clear(self) -> None:
        """Take everything off the table."""
        for thing in list(self.where):
            self.lift(thing)
        self.now += 3_000

    def left(self) -> list[str]:
        """The pieces in the box."""
        return [piece for piece in LETTERS if piece not in self.where]

    def free(self) -> list[str]:
        """The empty squares."""
        return [square for square in SQUARE_NAMES if square not in self.where.values()]

    def standing(self) -> list[str]:
        """The pieces on squares, the last one put down at the end."""
        return [thing for thing, cell in self.where.items() if cell != OFFER and thing in LETTERS]


class Rascals(People):
    """People who do anything at all: cards and phones, dead readers, several pieces at once, no end of presses."""

    def _pranks(self) -> list[Callable[[], None]]:
        more = [
            self.stranger,
            self.two_at_once,
            self.anywhere,
            self.readers,
            self.tags,
            self.clear,
            self.stuck,
            self.swap,
        ]
        return [*super()._pranks(), *more, *more, self.long_wait]

    def stranger(self) -> None:
        """Put a card or a phone somewhere, or take it away."""
        thing = self.rng.choice(tuple(STRANGERS))
        if thing in self.where:
            self.lift(thing)
        else:
            self.put(thing, self.rng.choice(CELLS))
        self.rest()

    def two_at_once(self) -> None:
        """Put down two pieces in the same moment."""
        at, free = self.now, self.free()
        for piece in self.left()[:2]:
            self.now = at
            self.put(piece, self.rng.choice(free or CELLS))
        self.rest()

    def anywhere(self) -> None:
        """Put any piece anywhere, be it onto another one."""
        self.put(self.rng.choice(LETTERS), self.rng.choice(CELLS))
        self.rest()

    def readers(self) -> None:
        """Let readers die or come back."""
        cells = set(self.rng.sample(CELLS, self.rng.choice((1, 1, 2, 17))))
        table = self.table
        table.plan(self.now, lambda: table.dead.update(cells))
        if self.rng.random() < 0.7:
            end = self.now + self.rng.choice((500, 2_500, 6_000))
            table.plan(end, lambda: table.dead.difference_update(cells))
        self.rest()

    def tags(self) -> None:
        """Let a tag become weak, or be overheard."""
        table, piece, cell = self.table, self.rng.choice(LETTERS), self.rng.choice(CELLS)
        share, garbled = self.rng.random(), self.rng.random() < 0.5
        if self.rng.random() < 0.5:
            table.plan(self.now, lambda: table.answers.update({piece: share}))
        else:
            table.plan(self.now, lambda: table.overheard.update({(piece, cell): (share / 2, garbled)}))

    def stuck(self) -> None:
        """Hold a button down for long, or let it bounce."""
        button = self.rng.choice(self.buttons)
        if self.rng.random() < 0.5:
            self.table.button(self.now, button, down=self.rng.random() < 0.7)
        else:
            for offset in (0, 5, 9, 14, 20, 26):
                self.table.button(self.now + offset, button, down=offset in (0, 9, 20))
            self.now += 30
        self.rest()

    def swap(self) -> None:
        """Let two pieces change places."""
        standing = self.standing()
        if len(standing) > 1:
            one, other = self.rng.sample(standing, 2)
            here, there = self.where[one], self.where[other]
            self.lift(one)
            self.lift(other)
            self.put(one, there)
            self.put(other, here)
            self.rest()

    def long_wait(self) -> None:
        """Leave the table alone."""
        self.now += self.rng.choice((11_000, 21_000, 65_000))


def as_trace(first: dict[str, object], lines: list[str]) -> list[str]:
    """A whole trace, line by line."""
    return [json.dumps(first), *lines]

"""What hands and fingers do: pieces are lowered, lifted, held and slid; buttons go down, bounce, and come up."""

from __future__ import annotations

import random

from quarto_pi.referee import ButtonName
from quarto_pi.rules import Piece
from tests.chaos.evening import UIDS, Evening, Script

STAGES = (0.2, 0.5, 0.8)
"""How often a tag answers on its way down to a reader."""

LET_GO_MS = 100.0
"""No finger presses twice in less time than that."""


class Hands:
    """The hands of all people at the table."""

    def __init__(self, evening: Evening, draw: random.Random) -> None:
        self._evening = evening
        self._table = evening.table
        self._random = draw

    def put(self, piece: Piece, cell: str) -> Script:
        """Lower a piece onto a cell."""
        heard = self._evening.strength_of(piece)
        for strength in STAGES:
            self._table.hover(UIDS[piece], cell, strength * heard)
            self._evening.touch()
            yield self._random.uniform(20, 90)
        self._table.rest(UIDS[piece], cell, heard)
        self._evening.touch()
        self._evening.say("hands", f"{piece} rests on {cell}")

    def lift(self, piece: Piece) -> Script:
        """Take a piece up from where it rests; nothing is done if it does not rest anywhere."""
        cell = self._evening.cell_of(piece)
        if cell is None:
            return
        self._evening.say("hands", f"{piece} is lifted from {cell}")
        for strength in reversed(STAGES):
            self._table.hover(UIDS[piece], cell, strength * self._evening.strength_of(piece))
            self._evening.touch()
            yield self._random.uniform(20, 90)
        self._table.lift(UIDS[piece])
        self._evening.touch()

    def carry(self, piece: Piece, cell: str) -> Script:
        """Bring a piece to a cell, from the board or from beside it."""
        yield from self.lift(piece)
        yield self._random.uniform(100, 500)
        yield from self.put(piece, cell)

    def hold(self, piece: Piece, cell: str, duration: float) -> Script:
        """Hold a piece over a cell without putting it down."""
        self._evening.say("hands", f"{piece} hovers over {cell} for {duration:.0f} ms")
        self._table.hover(UIDS[piece], cell, self._random.uniform(0.1, 0.7))
        yield duration
        self._table.lift(UIDS[piece])
        self._evening.touch()

    def slide(self, piece: Piece, cell: str) -> Script:
        """Push a resting piece to another cell."""
        start = self._evening.cell_of(piece)
        assert start is not None
        self._evening.say("hands", f"{piece} is slid from {start} to {cell}")
        duration = self._random.uniform(150, 700)
        for strengths in ({start: 0.7}, {start: 0.4, cell: 0.3}, {}, {start: 0.2, cell: 0.4}, {cell: 0.7}):
            self._table.between(UIDS[piece], strengths)
            self._evening.touch()
            yield duration / 5
        self._table.rest(UIDS[piece], cell)
        self._evening.touch()


class Fingers:
    """The fingers on the buttons."""

    def __init__(self, evening: Evening, draw: random.Random) -> None:
        self._evening = evening
        self._random = draw

    def press(self, name: ButtonName, held: float | None = None) -> Script:
        """Press a button once; its contacts may bounce on both ways."""
        duration = self._random.uniform(40, 450) if held is None else held
        self._evening.say("hands", f"{name.value} is pressed for {duration:.0f} ms")
        yield from self._move(name, down=True)
        yield duration
        yield from self._move(name, down=False)
        yield LET_GO_MS

    def _move(self, name: ButtonName, *, down: bool) -> Script:
        self._evening.button(name, down=down)
        for _ in range(self._random.choice((0, 0, 1, 3))):
            yield self._random.uniform(1, 8)
            self._evening.button(name, down=not down)
            yield self._random.uniform(1, 8)
            self._evening.button(name, down=down)

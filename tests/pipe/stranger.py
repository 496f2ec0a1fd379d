"""Hands that have never seen the board: they do what it tells them, and know nothing else of it.

They know which pieces they have put where, and see four alike in a row; how a board is played at, whose turn it is, and
what has gone wrong they learn from what is told: texts in English, the pieces and squares in them, the lights.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from quarto_pi.rules import PIECES, Board, parse_piece, parse_square
from quarto_pi.sensing.readings import OFFER, SQUARE_NAMES
from tests.pipe.table import Json, PipedTable

OVER = frozenset({"Won", "Drawn", "Forfeited", "Abandoned", "ClearTheBoard"})
PUT, TAKE = frozenset({"put", "target"}), frozenset({"take"})
"""Why a square is lit: something belongs there, or is to be taken from there."""


@dataclass
class Stranger:
    """One pair of hands for everybody at the table; `calls`: as often they call what they have completed."""

    table: PipedTable
    seed: int
    calls: float = 0.7
    played: list[tuple[str, str]] = field(default_factory=list)
    cleared: int = 0

    def __post_init__(self) -> None:
        self.rng = random.Random(self.seed)

    def act(self) -> None:
        """Do the one thing that is told now, after looking at it for a while."""
        self.table.wait(self.rng.choice((200, 400, 800, 1_500, 3_000)))
        shown = self.table.shown
        lit = {why: [cell for cell, mark in shown["lights"]["squares"].items() if mark in why] for why in (PUT, TAKE)}
        if lit[PUT] and shown["pieces"]:
            self._place(shown["pieces"][0], lit[PUT][0])
        elif lit[TAKE]:
            self._take_from(lit[TAKE][0])
        elif shown["prompt"] in OVER:
            self._clear()
        elif shown["pieces"]:
            self._place(shown["pieces"][0], self.rng.choice(self.free))
        elif "giving spot" in shown["text"]:
            self._put(self.rng.choice(self.box), OFFER)
        elif any(words in shown["text"] for words in ("any empty square", "you are given", "hand it")):
            self._place(self.rng.choice(self.box), self.rng.choice(self.free))

    @property
    def box(self) -> list[str]:
        """The pieces that are not on the table."""
        return [piece.letters for piece in PIECES if piece.letters not in self.table.where]

    @property
    def free(self) -> list[str]:
        """The empty squares."""
        return [square for square in SQUARE_NAMES if square not in self.table.where.values()]

    def _place(self, piece: str, square: str) -> None:
        self.played.append((piece, square))
        self._put(piece, square)
        if self._is_quarto(square) and self.rng.random() < self.calls:
            self.table.wait(self.rng.choice((0, 300, 1_000)))
            self.table.press()
            self.table.wait(600)

    def _put(self, piece: str, cell: str) -> None:
        if piece in self.table.where:
            self.table.lift(piece)
            self.table.wait(self.rng.choice((0, 200, 500)))
        self.table.put(piece, cell)
        # Nobody takes a hand off a piece and has the next one in it at once.
        self.table.wait(self.rng.choice((700, 900, 1_200)))

    def _take_from(self, cell: str) -> None:
        for piece, where in reversed(list(self.table.where.items())):
            if where == cell:
                self.table.lift(piece)
                break

    def _clear(self) -> None:
        for piece in list(self.table.where):
            self.table.lift(piece)
            self.table.wait(self.rng.choice((0, 100, 300)))
        self.cleared += 1

    def _is_quarto(self, square: str) -> bool:
        standing = {parse_square(cell): parse_piece(piece) for piece, cell in self.table.where.items() if cell != OFFER}
        return bool(Board.of(standing).alignments_through(parse_square(square)))


def results(table: PipedTable) -> list[Json]:
    """The results that have been told so far."""
    return [event for event in table.events if event["event"] == "result"]

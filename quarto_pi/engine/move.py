"""A move of the engine, and how its search is coming along."""

from __future__ import annotations

from dataclasses import dataclass

from quarto_pi.engine.outcome import Outcome
from quarto_pi.rules import Piece, Square


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
    value: Outcome | None
    line: tuple[Move, ...]

"""What has happened, in words, at the terminal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from quarto_pi.rules import (
    Alignment,
    Called,
    Ended,
    Event,
    Given,
    Latched,
    Missed,
    Piece,
    Placed,
    Player,
    Reason,
    Result,
    Shifted,
    Undone,
)


@dataclass(frozen=True, slots=True)
class Names:
    """What the players are called."""

    given: Mapping[Player, str] = field(default_factory=dict)

    def of(self, player: Player) -> str:
        """A player's name."""
        return self.given.get(player, f"Player {player.name}")


def tell(event: Event, names: Names) -> str | None:
    """One thing that has happened, in words."""
    match event:
        case Given(piece=piece, by=player):
            return f"{names.of(player)} gives {describe(piece)}."
        case Placed(square=square, piece=piece, player=player) | Shifted(square=square, piece=piece, player=player):
            return f"{names.of(player)} places {piece} on {square}."
        case Latched(player=player):
            return f"{names.of(player)} calls QUARTO! Now place the piece and show it."
        case Called(player=player, valid=False):
            return f"{names.of(player)} called, but there is no Quarto to call. The game goes on."
        case Missed(alignments=alignments):
            return f"Missed! {_lines(alignments)}. Nobody called it in time: it is worth nothing now."
        case Undone(square=square, piece=piece):
            return f"{piece} is taken back from {square}, and the give before it."
        case Ended(result=result):
            return _tell_result(result, names)
    return None


def _tell_result(result: Result, names: Names) -> str:
    if result.reason is Reason.DRAW:
        return "The game is a draw."
    if result.winner is None:
        return "The game is left unfinished."
    if result.reason is Reason.FORFEIT:
        return f"{names.of(result.winner)} wins: the call was false."
    return f"QUARTO! {_lines(result.alignments)}. {names.of(result.winner)} wins!"


def _lines(alignments: tuple[Alignment, ...]) -> str:
    return "; ".join(
        f"{' '.join(square.name for square in alignment.squares)} all {' and '.join(v.word for v in alignment.values)}"
        for alignment in alignments
    )


def describe(piece: Piece) -> str:
    """A piece by its traits and its code."""
    return f"the {' '.join(piece.words)} piece {piece}"

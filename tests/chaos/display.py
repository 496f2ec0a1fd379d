"""What people read: the lines of `replay --shown`, and nothing else that the controller knows."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from quarto_pi.commands.replay import ShownLines
from quarto_pi.referee import Effect
from quarto_pi.rules import Piece, Player, parse_piece

BESIDE = re.compile(r"Already on (the board|[a-d][1-4])\?")
"""A question beside a turn is asked in words alone."""
CALLER = re.compile(r"Did Player ([12]) call|Player ([12]): press once")


@dataclass(frozen=True, slots=True)
class Shown:
    """One line, as somebody takes it in who reads English; the piece and the square of the prompt come first."""

    prompt: str = ""
    text: str = ""
    is_question: bool = False
    pieces: tuple[Piece, ...] = ()
    squares: tuple[str, ...] = ()
    attention: str = ""
    lit: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, line: str) -> Shown:
        """What a line says."""
        told = json.loads(line)
        return cls(
            told["prompt"],
            told["text"],
            told["question"],
            tuple(parse_piece(piece) for piece in told["pieces"]),
            tuple(told["squares"]),
            told["lights"]["attention"],
            told["lights"]["squares"],
        )

    @property
    def piece(self) -> Piece:
        """The piece of which the prompt speaks."""
        return self.pieces[0]

    @property
    def asked(self) -> tuple[Piece, str | None] | None:
        """Of which piece it is asked whether it stands there, and where; None for any square of the board."""
        beside = BESIDE.findall(self.text)
        if beside:
            return self.piece, None if beside[-1] == "the board" else beside[-1]
        return (self.piece, self.squares[0]) if self.prompt in ("StandsThere", "StillThere") else None

    @property
    def presses_once(self) -> Player | None:
        """Who called if the button is pressed no more, or once where both are asked."""
        named = CALLER.findall(self.text)
        return Player(int("".join(named[-1])) - 1) if named else None


class Display:
    """Display, lights and voice in one: what is told at this moment, and since when."""

    def __init__(self) -> None:
        self._lines = ShownLines()
        self.shown = Shown()
        self.since = 0.0

    def take(self, now: float, effects: Iterable[Effect]) -> bool:
        """Show what follows from these effects; whether something else is to be done now than before."""
        line = self._lines.after(int(now), effects)
        if line is None:
            return False
        before, self.shown = self.shown, Shown.of(json.dumps(line))
        if _wanted(before) == _wanted(self.shown):
            return False
        self.since = now
        return True


def _wanted(shown: Shown) -> tuple[object, ...]:
    return shown.prompt, shown.is_question, shown.pieces, shown.squares

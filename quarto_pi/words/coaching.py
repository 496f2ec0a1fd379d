"""What the coach thinks of a move, in words short enough for a small screen.

The engine's `Judgement` fits the protocols here; neither package knows the other.
"""

from __future__ import annotations

from gettext import NullTranslations
from typing import Protocol

from quarto_pi.rules import Piece, Square
from quarto_pi.words.terms import the_piece


class VerdictToSay(Protocol):
    """How good a move was, by its name."""

    @property
    def value(self) -> str:
        """One of "best", "overlooked win", "gift", "win lost", "draw lost" and "lost"."""


class AdviceToSay(Protocol):
    """A better move: where to place, what to give, or both."""

    @property
    def square(self) -> Square | None:
        """Where to place the piece in hand."""

    @property
    def give(self) -> Piece | None:
        """Which piece to give."""


class JudgementToSay(Protocol):
    """What the coach thinks of a move."""

    @property
    def verdict(self) -> VerdictToSay:
        """How good it was."""

    @property
    def better(self) -> AdviceToSay | None:
        """What would have been better."""

    @property
    def refutation(self) -> Square | None:
        """Where the opponent wins at once."""


def explain(t: NullTranslations, judgement: JudgementToSay) -> tuple[str, ...]:
    """A judgement as one or two sentences: what is wrong, and what would have been better."""
    better = judgement.better
    if judgement.verdict.value == "lost":
        return (t.gettext("This game was already lost."),)
    if better is None:
        return (t.gettext("Well played!"),)
    match judgement.verdict.value:
        case "overlooked win" if better.square is not None:
            return (t.gettext("There was a Quarto on %(square)s!") % {"square": better.square},)
        case "gift" if judgement.refutation is not None:
            form = t.gettext("The piece you gave wins on %(square)s.")
            return form % {"square": judgement.refutation}, _advice(t, better)
        case "win lost":
            return t.gettext("You could have won."), _advice(t, better)
    return t.gettext("Now your opponent can win."), _advice(t, better)


def _advice(t: NullTranslations, move: AdviceToSay) -> str:
    if move.square is None and move.give is None:
        return t.gettext("Look again!")
    if move.give is None:
        return t.gettext("Better: %(square)s.") % {"square": move.square}
    fields = {"square": move.square, "piece": the_piece(t, move.give)}
    if move.square is None:
        return t.gettext("Better: give %(piece)s.") % fields
    return t.gettext("Better: place on %(square)s, give %(piece)s.") % fields

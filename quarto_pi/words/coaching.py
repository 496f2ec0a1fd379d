"""What the coach thinks of a move, and what is to be learnt from a game, in words short enough for a small screen.

The engine's `Judgement` fits the protocols here; neither package knows the other.
"""

from __future__ import annotations

from gettext import NullTranslations
from typing import Protocol, assert_never

from quarto_pi.referee.messages import Hindsight, Slip
from quarto_pi.rules import Alignment, Piece, Square, TraitValue
from quarto_pi.rules.board import COLUMNS, DIAGONALS, ROWS
from quarto_pi.words.terms import Voice, alignment, the_piece


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


# --- what there is to be learnt from a game ---------------------------------------------------------------------------


def say_hindsight(hindsight: Hindsight, voice: Voice) -> str:
    """The one thing to be learnt from a game that is over."""
    t = voice.translations
    slip, player, alignments = hindsight.slip, hindsight.player, hindsight.alignments
    if slip is Slip.NOTHING or player is None:
        return t.gettext("Nobody overlooked a Quarto, and nobody gave one away: well played!")
    if not alignments:
        return voice.sentences(_of_turning_point(t, hindsight), _advice(t, hindsight))
    if slip is Slip.NOT_CALLED:
        you = t.gettext("You didn't call your own Quarto: %(alignment)s.")
        named = t.gettext("%(player)s didn't call this Quarto: %(alignment)s.")
        return voice.tell(player, you, named, alignment=alignment(t, alignments[0]))
    shared = [set(each.values) for each in alignments]
    value = min(set.intersection(*shared) or shared[0], key=list(TraitValue).index)
    lines = line_names(t, alignments)
    if slip is Slip.GIFT:
        return _given_away(t)[value] % {"lines": lines}
    you, named = (
        t.gettext("You overlooked a Quarto: %(lines)s."),
        t.gettext("%(player)s overlooked a Quarto: %(lines)s."),
    )
    return voice.sentences(voice.tell(player, you, named, lines=lines), _three_alike(t)[value])


def hindsight_headline(hindsight: Hindsight, voice: Voice) -> str:
    """The same in big type."""
    t = voice.translations
    match hindsight.slip:
        case Slip.OVERLOOKED | Slip.NOT_CALLED:
            return t.pgettext("headline", "Overlooked")
        case Slip.GIFT:
            return t.pgettext("headline", "Given away")
        case Slip.WIN_LOST | Slip.DRAW_LOST:
            return t.pgettext("headline", "Turning point")
        case Slip.NOTHING:
            return t.pgettext("headline", "Well played!")
    assert_never(hindsight.slip)


def _of_turning_point(t: NullTranslations, hindsight: Hindsight) -> str:
    won = t.gettext("Piece %(placed)d could have won."), t.gettext("Piece %(placed)d could have saved the game.")
    return won[0 if hindsight.slip is Slip.WIN_LOST else 1] % {"placed": hindsight.placed}


def _three_alike(t: NullTranslations) -> dict[TraitValue, str]:
    """What could have been seen where the piece in hand completed something."""
    return {
        TraitValue.LIGHT: t.gettext("Three were light, and so was the piece to be placed."),
        TraitValue.DARK: t.gettext("Three were dark, and so was the piece to be placed."),
        TraitValue.TALL: t.gettext("Three were tall, and so was the piece to be placed."),
        TraitValue.SHORT: t.gettext("Three were short, and so was the piece to be placed."),
        TraitValue.ROUND: t.gettext("Three were round, and so was the piece to be placed."),
        TraitValue.SQUARE: t.gettext("Three were square, and so was the piece to be placed."),
        TraitValue.SOLID: t.gettext("Three were solid, and so was the piece to be placed."),
        TraitValue.HOLLOW: t.gettext("Three were hollow, and so was the piece to be placed."),
    }


def _given_away(t: NullTranslations) -> dict[TraitValue, str]:
    """What giving such a piece has led to."""
    return {
        TraitValue.LIGHT: t.gettext("Giving a light piece lost the game: %(lines)s."),
        TraitValue.DARK: t.gettext("Giving a dark piece lost the game: %(lines)s."),
        TraitValue.TALL: t.gettext("Giving a tall piece lost the game: %(lines)s."),
        TraitValue.SHORT: t.gettext("Giving a short piece lost the game: %(lines)s."),
        TraitValue.ROUND: t.gettext("Giving a round piece lost the game: %(lines)s."),
        TraitValue.SQUARE: t.gettext("Giving a square piece lost the game: %(lines)s."),
        TraitValue.SOLID: t.gettext("Giving a solid piece lost the game: %(lines)s."),
        TraitValue.HOLLOW: t.gettext("Giving a hollow piece lost the game: %(lines)s."),
    }


def line_names(t: NullTranslations, alignments: tuple[Alignment, ...]) -> str:
    """Where alignments lie, behind a colon: "row 2", "both diagonals", "3 lines at once"; a block by its squares."""
    lines = {each.squares for each in alignments}
    if lines == set(DIAGONALS):
        return t.pgettext("where four are alike", "both diagonals")
    if len(lines) > 1:
        form = t.ngettext("%(count)d line at once", "%(count)d lines at once", len(lines))
        return form % {"count": len(lines)}
    line = alignments[0].squares
    if line in ROWS:
        return t.pgettext("where four are alike", "row %(row)d") % {"row": line[0].row + 1}
    if line in COLUMNS:
        return t.pgettext("where four are alike", "column %(column)s") % {"column": line[0].name[0]}
    if line in DIAGONALS:
        return t.pgettext("where four are alike", "a diagonal")
    return " ".join(square.name for square in line)

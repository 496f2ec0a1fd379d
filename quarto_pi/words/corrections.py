"""Which piece has to go where, so that table and game agree again; and second thoughts."""

from __future__ import annotations

from typing import assert_never

from quarto_pi.referee.messages import (
    BoardCleared,
    LeftOver,
    MoveBack,
    NotGivenYet,
    PutBack,
    StandsThere,
    StillThere,
    TagDead,
    TakeItBack,
    TakenBack,
    TakeOff,
    TooMany,
    TwoPieces,
    UnclearPlace,
    UnknownTag,
    WrongPiece,
)
from quarto_pi.words.terms import Voice, from_cell, on_cell, the_piece

SentOff = NotGivenYet | TakeOff | LeftOver
"""A piece has to go off the board."""

Misplaced = WrongPiece | SentOff | PutBack | MoveBack | UnknownTag | TwoPieces | TooMany | UnclearPlace
"""Something stands where it should not, or is missing."""

SecondThought = BoardCleared | TakeItBack | TakenBack | StandsThere | StillThere | TagDead
"""What hands have done may be meant: the board asks, or has understood."""

Correction = Misplaced | SecondThought


def say_correction(message: Correction, voice: Voice) -> str:
    """What hands are to do, one piece at a time."""
    return _of_thought(message, voice) if isinstance(message, SecondThought) else _of_misplaced(message, voice)


def correction_headline(message: Correction, voice: Voice) -> str:
    """The same in big type."""
    t = voice.translations
    if not isinstance(message, SecondThought):
        return _misplaced_headline(message, voice)
    match message:
        case BoardCleared():
            return t.pgettext("headline", "New game?")
        case TakeItBack():
            return t.pgettext("headline", "Undo move?")
        case TakenBack():
            return t.pgettext("headline", "Move undone")
        case StandsThere(square=square):
            return t.pgettext("headline", "On %(square)s?") % {"square": square}
        case StillThere():
            return t.pgettext("headline", "Still there?")
        case TagDead():
            return t.pgettext("headline", "A new tag?")
    assert_never(message)


def _of_misplaced(message: Misplaced, voice: Voice) -> str:
    t = voice.translations
    match message:
        case WrongPiece(cell=cell, right=right):
            form = t.gettext("Not the one %(on_cell)s! Take it off and place %(piece)s.")
            return form % {"on_cell": on_cell(t, cell), "piece": the_piece(t, right)}
        case NotGivenYet(piece=piece, cell=cell) | TakeOff(piece=piece, cell=cell) | LeftOver(piece=piece, cell=cell):
            form = _sent_off(message, voice)
            return form % {"piece": the_piece(t, piece), "from_cell": from_cell(t, cell)}
        case PutBack(piece=piece, square=square):
            form = t.gettext("Put %(piece)s back on %(square)s.")
            return form % {"piece": the_piece(t, piece), "square": square.name}
        case MoveBack(piece=piece, cell=cell, square=square):
            form = t.gettext("Move %(piece)s %(from_cell)s back to %(square)s.")
            return form % {"piece": the_piece(t, piece), "from_cell": from_cell(t, cell), "square": square.name}
        case UnknownTag(cell=cell):
            form = t.gettext("There's something unknown %(on_cell)s. Please take it away.")
            return form % {"on_cell": on_cell(t, cell)}
        case TwoPieces(cell=cell, count=count):
            form = t.ngettext(
                "There is %(count)d piece %(on_cell)s. Please leave only one.",
                "There are %(count)d pieces %(on_cell)s. Please leave only one.",
                count,
            )
            return form % {"on_cell": on_cell(t, cell), "count": count}
        case TooMany(pieces=pieces):
            form = t.ngettext(
                "%(count)d piece at the same time! Please take one away.",
                "%(count)d pieces at the same time! Please take one away.",
                len(pieces),
            )
            return form % {"count": len(pieces)}
        case UnclearPlace(piece=piece):
            form = t.gettext("Which square is it on? Put %(piece)s right in the middle.")
            return form % {"piece": the_piece(t, piece)}
    assert_never(message)


def _sent_off(message: SentOff, voice: Voice) -> str:
    t = voice.translations
    match message:
        case NotGivenYet():
            return t.gettext("Take %(piece)s away %(from_cell)s. It has to be given first.")
        case TakeOff():
            return t.gettext("Take %(piece)s away %(from_cell)s.")
        case LeftOver():
            return t.gettext("Take %(piece)s away %(from_cell)s: it's from the last game.")
    assert_never(message)


def _of_thought(message: SecondThought, voice: Voice) -> str:
    t = voice.translations
    match message:
        case BoardCleared(piece=piece, square=square):
            form = t.gettext("A new game? Press the button. If not, put %(piece)s back on %(square)s.")
            return form % {"piece": the_piece(t, piece), "square": square.name}
        case TakeItBack(piece=piece, square=square):
            form = t.gettext("Undo this move? Press the button. If not, put %(piece)s back on %(square)s.")
            return form % {"piece": the_piece(t, piece), "square": square.name}
        case TakenBack(piece=piece):
            form = t.gettext("The move is undone. Put %(piece)s beside the board.")
            return form % {"piece": the_piece(t, piece)}
        case StandsThere(piece=piece, square=square):
            form = t.gettext("Is %(piece)s on %(square)s? If so, press the button.")
            return form % {"piece": the_piece(t, piece), "square": square.name}
        case StillThere(piece=piece, square=square):
            form = t.gettext("Is %(piece)s on %(square)s? Press the button. If not, put it back there.")
            return form % {"piece": the_piece(t, piece), "square": square.name}
        case TagDead(piece=piece):
            form = t.gettext("The board can't hear %(piece)s. Press the button to give it a new tag.")
            return form % {"piece": the_piece(t, piece)}
    assert_never(message)


def _misplaced_headline(message: Misplaced, voice: Voice) -> str:
    t = voice.translations
    match message:
        case WrongPiece():
            return t.pgettext("headline", "Wrong piece")
        case NotGivenYet():
            return t.pgettext("headline", "Give it first!")
        case TakeOff() | LeftOver():
            return t.pgettext("headline", "Take it away")
        case PutBack():
            return t.pgettext("headline", "Put it back")
        case MoveBack():
            return t.pgettext("headline", "Move it back")
        case UnknownTag():
            return t.pgettext("headline", "What is this?")
        case TwoPieces():
            return t.pgettext("headline", "Two pieces")
        case TooMany():
            return t.pgettext("headline", "Too many")
        case UnclearPlace():
            return t.pgettext("headline", "Which square?")
    assert_never(message)

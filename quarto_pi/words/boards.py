"""Games with another board: invitations, and whether it is there."""

from __future__ import annotations

from typing import assert_never

from quarto_pi.referee.messages import (
    InvitedByBoard,
    NoMatchReason,
    NoMatchWith,
    NotHeardYet,
    OtherBoardAway,
    OtherBoardBack,
    OtherBoardLeft,
    OthersLastCall,
    OtherUnreachable,
    WaitingForBoard,
)
from quarto_pi.words.terms import Voice

BoardMessage = (
    OtherUnreachable
    | OthersLastCall
    | InvitedByBoard
    | WaitingForBoard
    | NoMatchWith
    | OtherBoardAway
    | OtherBoardBack
    | OtherBoardLeft
    | NotHeardYet
)


def say_board(message: BoardMessage, voice: Voice) -> str:
    """What people should know about another board."""
    t = voice.translations
    match message:
        case OtherUnreachable() | OtherBoardAway():
            return t.gettext("The other board is out of reach. The game goes on when it is back.")
        case OthersLastCall():
            return t.gettext("All pieces are placed. Only the other board may call now.")
        case InvitedByBoard():
            return t.gettext("Another board wants to play with you. Hold the button!")
        case WaitingForBoard():
            return t.gettext("Waiting for another board to answer.")
        case NoMatchWith(why=why):
            return _of_no_match(why, voice)
        case OtherBoardBack():
            return t.gettext("The other board is back. Play on!")
        case OtherBoardLeft():
            return t.gettext("The other board has ended the game. Nobody wins.")
        case NotHeardYet():
            return t.gettext("The other board doesn't know yet. It will be told.")
    assert_never(message)


def board_headline(message: BoardMessage, voice: Voice) -> str:
    """The same in big type."""
    t = voice.translations
    match message:
        case OtherUnreachable() | OtherBoardAway():
            return t.pgettext("headline", "Out of reach")
        case OthersLastCall(player=player):
            return voice.name(player)
        case InvitedByBoard():
            return t.pgettext("headline", "You're invited!")
        case WaitingForBoard():
            return t.pgettext("headline", "Invited…")
        case NoMatchWith():
            return t.pgettext("headline", "No game")
        case OtherBoardBack():
            return t.pgettext("headline", "It's back!")
        case OtherBoardLeft():
            return t.pgettext("headline", "Not finished")
        case NotHeardYet():
            return t.pgettext("headline", "Not told yet")
    assert_never(message)


def _of_no_match(why: NoMatchReason, voice: Voice) -> str:
    t = voice.translations
    match why:
        case NoMatchReason.BUSY:
            return t.gettext("Somebody else is playing there. Try another board!")
        case NoMatchReason.REFUSED:
            return t.gettext("They don't want to play just now.")
        case NoMatchReason.SILENT:
            return t.gettext("No answer from the other board.")
    assert_never(why)

"""Whose turn it is, and what is to be done."""

from __future__ import annotations

from typing import assert_never

from quarto_pi.referee.messages import (
    CarryOut,
    ChooseFirst,
    Drawing,
    GiveNext,
    Giving,
    LastCall,
    PlacedUnheard,
    PlaceNext,
    PlaceThis,
    PutItDown,
    StandsThere,
    Thinking,
)
from quarto_pi.rules import Player
from quarto_pi.sensing.readings import OFFER
from quarto_pi.words.terms import Voice, from_cell, the_piece

HumanTurn = ChooseFirst | PlaceThis | GiveNext | PlaceNext | PutItDown
"""What may be asked of a person; the computer does the same with the help of hands."""

TurnMessage = HumanTurn | Thinking | CarryOut | LastCall | Drawing


def say_turn(turn: TurnMessage, voice: Voice) -> str:
    """What is to be done now, in one or two sentences, and what may have been done already."""
    if isinstance(turn, PlaceThis | CarryOut) and turn.question is not None:
        return voice.sentences(_say(turn, voice), _asked(turn.question, voice))
    return _say(turn, voice)


def _asked(question: StandsThere | PlacedUnheard, voice: Voice) -> str:
    t = voice.translations
    if isinstance(question, PlacedUnheard):
        return t.gettext("Already on the board? Press the button.")
    return t.gettext("Already on %(square)s? Press the button.") % {"square": question.square.name}


def _say(turn: TurnMessage, voice: Voice) -> str:
    t = voice.translations
    match turn:
        case ChooseFirst() | PlaceThis() | GiveNext() | PlaceNext() | PutItDown():
            if not voice.is_person(_mover(turn)):
                return _of_computer(turn, voice)
            return _facing_board(turn, voice) or _to_person(turn, voice)
        case Thinking():
            return _of_thinking(turn, voice)
        case CarryOut():
            return _of_carrying_out(turn, voice)
        case LastCall():
            return t.gettext("All pieces are placed. Do you see a Quarto? Then call now! If not, just wait.")
        case Drawing(starter=player):
            you = t.gettext("You start. Choose the first piece.")
            return voice.tell(player, you, t.gettext("%(player)s starts and chooses the first piece."))
    assert_never(turn)


def turn_headline(turn: TurnMessage, voice: Voice) -> str:
    """Who, where the turn changes; what, where it does not."""
    t = voice.translations
    match turn:
        case ChooseFirst() | PlaceThis() | PlaceNext():
            return voice.turn_of(_mover(turn))
        case GiveNext(player=player):
            return t.pgettext("headline", "Give a piece") if voice.is_person(player) else voice.name(player)
        case PutItDown():
            return t.pgettext("headline", "Put it down")
        case Thinking(player=player):
            return voice.name(player) if voice.is_board(player) else t.pgettext("headline", "Thinking…")
        case CarryOut(square=square):
            return t.pgettext("headline", "Put it on %(square)s") % {"square": square}
        case LastCall():
            return t.pgettext("headline", "Last chance!")
        case Drawing(starter=player):
            return t.pgettext("headline", "You start") if voice.is_you(player) else voice.name(player)
    assert_never(turn)


def _mover(turn: HumanTurn) -> Player:
    return turn.giver if isinstance(turn, ChooseFirst) else turn.player


def _to_person(turn: HumanTurn, voice: Voice) -> str:
    t = voice.translations
    match turn:
        case ChooseFirst(giver=player, giving=Giving.ON_GIVE_PLACE):
            you = t.gettext("You start. Put a piece for the computer on the giving spot.")
            return voice.tell(player, you, t.gettext("%(player)s: put the first piece on the giving spot."))
        case ChooseFirst(giver=player):
            you = t.gettext("You start. Put a piece for the computer on any empty square.")
            named = t.gettext("%(player)s: pick the first piece and hand it to the other player.")
            return voice.tell(player, you, named)
        case PlaceThis(player=player, piece=piece):
            you = t.gettext("The computer gives you %(piece)s. Place it!")
            named = t.gettext("%(player)s: place %(piece)s.")
            return voice.tell(player, you, named, piece=the_piece(t, piece))
        case GiveNext(player=player, giving=Giving.ON_ANY_SQUARE):
            you = t.gettext("Now put a piece for the computer on any empty square.")
            return voice.tell(player, you, t.gettext("%(player)s: now put a piece on any empty square."))
        case GiveNext(player=player):
            you = t.gettext("Now put a piece for the computer on the giving spot.")
            return voice.tell(player, you, t.gettext("%(player)s: now put a piece on the giving spot."))
        case PlaceNext(player=player):
            you = t.gettext("Place the piece you are given.")
            return voice.tell(player, you, t.gettext("%(player)s: place the piece you are given."))
        case PutItDown(player=player, piece=piece):
            you = t.gettext("Put %(piece)s on an empty square.")
            named = t.gettext("%(player)s: put %(piece)s on an empty square.")
            return voice.tell(player, you, named, piece=the_piece(t, piece))
    assert_never(turn)


def _facing_board(turn: HumanTurn, voice: Voice) -> str | None:
    """The same to who plays with another board, where the other side is named."""
    t = voice.translations
    if not voice.is_board(_mover(turn).other):
        return None
    match turn:
        case ChooseFirst(giving=Giving.ON_GIVE_PLACE):
            return t.gettext("You start. Put a piece for the other board on the giving spot.")
        case ChooseFirst():
            return t.gettext("You start. Put a piece for the other board on any empty square.")
        case PlaceThis(piece=piece):
            form = t.gettext("The other board gives you %(piece)s. Place it!")
            return form % {"piece": the_piece(t, piece)}
        case GiveNext(giving=Giving.ON_ANY_SQUARE):
            return t.gettext("Now put a piece for the other board on any empty square.")
        case GiveNext():
            return t.gettext("Now put a piece for the other board on the giving spot.")
        case _:
            return None


def _of_computer(turn: HumanTurn, voice: Voice) -> str:
    t = voice.translations
    fields: dict[str, object] = {"player": voice.subject(_mover(turn))}
    match turn:
        case ChooseFirst():
            return t.gettext("%(player)s chooses the first piece.") % fields
        case PlaceThis(piece=piece):
            return t.gettext("%(player)s places %(piece)s.") % {**fields, "piece": the_piece(t, piece)}
        case GiveNext():
            return t.gettext("%(player)s gives the next piece.") % fields
        case PlaceNext():
            return t.gettext("%(player)s places the next piece.") % fields
        case PutItDown(piece=piece):
            form = t.gettext("Put %(piece)s on an empty square.")
            return form % {"piece": the_piece(t, piece)}
    assert_never(turn)


def _of_thinking(turn: Thinking, voice: Voice) -> str:
    t = voice.translations
    player = voice.subject(turn.player)
    if turn.piece is None:
        return t.gettext("%(player)s is choosing a piece.") % {"player": player}
    return t.gettext("%(player)s is choosing a square.") % {"player": player}


def _of_carrying_out(turn: CarryOut, voice: Voice) -> str:
    t = voice.translations
    fields = {"player": voice.subject(turn.player), "piece": the_piece(t, turn.piece), "square": turn.square.name}
    if turn.origin is None or turn.origin == OFFER:
        return t.gettext("%(player)s plays %(square)s. Put %(piece)s there.") % fields
    form = t.gettext("%(player)s plays %(square)s. Move %(piece)s there %(from_cell)s.")
    return form % {**fields, "from_cell": from_cell(t, turn.origin)}

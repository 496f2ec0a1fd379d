"""The menu: what its lines are called, and their values."""

from __future__ import annotations

from typing import assert_never

from quarto_pi.languages import LANGUAGE_NAMES
from quarto_pi.referee.menu import Item, MenuView, Stage, Value, Variant
from quarto_pi.referee.remote_game import OtherBoard
from quarto_pi.referee.settings import LIKE_ME, Seat, Starter
from quarto_pi.rules import Calling, Player
from quarto_pi.words.terms import Voice


def line(view: MenuView, voice: Voice) -> tuple[str, str]:
    """A line of the menu: its label, and its value or what is asked."""
    if view.stage is Stage.SURE:
        return _label(view.item, voice), voice.translations.pgettext("menu", "Sure? Hold the button!")
    return _label(view.item, voice), _value(view.item, view.value, voice)


def menu_help(stage: Stage, voice: Voice) -> str:
    """What the button does in the menu."""
    t = voice.translations
    match stage:
        case Stage.ITEMS:
            return t.pgettext("menu", "press: next, hold: choose")
        case Stage.VALUES:
            return t.pgettext("menu", "press: next, hold: OK")
        case Stage.SURE:
            return t.pgettext("menu", "press: no, hold: yes")
    assert_never(stage)


def level_name(number: int, voice: Voice) -> str:
    """A level of the computer."""
    t = voice.translations
    if number == 1:
        return t.pgettext("menu", "Level %(number)d, easy") % {"number": number}
    if number == LIKE_ME:
        return t.pgettext("menu", "As good as I am")
    if number == 10:
        return t.pgettext("menu", "Level %(number)d, perfect") % {"number": number}
    return t.pgettext("menu", "Level %(number)d") % {"number": number}


def _label(item: Item, voice: Voice) -> str:
    t = voice.translations
    labels = {
        Item.NEW_GAME: t.pgettext("menu", "New game"),
        Item.UNDO: t.pgettext("menu", "Undo move"),
        Item.PAUSE: t.pgettext("menu", "Pause"),
        Item.OPPONENT: t.pgettext("menu", "Opponent"),
        Item.STARTER: t.pgettext("menu", "Who starts"),
        Item.VARIANT: t.pgettext("menu", "Rules"),
        Item.CALLING: t.pgettext("menu", "Who calls"),
        Item.COACH: t.pgettext("menu", "Coach"),
        Item.CLOCK: t.pgettext("menu", "Time per move"),
        Item.VOICE: t.pgettext("menu", "Voice"),
        Item.LANGUAGE: t.pgettext("menu", "Language"),
        Item.ENROL: t.pgettext("menu", "Set up pieces"),
        Item.SHUT_DOWN: t.pgettext("menu", "Switch off"),
        Item.LEAVE: t.pgettext("menu", "Close menu"),
        Item.TEACH: t.pgettext("menu", "Teach me"),
        Item.HOW_TO_PLAY: t.pgettext("menu", "How to play"),
        Item.SPEAK_SQUARES: t.pgettext("menu", "Speak squares"),
        Item.ANOTHER_BOARD: t.pgettext("menu", "Another board"),
        Item.SPECTATORS: t.pgettext("menu", "Spectators"),
    }
    return labels[item]


def _value(item: Item, value: Value, voice: Voice) -> str:  # noqa: C901 - one case for each item
    t = voice.translations
    match item, value:
        case Item.OPPONENT, None:
            return t.pgettext("menu", "Demonstration")
        case Item.ANOTHER_BOARD, OtherBoard(label=label):
            # A small display breaks a line between words only.
            return label.replace("-", " ")
        case Item.ANOTHER_BOARD, _:
            anybody, stop = t.pgettext("menu", "Any board"), t.pgettext("menu", "Stop waiting")
            return anybody if value is None else stop
        case Item.OPPONENT, Seat(level=None):
            return t.pgettext("menu", "A person")
        case Item.OPPONENT, Seat(level=int() as number):
            return level_name(number, voice)
        case Item.STARTER, Starter():
            return _starter(value, voice)
        case Item.VARIANT, _:
            return _variant(value if isinstance(value, Variant) else None, voice)
        case Item.CALLING, Calling():
            by_hand, by_itself = t.pgettext("menu", "The players"), t.pgettext("menu", "The board")
            return by_hand if value is Calling.BUTTON else by_itself
        case Item.COACH | Item.VOICE | Item.SPEAK_SQUARES, bool():
            return t.pgettext("menu", "On") if value else t.pgettext("menu", "Off")
        case Item.CLOCK, None | int():
            return _time(value, voice)
        case Item.LANGUAGE, str():
            return LANGUAGE_NAMES.get(value, value)
    return ""


def _starter(starter: Starter, voice: Voice) -> str:
    t = voice.translations
    match starter:
        case Starter.A:
            return voice.name(Player.A)
        case Starter.B:
            return voice.name(Player.B)
        case Starter.IN_TURN:
            return t.pgettext("menu", "Taking turns")
        case Starter.DRAWN:
            return t.pgettext("menu", "At random")
    assert_never(starter)


def _variant(variant: Variant | None, voice: Voice) -> str:
    t = voice.translations
    match variant:
        case None:
            return t.pgettext("menu", "Custom")
        case Variant.CLASSIC:
            return t.pgettext("menu", "Classic")
        case Variant.SQUARES:
            return t.pgettext("menu", "Lines and squares")
        case Variant.THREE_TRAITS:
            return t.pgettext("menu", "Colour, height, shape")
        case Variant.TWO_TRAITS:
            return t.pgettext("menu", "Colour and shape")
        case Variant.ONE_TRAIT:
            return t.pgettext("menu", "Colour only")
    assert_never(variant)


def _time(seconds: int | None, voice: Voice) -> str:
    t = voice.translations
    if seconds is None:
        return t.pgettext("menu", "No limit")
    if seconds % 60:
        return t.ngettext("%(count)d second", "%(count)d seconds", seconds) % {"count": seconds}
    minutes = seconds // 60
    return t.ngettext("%(count)d minute", "%(count)d minutes", minutes) % {"count": minutes}

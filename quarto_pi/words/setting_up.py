"""The set-up by phone, as the display tells it: how to get to it, and what became of it."""

from __future__ import annotations

from typing import assert_never

from quarto_pi.first_start.set_up import JoinTrouble, SetUpStage, SetUpView
from quarto_pi.words.people import Voice


def say_set_up(view: SetUpView, voice: Voice) -> str:
    """What there is to be done or to be waited for."""
    t = voice.translations
    match view.stage:
        case SetUpStage.OPENING | SetUpStage.OPEN:
            return t.gettext("Scan the first code with a phone to join the board's own Wi-Fi, then the second one.")
        case SetUpStage.JOINING:
            return t.gettext("The board joins the Wi-Fi %(network)s.") % {"network": view.network}
        case SetUpStage.DONE:
            return t.gettext("The board is set up and starts now.")
        case SetUpStage.FAILED:
            return t.gettext("The board can't open its own Wi-Fi. Write your settings into quarto-pi.txt on its card.")
    assert_never(view.stage)


def set_up_headline(view: SetUpView, voice: Voice) -> str:
    """The same in big type."""
    t = voice.translations
    match view.stage:
        case SetUpStage.OPENING | SetUpStage.OPEN:
            return t.pgettext("headline", "Set me up!")
        case SetUpStage.JOINING:
            return t.pgettext("headline", "Joining…")
        case SetUpStage.DONE:
            return t.pgettext("headline", "All set!")
        case SetUpStage.FAILED:
            return t.pgettext("headline", "No Wi-Fi")
    assert_never(view.stage)


def say_without_code(view: SetUpView, voice: Voice) -> str:
    """How to get to the set-up where a display has no room for codes."""
    said = voice.translations.gettext("Join the Wi-Fi %(name)s with the password %(password)s, then open %(address)s")
    return said % {"name": view.own.name, "password": view.own.password, "address": view.address}


def say_join_trouble(trouble: JoinTrouble, network: str, voice: Voice) -> str:
    """Why the Wi-Fi was not joined."""
    t = voice.translations
    said = {
        JoinTrouble.WRONG_PASSWORD: t.gettext("The password of %(network)s is wrong. Try again."),
        JoinTrouble.NOT_FOUND: t.gettext("The Wi-Fi %(network)s can't be found from here. Try again."),
        JoinTrouble.NO_ADDRESS: t.gettext("The Wi-Fi %(network)s gives the board no address. Try again."),
        JoinTrouble.NOT_KEPT: t.gettext("This can't be saved: the memory card is full or broken."),
        JoinTrouble.NO_ANSWER: t.gettext("The Wi-Fi %(network)s doesn't answer. Try again."),
    }
    return said[trouble] % {"network": network}


def join_trouble_headline(voice: Voice) -> str:
    """The same in big type."""
    return voice.translations.pgettext("headline", "Not joined")

"""The start of the board: why it has not begun as its owner wants it."""

from __future__ import annotations

from typing import assert_never

from quarto_pi.referee.messages import Impaired, Impairment
from quarto_pi.words.people import Voice


def say_impaired(message: Impaired, voice: Voice) -> str:
    """What is wrong, and who can mend it."""
    t = voice.translations
    match message.why:
        case Impairment.LAST_GOOD:
            return t.gettext("The settings file is wrong: the last good one is used. Please tell the owner.")
        case Impairment.USUAL:
            return t.gettext("The settings file is missing or wrong: the usual ones are used. Please tell the owner.")
        case Impairment.NO_READERS:
            return t.gettext("The board can't reach its readers. Please tell the owner.")
        case Impairment.SAFE:
            return t.gettext("Safe mode: the usual settings are used until the next start.")
    assert_never(message.why)


def impaired_headline(message: Impaired, voice: Voice) -> str:
    """The same in big type."""
    t = voice.translations
    match message.why:
        case Impairment.LAST_GOOD | Impairment.USUAL:
            return t.pgettext("headline", "Wrong settings")
        case Impairment.NO_READERS:
            return t.pgettext("headline", "No readers")
        case Impairment.SAFE:
            return t.pgettext("headline", "Safe mode")
    assert_never(message.why)

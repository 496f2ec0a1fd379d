"""The start of the board: why it has not begun as its owner wants it."""

from __future__ import annotations

from typing import assert_never

from quarto_pi.referee.messages import Impaired, Impairment
from quarto_pi.words.people import Voice


def say_impaired(message: Impaired, voice: Voice) -> str:  # noqa: C901 - one case for each
    """What is wrong, and who can mend it."""
    t = voice.translations
    match message.why:
        case Impairment.LAST_GOOD:
            return t.gettext("The settings file is wrong: the last good one is used. Please tell the owner.")
        case Impairment.USUAL:
            return t.gettext("The settings file is missing or wrong: the usual ones are used. Please tell the owner.")
        case Impairment.NO_READERS:
            return t.gettext("The board can't reach its readers. Please tell the owner.")
        case Impairment.WENT_BACK:
            return t.gettext("An update didn't work: the version before it is back. Please tell the owner.")
        case Impairment.CARD_FAILS:
            return t.gettext("The memory card is full or broken: new settings can't be saved. Please tell the owner.")
        case Impairment.SETTINGS_FILE:
            return t.gettext("quarto-pi.txt on the card has a mistake: quarto-pi-says.txt beside it tells which.")
        case Impairment.CHAIN_FOLDER:
            return t.gettext('The folder "chain" on the card has a mistake: quarto-pi-says.txt beside it tells which.')
        case Impairment.NO_NETWORK:
            return t.gettext("The board can't reach its Wi-Fi. Games go on without it. Please tell the owner.")
        case Impairment.NO_DISPLAY:
            return t.gettext("The display doesn't answer. Games go on without it. Please tell the owner.")
        case Impairment.SAFE:
            return t.gettext("Safe mode: the usual settings are used until the next start.")
    assert_never(message.why)


def impaired_headline(message: Impaired, voice: Voice) -> str:
    """The same in big type."""
    t = voice.translations
    match message.why:
        case Impairment.LAST_GOOD | Impairment.USUAL:
            return t.pgettext("headline", "Wrong settings")
        case Impairment.WENT_BACK:
            return t.pgettext("headline", "Update undone")
        case Impairment.CARD_FAILS:
            return t.pgettext("headline", "Not saved")
        case Impairment.SETTINGS_FILE:
            return t.pgettext("headline", "Wrong line")
        case Impairment.CHAIN_FOLDER:
            return t.pgettext("headline", "Not joined")
        case Impairment.NO_NETWORK:
            return t.pgettext("headline", "No Wi-Fi")
        case Impairment.NO_DISPLAY:
            return t.pgettext("headline", "No display")
        case Impairment.NO_READERS:
            return t.pgettext("headline", "No readers")
        case Impairment.SAFE:
            return t.pgettext("headline", "Safe mode")
    assert_never(message.why)

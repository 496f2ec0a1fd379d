"""The board itself: its start, welcome, clearing up, readers, button, time, whether games are kept, switching off."""

from __future__ import annotations

from typing import assert_never

from quarto_pi.languages import LANGUAGE_NAMES
from quarto_pi.referee.messages import (
    ButtonStuck,
    ClearTheBoard,
    Giving,
    HurryUp,
    Impaired,
    Impairment,
    KeptAgain,
    LanguageChosen,
    NotKept,
    Paused,
    ReaderBack,
    ReaderLost,
    ShuttingDown,
    StillPlaying,
    Storage,
    TimeIsUp,
    Welcome,
)
from quarto_pi.words.terms import Voice, cell_name, listed

ConditionMessage = (
    Welcome
    | ClearTheBoard
    | ReaderLost
    | ReaderBack
    | ButtonStuck
    | HurryUp
    | TimeIsUp
    | Paused
    | StillPlaying
    | LanguageChosen
    | ShuttingDown
)

NAMED = 4
"""So many cells are named; of more than that only the number is told."""


def say_condition(condition: ConditionMessage, voice: Voice) -> str:  # noqa: C901 - one case for each condition
    """What people should know about the board and the time."""
    t = voice.translations
    match condition:
        case Welcome(giving=Giving.ON_GIVE_PLACE):
            return t.gettext("Fancy a game of Quarto? Put any piece on the giving spot!")
        case Welcome():
            return t.gettext("Fancy a game of Quarto? Put any piece on the board!")
        case ClearTheBoard(cells=cells):
            return _of_clearing(cells, voice)
        case ReaderLost(cells=cells):
            return _of_lost(cells, voice)
        case ReaderBack(cell=cell):
            return t.gettext("Working again: %(cell)s.") % {"cell": cell_name(t, cell)}
        case ButtonStuck():
            return t.gettext("The button is stuck, or something is on top of it. Please check.")
        case HurryUp(player=player):
            you = t.gettext("Hurry up! Your time is nearly over.")
            return voice.tell(player, you, t.gettext("%(player)s: hurry up! The time is nearly over."))
        case TimeIsUp(player=player):
            return voice.tell(player, t.gettext("Your time is up!"), t.gettext("%(player)s: the time is up!"))
        case Paused():
            return t.gettext("The game is paused. Press the button to go on.")
        case StillPlaying():
            return t.gettext("Lift any piece for a moment, or this game will end soon.")
        case LanguageChosen():
            return t.gettext("Welcome! Press again for the next language.")
        case ShuttingDown():
            return t.gettext("Goodbye! When the screen has gone dark, you can unplug the board.")
    assert_never(condition)


def condition_headline(condition: ConditionMessage, voice: Voice) -> str:  # noqa: C901 - one case for each condition
    """The same in big type."""
    t = voice.translations
    match condition:
        case Welcome():
            return t.pgettext("headline", "Play Quarto!")
        case ClearTheBoard():
            return t.pgettext("headline", "Clear the board")
        case ReaderLost():
            return t.pgettext("headline", "Can't see!")
        case ReaderBack():
            return t.pgettext("headline", "It works again")
        case ButtonStuck():
            return t.pgettext("headline", "Button stuck")
        case HurryUp():
            return t.pgettext("headline", "Hurry up!")
        case TimeIsUp():
            return t.pgettext("headline", "Time is up!")
        case Paused():
            return t.pgettext("headline", "Paused")
        case StillPlaying():
            return t.pgettext("headline", "Still playing?")
        case LanguageChosen(language=language):
            return LANGUAGE_NAMES[language]
        case ShuttingDown():
            return t.pgettext("headline", "Goodbye!")
    assert_never(condition)


def _of_clearing(cells: tuple[str, ...], voice: Voice) -> str:
    t = voice.translations
    if not 0 < len(cells) <= NAMED:
        return t.gettext("Take all the pieces off the board to start a new game.")
    form = t.gettext("Before the next game, take these pieces off the board: %(cells)s.")
    return form % {"cells": listed(t, cells)}


def _of_lost(cells: tuple[str, ...], voice: Voice) -> str:
    t = voice.translations
    if len(cells) <= NAMED:
        names = listed(t, (cell_name(t, cell) for cell in cells))
        return t.gettext("The board can't see this spot: %(cells)s. Just play on.") % {"cells": names}
    form = t.ngettext(
        "The board can't see %(count)d spot. Just play on.",
        "The board can't see %(count)d spots. Just play on.",
        len(cells),
    )
    return form % {"count": len(cells)}


# --- The start of the board: why it has not begun as its owner wants it -----------------------------------------------


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


# --- The storage: whether games are being kept ------------------------------------------------------------------------

StorageMessage = NotKept | KeptAgain


def say_storage(message: StorageMessage, voice: Voice) -> str:
    """What people should know about their games."""
    t = voice.translations
    match message:
        case KeptAgain():
            return t.gettext("Games are being saved again.")
        case NotKept(why=Storage.FULL):
            return t.gettext("Games aren't being saved: the memory card is full.")
        case NotKept(why=Storage.READ_ONLY):
            return t.gettext("Games aren't being saved: nothing can be written to the memory card.")
        case NotKept(why=Storage.NEWER):
            return t.gettext("Games aren't being saved: those on the memory card are from a newer version.")
        case NotKept():
            return t.gettext("Games aren't being saved: the memory card doesn't work.")
    assert_never(message)


def storage_headline(message: StorageMessage, voice: Voice) -> str:
    """The same in big type."""
    t = voice.translations
    match message:
        case KeptAgain():
            return t.pgettext("headline", "Saving again")
        case NotKept():
            return t.pgettext("headline", "Not saved")
    assert_never(message)

"""The guide: language, readers, a tag for every piece, and what hands have to put right on the way."""

from __future__ import annotations

from typing import assert_never

from quarto_pi.enrolment.state import (
    AllKnown,
    CheckReaders,
    ChooseLanguage,
    Enrolled,
    GuideMessage,
    GuideNotice,
    GuidePrompt,
    KnownAlready,
    NotStored,
    PutPiece,
    Ready,
    ReplacePiece,
    SameTagTwice,
    SeveralPieces,
    SeveralTags,
    StartOver,
    StoringFails,
    UnclearTag,
)
from quarto_pi.languages import LANGUAGE_NAMES
from quarto_pi.words.conditions import NAMED
from quarto_pi.words.people import Voice
from quarto_pi.words.terms import cell_name, listed, on_cell, piece_alone, the_piece


def say_guide(message: GuideMessage, voice: Voice) -> str:
    """What the guide asks for or tells."""
    return _told(message, voice) if isinstance(message, GuideNotice) else _asked(message, voice)


def guide_headline(message: GuideMessage, voice: Voice) -> str:
    """The same in big type."""
    return _notice_headline(message, voice) if isinstance(message, GuideNotice) else _prompt_headline(message, voice)


def guide_help(prompt: GuidePrompt, voice: Voice) -> str:
    """What the button does at this question."""
    t = voice.translations
    match prompt:
        case ChooseLanguage():
            return t.pgettext("menu", "press: next, hold: OK")
        case CheckReaders(looked=looked):
            return t.pgettext("guide", "press: go on") if looked else ""
        case PutPiece(count=1):
            return t.pgettext("guide", "hold: cancel")
        case PutPiece():
            return t.pgettext("guide", "press: skip it, hold: go back")
        case ReplacePiece() | StartOver():
            return t.pgettext("menu", "press: no, hold: yes")
        case AllKnown():
            return t.pgettext("guide", "press: play, hold: start over")
        case NotStored():
            return t.pgettext("guide", "press: play anyway")
        case Ready():
            return t.pgettext("guide", "press: play")
    assert_never(prompt)


def _asked(prompt: GuidePrompt, voice: Voice) -> str:
    t = voice.translations
    match prompt:
        case ChooseLanguage(language=language):
            return LANGUAGE_NAMES[language]
        case CheckReaders():
            return _checked(prompt, voice)
        case PutPiece(piece=piece):
            return t.gettext("Put %(piece)s on any square.") % {"piece": the_piece(t, piece)}
        case ReplacePiece(piece=piece, cell=cell):
            form = t.gettext("New tag %(on_cell)s. Does it belong to this piece: %(piece)s?")
            return form % {"on_cell": on_cell(t, cell), "piece": piece_alone(t, piece)}
        case AllKnown():
            return t.gettext("All pieces have a tag. Is one lost? Put the other fifteen and the new one on the board.")
        case StartOver():
            return t.gettext("Set up all the pieces again? The old tags count until the last piece is done.")
        case NotStored():
            return t.gettext("All pieces have a tag, but this can't be saved. The memory card is full or broken.")
        case Ready():
            return t.gettext("All sixteen pieces have a tag. Have fun!")
    assert_never(prompt)


def _checked(prompt: CheckReaders, voice: Voice) -> str:
    t = voice.translations
    if not prompt.looked:
        return t.gettext("The board is checking its readers.")
    if not prompt.failing:
        form = t.ngettext("%(count)d reader answers.", "All %(count)d readers answer.", prompt.count)
        return form % {"count": prompt.count}
    if len(prompt.failing) <= NAMED:
        names = listed(t, (cell_name(t, cell) for cell in prompt.failing))
        return t.gettext("No reader answers here: %(cells)s. Check its wires and its power.") % {"cells": names}
    form = t.ngettext(
        "%(count)d reader doesn't answer. Check the wires and the power.",
        "%(count)d readers don't answer. Check the wires and the power.",
        len(prompt.failing),
    )
    return form % {"count": len(prompt.failing)}


def _told(notice: GuideNotice, voice: Voice) -> str:
    t = voice.translations
    match notice:
        case Enrolled(piece=piece):
            return t.gettext("Got it: %(piece)s.") % {"piece": piece_alone(t, piece)}
        case KnownAlready(piece=piece):
            form = t.gettext("This tag is taken: %(piece)s. Is this another piece? Then it needs a tag of its own.")
            return form % {"piece": piece_alone(t, piece)}
        case SameTagTwice(cells=cells):
            form = t.gettext("The same tag twice: %(cells)s. One of the two pieces needs another tag.")
            return form % {"cells": listed(t, (cell_name(t, cell) for cell in cells))}
        case SeveralTags(cell=cell):
            form = t.gettext("More than one tag here: %(cell)s. One piece on a square, with one tag!")
            return form % {"cell": cell_name(t, cell)}
        case SeveralPieces():
            return t.gettext("More than one new piece. Leave only the one shown.")
        case UnclearTag(cell=cell):
            form = t.gettext("This tag is hard to read: %(cell)s. Take the pieces around it off, or try elsewhere.")
            return form % {"cell": cell_name(t, cell)}
        case StoringFails():
            return t.gettext("This can't be saved: the memory card is full or broken. The board tries again.")
    assert_never(notice)


def _prompt_headline(prompt: GuidePrompt, voice: Voice) -> str:
    t = voice.translations
    match prompt:
        case CheckReaders():
            return _checking(prompt, voice)
        case PutPiece(count=1):
            return t.pgettext("headline", "The new piece")
        case PutPiece():
            return t.pgettext("headline", "Next piece")
        case _:
            return {
                ChooseLanguage: t.pgettext("menu", "Language"),
                ReplacePiece: t.pgettext("headline", "A new tag"),
                AllKnown: t.pgettext("headline", "All pieces known"),
                StartOver: t.pgettext("headline", "All again?"),
                NotStored: t.pgettext("headline", "Not saved"),
                Ready: t.pgettext("headline", "Ready!"),
            }[type(prompt)]


def _checking(prompt: CheckReaders, voice: Voice) -> str:
    t = voice.translations
    if prompt.failing:
        return t.pgettext("headline", "No answer")
    return t.pgettext("headline", "All is well") if prompt.looked else t.pgettext("headline", "Checking…")


def _notice_headline(notice: GuideNotice, voice: Voice) -> str:
    t = voice.translations
    match notice:
        case Enrolled():
            return t.pgettext("headline", "Got it!")
        case KnownAlready():
            return t.pgettext("headline", "Known already")
        case SameTagTwice():
            return t.pgettext("headline", "Same tag twice")
        case SeveralTags() | SeveralPieces():
            return t.pgettext("headline", "Only one!")
        case UnclearTag():
            return t.pgettext("headline", "Hard to read")
        case StoringFails():
            return t.pgettext("headline", "Not saved")
    assert_never(notice)

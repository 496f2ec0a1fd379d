"""A first start: the set-up by phone, mistakes in the owner's settings file, and the guide that enrols the pieces."""

from __future__ import annotations

from collections.abc import Sequence
from gettext import NullTranslations
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
from quarto_pi.first_start.mistakes import CHAIN_MISTAKES, SettingsMistake, WrongSetting
from quarto_pi.first_start.set_up import JoinTrouble, SetUpStage, SetUpView
from quarto_pi.languages import LANGUAGE_NAMES
from quarto_pi.words.conditions import NAMED
from quarto_pi.words.terms import Voice, cell_name, listed, on_cell, piece_alone, the_piece

# --- The set-up by phone, as the display tells it: how to get to it, and what became of it ----------------------------


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


# --- The owner's settings file and the folder of a chain: what is wrong, and what was taken over; a phone's answers ---


def say_mistake(mistake: SettingsMistake, t: NullTranslations) -> str:
    """One sentence about a mistake, with the line in which it stands, if it stands in one."""
    sentence = _sentence(mistake, t)
    if not mistake.line:
        return sentence
    return t.gettext("Line %(line)d: %(sentence)s") % {"line": mistake.line, "sentence": sentence}


def say_settings_file(mistakes: Sequence[SettingsMistake], t: NullTranslations, chain: tuple[str, str] | None) -> str:
    """What the file beside the settings says, a line for each sentence; `chain`: the board's name, and its broker."""
    said = [say_mistake(mistake, t) for mistake in mistakes]
    whats = {mistake.what for mistake in mistakes}
    if not whats - CHAIN_MISTAKES:
        said.append(t.gettext("Everything in quarto-pi.txt has been taken over."))
    elif WrongSetting.NOT_TEXT not in whats:
        said.append(t.gettext("All other lines of quarto-pi.txt have been taken over."))
    if chain is not None:
        board, broker = chain
        told = t.gettext('On its chain this board is "%(board)s". The broker is %(broker)s.')
        said.append(told % {"board": board, "broker": broker})
    return "\n".join(said)


def _sentence(mistake: SettingsMistake, t: NullTranslations) -> str:
    fewest, most = (*mistake.known, "", "")[:2]
    said = {
        WrongSetting.NOT_TEXT: t.gettext(
            "quarto-pi.txt isn't plain text. Save it as plain text (TextEdit: Format, Make Plain Text)."
        ),
        WrongSetting.TWO_FILES: t.gettext("There are several settings files; the newest one counts: %(written)s"),
        WrongSetting.NO_VALUE: t.gettext('"%(written)s" isn\'t understood. Write it like this: name = value'),
        WrongSetting.UNKNOWN: t.gettext('"%(written)s" isn\'t a setting. Write one of these: %(known)s'),
        WrongSetting.TWICE: t.gettext('"%(written)s" stands there twice; the last one counts.'),
        WrongSetting.NOT_ONE_OF: t.gettext('"%(written)s" can\'t be chosen. Write one of these: %(known)s'),
        WrongSetting.UNLIKE: t.gettext('"%(written)s" isn\'t understood. Write it like this: %(known)s'),
        WrongSetting.PIN: t.gettext("A PIN has %(fewest)s to %(most)s letters and digits without accents."),
        WrongSetting.WIFI_NAME: t.gettext("A Wi-Fi name has 1 to 32 letters; a password alone isn't enough."),
        WrongSetting.WIFI_PASSWORD: t.gettext(
            "A Wi-Fi password has %(fewest)s to %(most)s characters without accents."
        ),
        WrongSetting.CHAIN_MISSING: t.gettext(
            '%(written)s is missing in the folder "chain". Copy credentials, ca.pem and chain.toml into it, unchanged.'
        ),
        WrongSetting.CHAIN_BESIDE: t.gettext(
            '%(written)s lies beside quarto-pi.txt. Put it into a folder "chain" there.'
        ),
        WrongSetting.CHAIN_TWICE: t.gettext('%(written)s is in the folder "chain" twice. Leave only one of the two.'),
        WrongSetting.CHAIN_UNREADABLE: t.gettext(
            "%(written)s can't be read: it's a link, a folder, or damaged. Copy the file there anew."
        ),
        WrongSetting.CHAIN_TOO_LARGE: t.gettext(
            "%(written)s is too large for a file from the hub. Copy the file there anew."
        ),
        WrongSetting.CHAIN_NOT_TEXT: t.gettext("%(written)s isn't plain text. Copy the file there anew, unchanged."),
        WrongSetting.CHAIN_CHANGED: t.gettext(
            "%(written)s isn't as the hub has made it. Copy the file there anew, unchanged."
        ),
        WrongSetting.CHAIN_PATH: t.gettext(
            'chain.toml names another file, "%(written)s". Copy chain.toml there anew, unchanged.'
        ),
        WrongSetting.CHAIN_OTHER_BOARD: t.gettext(
            'The credentials are those of "%(written)s", but chain.toml is for "%(known)s". '
            "Copy the three files of one board."
        ),
        WrongSetting.CHAIN_BROKER: t.gettext(
            "The broker %(written)s isn't in a private network. The board reaches no other one."
        ),
    }
    written, known = mistake.written, ", ".join(mistake.known)
    return said[mistake.what] % {"written": written, "known": known, "fewest": fewest, "most": most}


# --- The guide: language, readers, a tag for every piece, and what hands have to put right on the way -----------------


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

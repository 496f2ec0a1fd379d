"""The storage: whether games are being kept."""

from __future__ import annotations

from typing import assert_never

from quarto_pi.referee.messages import KeptAgain, NotKept, Storage
from quarto_pi.words.people import Voice

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

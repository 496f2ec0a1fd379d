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
            return t.gettext("Games are being kept again.")
        case NotKept(why=Storage.FULL):
            return t.gettext("Games are not being kept: the storage is full.")
        case NotKept(why=Storage.READ_ONLY):
            return t.gettext("Games are not being kept: nothing can be written to the storage.")
        case NotKept():
            return t.gettext("Games are not being kept: the storage does not work.")
    assert_never(message)


def storage_headline(message: StorageMessage, voice: Voice) -> str:
    """The same in big type."""
    t = voice.translations
    match message:
        case KeptAgain():
            return t.pgettext("headline", "Kept again")
        case NotKept():
            return t.pgettext("headline", "Not kept")
    assert_never(message)

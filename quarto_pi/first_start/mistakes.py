"""What can be wrong with what an owner says in the settings file or on the phone."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

MOST_REPEATED: Final = 40
"""So many letters of what was written are repeated."""


class WrongSetting(Enum):
    """What is wrong."""

    NOT_TEXT = "not plain text"
    """The file is rich text, or a document: no line of it counts."""
    TWO_FILES = "two files"
    NO_VALUE = "a line without a name and a value"
    UNKNOWN = "an unknown name"
    TWICE = "the same name twice"
    NOT_ONE_OF = "a value that cannot be chosen"
    UNLIKE = "a value that is written otherwise"
    PIN = "a PIN that is too short, or has strange letters"
    WIFI_NAME = "a name that no Wi-Fi has"
    WIFI_PASSWORD = "a password that no Wi-Fi has"  # noqa: S105 - what is wrong with one
    CHAIN_MISSING = "a file of a chain that is missing"
    CHAIN_BESIDE = "a file of a chain beside its folder"
    CHAIN_TWICE = "a file of a chain twice"
    CHAIN_UNREADABLE = "a file of a chain that is a link, a folder, or damaged"
    CHAIN_TOO_LARGE = "a file of a chain that is larger than any"
    CHAIN_NOT_TEXT = "a file of a chain that is not plain text"
    CHAIN_CHANGED = "a file of a chain that no hub has made like this"
    CHAIN_PATH = "a chain that names files elsewhere"
    CHAIN_OTHER_BOARD = "the credentials of another board than that of the chain"
    CHAIN_BROKER = "a chain whose broker is in no private network"


CHAIN_MISTAKES: Final = frozenset(
    {
        WrongSetting.CHAIN_MISSING,
        WrongSetting.CHAIN_BESIDE,
        WrongSetting.CHAIN_TWICE,
        WrongSetting.CHAIN_UNREADABLE,
        WrongSetting.CHAIN_TOO_LARGE,
        WrongSetting.CHAIN_NOT_TEXT,
        WrongSetting.CHAIN_CHANGED,
        WrongSetting.CHAIN_PATH,
        WrongSetting.CHAIN_OTHER_BOARD,
        WrongSetting.CHAIN_BROKER,
    }
)
"""Those of the folder of a chain, and not of the settings file."""


@dataclass(frozen=True, slots=True)
class SettingsMistake:
    """A mistake, the line in which it stands (0: in none), what was written there, and what would be right.

    Of a secret nothing is repeated, and of all else the beginning.
    """

    what: WrongSetting
    line: int = 0
    written: str = ""
    known: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        plain = "".join(letter if letter.isprintable() else "?" for letter in self.written[:MOST_REPEATED])
        object.__setattr__(self, "written", plain)


class Mistaken(ValueError):
    """Something that an owner said is wrong."""

    def __init__(self, mistake: SettingsMistake) -> None:
        super().__init__(mistake.what.value)
        self.mistake = mistake

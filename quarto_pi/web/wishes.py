"""The settings as JSON, and what somebody wishes to be otherwise; and how it is said that something cannot be.

Nothing here needs what serves the page: a board of a chain takes its hub's wishes without one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Final

from quarto_pi.referee import Settings
from quarto_pi.referee.all_settings import BUILT, ON_PAGE_FIRST, ON_PAGE_LAST, PLAYERS
from quarto_pi.rules import OptionsError, hint
from quarto_pi.rules.kinds import Medium, ValueRefused
from quarto_pi.rules.options import Row

Json = dict[str, object]


class RefusalReason(Enum):
    """Why something that somebody asked for is not done, for a page that has its own words for it."""

    PIN_MISSING = "pin missing"
    PIN_WRONG = "pin wrong"
    PIN_WAIT = "pin wait"
    LOOK_ONLY = "look only"
    TOO_FAST = "too fast"
    BUSY = "busy"
    GUIDE_FIRST = "guide first"
    NO_GAME = "no game"
    GAME_ON = "game on"
    GAME_OVER = "game over"
    NOTHING_PLACED = "nothing placed"
    SQUARE_TAKEN = "square taken"
    NO_GAMES_FILE = "no games file"
    NO_STICK = "no stick"
    NO_ROOM = "no room"
    NO_UPDATE = "no update"
    LOG_IN = "log in"
    LOGIN_WRONG = "login wrong"
    LOGIN_WAIT = "login wait"
    NOT_YOURS = "not yours"


class Refused(Exception):
    """A request that is not answered as wished: the status, one sentence that says why, and the reason as a word."""

    def __init__(self, status: int, sentence: str, reason: RefusalReason | None = None) -> None:
        super().__init__(sentence)
        self.status = status
        self.sentence = sentence
        self.reason = reason

    def as_json(self) -> Json:
        """What is answered."""
        answer: Json = {"error": self.sentence}
        return answer if self.reason is None else {**answer, "reason": self.reason.value}


def shown(value: str) -> str:
    """A text from outside as it may be repeated in a sentence."""
    return "".join(letter if letter.isprintable() else "?" for letter in value[:40])


# --- The settings as JSON, and what somebody wishes to be otherwise ---------------------------------------------------

_LEVELS: Final = "levels"  # the key of both players
_ROWS: Final = (*ON_PAGE_FIRST, *ON_PAGE_LAST)

KEYS: Final = (*(row.key for row in ON_PAGE_FIRST), _LEVELS, *(row.key for row in ON_PAGE_LAST))


def settings_as_json(settings: Settings) -> Json:
    """How the board is played on."""
    levels = [row.write(settings, Medium.PAGE) for row in PLAYERS]
    return {**_written(settings, ON_PAGE_FIRST), _LEVELS: levels, **_written(settings, ON_PAGE_LAST)}


def with_wishes(settings: Settings, wishes: Mapping[str, object]) -> Settings:
    """The settings with some of them as wished; `Refused` or `OptionsError` names what cannot be."""
    plain = settings_as_json(settings)
    for key in wishes:
        if key not in KEYS:
            raise Refused(400, f"'{shown(key)}' is no setting: {hint(shown(key), KEYS)}")
    for key in BUILT:
        if key in wishes and (wishes[key] != plain[key] or type(wishes[key]) is not type(plain[key])):
            raise Refused(409, f"'{key}' is how the board is built: it stands in the configuration.")
    if settings.voice is None and wishes.get("voice") is not None:
        raise Refused(409, "'voice' cannot be switched: this board has none.")
    for row in _ROWS:
        # A board that cannot speak says null, and may be told so.
        if row.key in wishes and (wishes[row.key] is not None or plain[row.key] is not None):
            settings = _read(row, settings, wishes[row.key], row.key)
    return _with_levels(settings, wishes[_LEVELS]) if _LEVELS in wishes else settings


def _written(settings: Settings, rows: Iterable[Row[Settings]]) -> Json:
    return {row.key: row.write(settings, Medium.PAGE) for row in rows}


def _read(row: Row[Settings], settings: Settings, wish: object, key: str) -> Settings:
    try:
        return row.read(settings, wish, Medium.PAGE)
    except ValueRefused as error:
        raise OptionsError(error.of(f"'{key}'")) from error


def _with_levels(settings: Settings, value: object) -> Settings:
    if not isinstance(value, list) or len(value) != 2 or not all(type(each) is int for each in value):
        raise Refused(400, "'levels' is a list of two: the computer's level on each side, 0 for a person.")
    for row, level in zip(PLAYERS, value, strict=True):
        settings = _read(row, settings, level, _LEVELS)
    return settings

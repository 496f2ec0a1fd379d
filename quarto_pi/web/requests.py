"""What is taken from outside: small JSON objects with known keys, and wishes for settings; the rest is refused.

Nothing here needs what serves the page: a board of a chain takes its hub's wishes without one.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from starlette.requests import ClientDisconnect, Request

from quarto_pi.enrolment import GuideView
from quarto_pi.referee import Settings, View
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


# --- What is to be seen of the board at one moment: handed from the thread of the game to that of the page ------------


@dataclass(frozen=True, slots=True)
class ShownLights:
    """The lights as patterns, by name: on the panel, and colour and pattern under the squares."""

    panel: Mapping[str, str] = field(default_factory=dict)
    squares: Mapping[str, tuple[str, str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Moment:
    """The newest view, the lights that go with it, and how the next game is to be played.

    While there is a `guide`, nobody plays: the view is only what is around it.
    """

    view: View
    lights: ShownLights
    wishes: Settings
    guide: GuideView | None = None


# --- What is taken from outside: small JSON objects with known keys, everything else refused in one sentence ----------

MOST_BYTES: Final = 4_096
MOST_SECONDS: Final = 10.0


async def body_of(request: Request) -> Json:
    """The JSON object that was sent."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise Refused(415, "send JSON, with the content type application/json.")
    try:
        async with asyncio.timeout(MOST_SECONDS):
            received = await _received(request)
    except TimeoutError as error:
        raise Refused(408, "that took too long to send.") from error
    except ClientDisconnect as error:
        raise Refused(400, "the request has broken off.") from error
    try:
        value = json.loads(received.decode("utf-8"))
        # JSON can name half a letter, of which no answer can be made.
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except (ValueError, RecursionError) as error:
        raise Refused(400, "that is not JSON.") from error
    if not isinstance(value, dict):
        raise Refused(400, "send an object, such as {}.")
    return value


async def _received(request: Request) -> bytes:
    received = bytearray()
    async for chunk in request.stream():
        received += chunk
        if len(received) > MOST_BYTES:
            raise Refused(413, f"that is too long: at most {MOST_BYTES} bytes are read.")
    return bytes(received)


def known(body: Mapping[str, object], keys: Sequence[str]) -> None:
    """Make sure that nothing is sent that nobody reads."""
    for key in body:
        if key not in keys:
            raise Refused(400, f"'{shown(key)}' is no key here: {hint(shown(key), keys)}")


def text(body: Mapping[str, object], key: str) -> str:
    """A text that has to be there."""
    value = body.get(key)
    if not isinstance(value, str):
        raise Refused(400, f"'{key}' is missing, or is no text.")
    return shown(value)


def truth(body: Mapping[str, object], key: str, *, default: bool | None = None) -> bool:
    """True or false; it has to be there where there is no default."""
    value = body.get(key, default)
    if not isinstance(value, bool):
        raise Refused(400, f"'{key}' is true or false.")
    return value


def one_of(body: Mapping[str, object], key: str, words: Iterable[str], default: str | None = None) -> str:
    """One of these words."""
    value, allowed = body.get(key, default), list(words)
    if not isinstance(value, str) or value not in allowed:
        raise Refused(400, f"'{key}' is one of {', '.join(allowed)}.")
    return value

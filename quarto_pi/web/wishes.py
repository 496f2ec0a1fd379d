"""The settings as JSON, and what somebody wishes to be otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from quarto_pi.referee import Seat, Settings, Starter
from quarto_pi.rules import Calling, Options, Trait, hint, parse_traits
from quarto_pi.web.moment import Json
from quarto_pi.web.requests import Refused, one_of, text, truth

KEYS: Final = (
    "squares",
    "traits",
    "calling",
    "clock_seconds",
    "levels",
    "starter",
    "coach",
    "voice",
    "language",
    "buttons",
    "offer_reader",
    "undo",
)
LONGEST_CLOCK_SECONDS: Final = 3_600
_OF_THE_BOARD: Final = ("buttons", "offer_reader")


def settings_as_json(settings: Settings) -> Json:
    """How the board is played on."""
    rules = settings.rules
    return {
        "squares": rules.squares,
        "traits": [trait.value for trait in rules.traits],
        "calling": rules.calling.value,
        "clock_seconds": None if rules.clock_ms is None else max(1, rules.clock_ms // 1000),
        "levels": [seat.level or 0 for seat in settings.seats],
        "starter": settings.starter.value,
        "coach": settings.coach,
        "voice": settings.voice,
        "language": settings.language,
        "buttons": settings.buttons,
        "offer_reader": settings.offer_reader,
        "undo": settings.undo,
    }


def with_wishes(settings: Settings, wishes: Mapping[str, object]) -> Settings:
    """The settings with some of them as wished; what cannot be raises and names it."""
    for key in wishes:
        if key not in KEYS:
            raise Refused(400, f"'{key}' is no setting: {hint(key, KEYS)}")
    plain = settings_as_json(settings)
    for key in _OF_THE_BOARD:
        if key in wishes and (wishes[key] != plain[key] or type(wishes[key]) is not type(plain[key])):
            raise Refused(409, f"'{key}' is how the board is built: it stands in the configuration.")
    changed = replace(
        settings,
        rules=_rules(settings.rules, wishes),
        seats=_seats(wishes["levels"]) if "levels" in wishes else settings.seats,
        starter=Starter(one_of(wishes, "starter", [each.value for each in Starter], settings.starter.value)),
        coach=truth(wishes, "coach", default=settings.coach),
        voice=_voice(wishes, settings.voice),
        undo=truth(wishes, "undo", default=settings.undo),
    )
    return replace(changed, language=text(wishes, "language")) if "language" in wishes else changed


def _rules(rules: Options, wishes: Mapping[str, object]) -> Options:
    return replace(
        rules,
        squares=truth(wishes, "squares", default=rules.squares),
        traits=_traits(wishes["traits"]) if "traits" in wishes else rules.traits,
        calling=Calling(one_of(wishes, "calling", [each.value for each in Calling], rules.calling.value)),
        clock_ms=_clock(wishes["clock_seconds"]) if "clock_seconds" in wishes else rules.clock_ms,
    )


def _voice(wishes: Mapping[str, object], plain: bool | None) -> bool | None:
    if plain is not None:
        return truth(wishes, "voice", default=plain)
    if wishes.get("voice") is not None:
        raise Refused(409, "'voice' cannot be switched: this board has none.")
    return None


def _traits(value: object) -> tuple[Trait, ...]:
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise Refused(400, '\'traits\' is a list such as ["colour", "height"].')
    return parse_traits(",".join(value))


def _clock(value: object) -> int | None:
    if value is None:
        return None
    if type(value) is not int or not 1 <= value <= LONGEST_CLOCK_SECONDS:
        raise Refused(400, f"'clock_seconds' is null for no clock, or 1 to {LONGEST_CLOCK_SECONDS}.")
    return value * 1000


def _seats(value: object) -> tuple[Seat, Seat]:
    if not isinstance(value, list) or len(value) != 2 or not all(type(each) is int for each in value):
        raise Refused(400, "'levels' is a list of two: the computer's level on each side, 0 for a person.")
    first, second = (Seat(each or None) for each in value)
    return first, second

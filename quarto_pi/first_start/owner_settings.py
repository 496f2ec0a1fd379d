"""What the owner of a board can say without a keyboard, and which key of the configuration each of it is.

The bounds are the configuration's own: each value is given to the reader of its section. What a phone has answered is
kept until the next start takes it over into the configuration.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final
from zoneinfo import available_timezones

from quarto_pi.config import ConfigError
from quarto_pi.config.layers import lay
from quarto_pi.config.section import KeyPath
from quarto_pi.config.service import FEWEST_IN_PIN, MOST_IN_PIN
from quarto_pi.config.sources import Source, profile_names, profile_summary
from quarto_pi.config.whole import PROFILE
from quarto_pi.files import put_whole
from quarto_pi.first_start.mistakes import Mistaken, SettingsMistake, WrongSetting
from quarto_pi.first_start.set_up import (
    FEWEST_IN_WIFI_PASSWORD,
    MOST_IN_WIFI_PASSWORD,
    SetUpAnswers,
    WifiNetwork,
    WifiRefused,
)
from quarto_pi.languages import LANGUAGE_NAMES

MOST_WRITTEN: Final = 200
"""No value is longer."""


@dataclass(frozen=True, slots=True)
class OwnerSetting:
    """A name that the owner can write, the key of the configuration that it is, and what is wrong if it is refused.

    `read` makes of what people write what the configuration has.
    """

    name: str
    path: KeyPath
    mistake: WrongSetting
    help: tuple[str, ...]
    read: Callable[[str], str] = str
    secret: bool = False
    known: Callable[[], tuple[str, ...]] = tuple

    def value(self, written: str) -> str:
        """What the configuration has for what somebody has written; raises `Mistaken`."""
        value = self.read(written)
        try:
            if len(value) > MOST_WRITTEN:
                raise ConfigError("too long")
            lay([Source("", _nested(self.path, value))])
        except ConfigError as error:
            raise Mistaken(self.mistaken(written)) from error
        return value

    def mistaken(self, written: str) -> SettingsMistake:
        """What to say of a value that is refused."""
        return SettingsMistake(self.mistake, written="" if self.secret else written, known=self.known())


def _nested(path: KeyPath, value: object) -> dict[str, object]:
    name, *below = path
    return {name: _nested(tuple(below), value) if below else value}


# --- What people write, in the way in which the configuration has it --------------------------------------------------


def _language(written: str) -> str:
    """A code or a language's own name, in any case."""
    plain = written.casefold().replace("-", "_")
    both = {code.casefold(): code for code in LANGUAGE_NAMES} | {
        name.casefold(): code for code, name in LANGUAGE_NAMES.items()
    }
    return both.get(plain, written)


def _wiring(written: str) -> str:
    return re.sub(r"[\s_-]+", "-", written.casefold())


_DASHES: Final = str.maketrans(
    dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-") | {"\uff1a": ":", "\uff1b": ";", "\uff0c": ","}
)
"""What phones and Chinese keyboards write for a hyphen, a colon, a semicolon and a comma."""


def opening_hours(written: str) -> str:
    r"""Opening hours as the configuration has them, whatever stands between hours and minutes.

    >>> opening_hours("Monday\u2013Thu 17h00 \u2013 23.00; Sat 17\uff1a00-02:00")
    'mon-thu 17:00 - 23:00; sat 17:00-02:00'
    """
    plain = written.casefold().translate(_DASHES)
    plain = re.sub(r"(\d)\s*[.h]\s*(\d\d)(?!\d)", r"\1:\2", plain)
    return re.sub(r"\b(mon|tue|wed|thu|fri|sat|sun)[a-z]*\b", r"\1", plain)


def _time_zone(written: str) -> str:
    wanted = re.sub(r"\s+", "_", written.casefold())
    return _zones().get(wanted, written)


@cache
def _zones() -> Mapping[str, str]:
    """Every time zone by its name in small letters; the system has a file for each, and all are looked into."""
    return {zone.casefold(): zone for zone in available_timezones()}


OWNER_SETTINGS: Final = (
    OwnerSetting(
        "language",
        ("game", "language"),
        WrongSetting.NOT_ONE_OF,
        (", ".join(f"{code} ({name})" for code, name in LANGUAGE_NAMES.items()),),
        _language,
        known=lambda: tuple(LANGUAGE_NAMES),
    ),
    OwnerSetting(
        "wiring",
        (PROFILE,),
        WrongSetting.NOT_ONE_OF,
        tuple(f"{name}: {profile_summary(name)}" for name in profile_names()),
        _wiring,
        known=profile_names,
    ),
    OwnerSetting(
        "PIN",
        ("page", "pin"),
        WrongSetting.PIN,
        (
            f"{FEWEST_IN_PIN} to {MOST_IN_PIN} letters and digits. Who knows it may change things on the board's page;",
            "without one everybody only looks.",
        ),
        secret=True,
        known=lambda: (f"{FEWEST_IN_PIN}", f"{MOST_IN_PIN}"),
    ),
    OwnerSetting(
        "opening hours",
        ("kiosk", "open"),
        WrongSetting.UNLIKE,
        ("10:00-23:00, or: mon-thu 17:00-23:00; fri sat 17:00-02:00. Outside of them the board sleeps.",),
        opening_hours,
        known=lambda: ("mon-thu 17:00-23:00; fri sat 17:00-02:00",),
    ),
    OwnerSetting(
        "time zone",
        ("kiosk", "time_zone"),
        WrongSetting.UNLIKE,
        ("Such as Europe/Berlin.",),
        _time_zone,
        known=lambda: ("Europe/Berlin",),
    ),
    OwnerSetting(
        "Wi-Fi country",
        ("network", "country"),
        WrongSetting.UNLIKE,
        ("Two letters, such as DE: whose rules for radio hold.",),
        str.upper,
        known=lambda: ("DE",),
    ),
)
"""All but the Wi-Fi itself, which is no matter of the configuration, and the chain, which has files of its own."""

WIFI_NAME: Final = "Wi-Fi name"
WIFI_PASSWORD: Final = "Wi-Fi password"  # noqa: S105 - what it is called
WIFI_HELP: Final = {
    WIFI_NAME: ("The network that the board joins.",),
    WIFI_PASSWORD: (
        f"{FEWEST_IN_WIFI_PASSWORD} to {MOST_IN_WIFI_PASSWORD} characters; empty for a network without a password.",
    ),
}
CHAIN: Final = "chain"
LEAVE: Final = "leave"
CHAIN_HELP: Final = (
    f"{LEAVE}: the board leaves its chain. It joins one by a folder called chain beside this file, with the three",
    "files that the hub has made for it: credentials, ca.pem and chain.toml.",
)
SECRETS: Final = frozenset({WIFI_PASSWORD, *(row.name for row in OWNER_SETTINGS if row.secret)})
OWNER_NAMES: Final = (*(row.name for row in OWNER_SETTINGS), WIFI_NAME, WIFI_PASSWORD, CHAIN)
"""All that can be said, in the order of the file."""


def find_owner_setting(name: str) -> OwnerSetting:
    """The setting of this name."""
    return next(row for row in OWNER_SETTINGS if row.name == name)


def wifi_of(name: str, password: str) -> WifiNetwork:
    """The Wi-Fi that somebody names; raises `Mistaken`."""
    try:
        return WifiNetwork(name, password)
    except WifiRefused as error:
        if not error.is_password:
            raise Mistaken(SettingsMistake(WrongSetting.WIFI_NAME)) from error
        known = (f"{FEWEST_IN_WIFI_PASSWORD}", f"{MOST_IN_WIFI_PASSWORD}")
        raise Mistaken(SettingsMistake(WrongSetting.WIFI_PASSWORD, known=known)) from error


def leaving(written: str) -> str:
    """What somebody has written for the chain, which can be left only; raises `Mistaken`."""
    if written.casefold() != LEAVE:
        raise Mistaken(SettingsMistake(WrongSetting.NOT_ONE_OF, written=written, known=(LEAVE,)))
    return LEAVE


def as_keys_of_file(values: Mapping[str, str]) -> dict[KeyPath, str]:
    """Values by the names that owners write, as keys of the configuration."""
    return {row.path: values[row.name] for row in OWNER_SETTINGS if row.name in values}


# --- What a phone has answered at the first start: kept until the next start takes it over into the configuration -----

ANSWERS_FILE: Final = "first-start-answers.json"
TRIED_FILE: Final = "first-start-answers.tried"
"""Their names in the folder of the board's state: answers that have worked, and such as are being tried."""
NETWORK_EXPECTED: Final = "network expected"
"""Stands among the answers of who has named a Wi-Fi."""


def checked_answers(answers: Mapping[str, str]) -> dict[str, str]:
    """Answers by the names of the owner's settings, each right; raises `Mistaken` for the first that is not."""
    return {
        row.name: find_owner_setting(row.name).value(answers[row.name])
        for row in OWNER_SETTINGS
        if answers.get(row.name)
    }


def keep_answers(folder: Path, answers: Mapping[str, str], name: str = ANSWERS_FILE) -> None:
    """Keep answers for the next start; nobody but the board and root reads the PIN among them."""
    folder.mkdir(parents=True, exist_ok=True)
    put_whole(folder / name, (json.dumps(answers, ensure_ascii=False) + "\n").encode(), 0o640)


class AnswersInFolder:
    """Where the answers of a set-up by phone are kept; a board that is cut off while it joins a Wi-Fi loses none."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def keep_tried(self, answers: SetUpAnswers) -> None:
        """Keep answers that are only about to be tried."""
        keep_answers(self._folder, _as_values(answers), TRIED_FILE)

    def keep(self, answers: SetUpAnswers) -> None:
        """Keep answers that have worked."""
        keep_answers(self._folder, _as_values(answers))
        self.forget_tried()

    def forget_tried(self) -> None:
        """Remove answers that have not; where that cannot be done they count only with a network."""
        with suppress(OSError):
            (self._folder / TRIED_FILE).unlink(missing_ok=True)

    def believe_tried(self, *, has_network: bool) -> bool:
        """Let answers count that were being tried when the plug was pulled, if there is a network; whether they do."""
        if not (self._folder / TRIED_FILE).exists():
            return False
        if not has_network:
            self.forget_tried()
            return False
        (self._folder / TRIED_FILE).replace(self._folder / ANSWERS_FILE)
        return True

    def forget(self) -> None:
        """Remove answers that have been taken over; one that can't be removed is taken over once all the same."""
        with suppress(OSError):
            (self._folder / ANSWERS_FILE).unlink(missing_ok=True)


def _as_values(answers: SetUpAnswers) -> dict[str, str]:
    expected = {} if answers.wifi is None else {NETWORK_EXPECTED: "yes"}
    return {**answers.settings, **expected}

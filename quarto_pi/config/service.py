"""The sections for a board that is left to itself: house, hours, journal, page, folder, Wi-Fi, its chain's broker."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo

from quarto_pi.chain.topics import BoardNameError, check_board_name
from quarto_pi.config.section import HIDDEN, Section
from quarto_pi.languages import LANGUAGES
from quarto_pi.referee.settings import Patience
from quarto_pi.rules import QuartoError, hint

# --- The section `[network]`: a board that looks after its own Wi-Fi --------------------------------------------------

_COUNTRY: Final = re.compile(r"[A-Z]{2}")


@dataclass(frozen=True, slots=True)
class NetworkConfig:
    """A board that opens a Wi-Fi of its own until it is set up; the country is the one whose radio rules hold.

    One whose network is `expected` says so when it has none.
    """

    country: str = ""
    expected: bool = False


def read_network(section: Section) -> NetworkConfig | None:
    """The section `[network]`."""
    present = section.take("present", True)
    country = section.take("country", NetworkConfig().country)
    expected = section.take("expected", NetworkConfig().expected)
    section.close()
    if country and not _COUNTRY.fullmatch(country):
        raise section.wrong("country", country, "write two capital letters, such as DE")
    return NetworkConfig(country, expected) if present else None


# --- The section `[chain]`: the broker that a board tells what it does, and who the board is there --------------------


@dataclass(frozen=True, slots=True)
class ChainConfig:
    """Where the broker is, whom to believe that it is the one, the board's name there, and the file that proves it.

    `ca` is a file with the authority that has signed the broker's certificate; empty: any that the system believes.
    """

    broker: str = ""
    port: int = 8883
    tls: bool = True
    ca: str = ""
    board: str = ""
    credentials: str = ""
    home_assistant: bool = False

    @property
    def credentials_file(self) -> Path:
        """Where the credentials lie."""
        return Path(self.credentials).expanduser()


def read_chain(section: Section) -> ChainConfig | None:
    """The section `[chain]`."""
    plain = ChainConfig()
    present = section.take("present", True)
    chain = ChainConfig(
        section.take("broker", plain.broker),
        section.take("port", plain.port),
        section.take("tls", plain.tls),
        section.take("ca", plain.ca),
        section.take("board", plain.board),
        section.take("credentials", plain.credentials),
        section.take("home_assistant", plain.home_assistant),
    )
    section.close()
    if not present:
        return None
    if not chain.broker or not chain.broker.isascii() or not chain.broker.isprintable() or " " in chain.broker:
        raise section.wrong("broker", chain.broker, "write the broker's name or address, such as hub.local")
    if not 1 <= chain.port <= 65_535:
        raise section.wrong("port", chain.port, "write 1 to 65535, such as 8883")
    try:
        check_board_name(chain.board)
    except BoardNameError as error:
        raise section.wrong("board", chain.board, f"{error}".rstrip(".")) from error
    if not chain.credentials:
        raise section.wrong("credentials", "", "name the file that 'quarto-pi hub add' has made for this board")
    return chain


# --- The house, with its opening hours --------------------------------------------------------------------------------

DAYS: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
DAY: Final = 24 * 60
WEEK: Final = 7 * DAY

EARLIEST: Final = datetime(2026, 11, 1)  # noqa: DTZ001 - what a wall clock shows has no zone
"""A clock that shows an earlier moment than this program was written at has never been set."""

_SPAN: Final = re.compile(r"(\d{1,2}):(\d\d)\s*-\s*(\d{1,2}):(\d\d)")


class HoursError(QuartoError, ValueError):
    """Opening hours that nobody understands; the text says what to write."""


@dataclass(frozen=True, slots=True)
class Hours:
    """Stretches of the week in minutes since Monday's midnight; one that begins late on Sunday ends after the week."""

    stretches: tuple[tuple[int, int], ...]

    def are_open(self, moment: datetime) -> bool:
        """Whether the house is open at this moment; where the clock is not set, it always is.

        >>> hours = parse_hours("mon-thu 17:00-23:00; fri sat 17:00-02:00")
        >>> hours.are_open(datetime(2026, 11, 15, 1, 59)), hours.are_open(datetime(2026, 11, 15, 2, 0))
        (True, False)
        """
        if moment.replace(tzinfo=None) < EARLIEST:
            return True
        minute = moment.weekday() * DAY + moment.hour * 60 + moment.minute
        return any(begin <= minute < end or begin <= minute + WEEK < end for begin, end in self.stretches)


def parse_hours(text: str) -> Hours:
    """Opening hours such as "10:00-23:00", or "mon-thu 17:00-23:00; fri sat 17:00-02:00"; other days are closed."""
    return Hours(tuple(stretch for part in text.split(";") for stretch in _stretches(part.strip())))


def door_of(hours: Hours, wall: Callable[[], datetime | None]) -> Callable[[], bool]:
    """A function that returns whether the house is open now, by the clock on the wall; while that is not known, it is.

    A café must not be closed because a clock that nobody has set shows a night.
    """

    def is_open() -> bool:
        moment = wall()
        return moment is None or hours.are_open(moment)

    return is_open


def _stretches(part: str) -> Iterator[tuple[int, int]]:
    spans = list(_SPAN.finditer(part))
    left = _SPAN.sub("", part[spans[0].start() :]).strip(", ") if spans else part
    if not spans or left:
        raise HoursError(f"'{left}' names no hours: write them such as 17:00-23:00")
    days = _days(part[: spans[0].start()])
    for span in spans:
        begin, end = _minute(span[1], span[2]), _minute(span[3], span[4])
        if begin == end:
            raise HoursError(f"'{span[0]}' has no length: write 00:00-24:00 for a whole day")
        for day in days:
            # Hours that end before they begin go on until the next day.
            yield day * DAY + begin, day * DAY + end + (DAY if end < begin else 0)


def _minute(hour: str, minute: str) -> int:
    minutes = int(hour) * 60 + int(minute)
    if int(minute) > 59 or minutes > DAY:
        raise HoursError(f"'{hour}:{minute}' is no time of day: write 00:00 to 24:00")
    return minutes


def _days(text: str) -> list[int]:
    """The days that are named, one by one or from one to another; no name at all means every day."""
    words = text.replace(",", " ").lower().split()
    if not words:
        return list(range(7))
    found: list[int] = []
    for word in words:
        first, _, last = word.partition("-")
        begin, end = _day(first), _day(last or first)
        found += [day % 7 for day in range(begin, end + 1 if begin <= end else end + 8)]
    return found


def _day(word: str) -> int:
    if word not in DAYS:
        raise HoursError(f"'{word}' is no day: {hint(word, DAYS).rstrip('.?')}")
    return DAYS.index(word)


# --- A board in a café: when it gives up a game, which languages a press goes through, and when it sleeps -------------

MINUTE_MS: Final = 60_000
SHORTEST_ABANDON: Final = 5
LONGEST_MINUTES: Final = 24 * 60


@dataclass(frozen=True, slots=True)
class KioskConfig:
    """How the board behaves while nobody touches it; 0 minutes mean never."""

    abandon_minutes: int = 30
    languages: tuple[str, ...] = LANGUAGES
    language_minutes: int = 5
    sleep_minutes: int = 15
    hours: Hours | None = None
    time_zone: str = ""

    @property
    def patience(self) -> Patience:
        """How long the referee waits for what."""
        return replace(
            Patience(),
            abandoned=self.abandon_minutes * MINUTE_MS,
            guest=self.language_minutes * MINUTE_MS,
            sleeps=self.sleep_minutes * MINUTE_MS,
        )


def read_kiosk(section: Section) -> KioskConfig:
    """The section `[kiosk]`."""
    plain = KioskConfig()
    languages = section.words("languages", plain.languages)
    opening = section.take("open", "")
    kiosk = KioskConfig(
        section.take("abandon_minutes", plain.abandon_minutes),
        languages,
        section.take("language_minutes", plain.language_minutes),
        section.take("sleep_minutes", plain.sleep_minutes),
        time_zone=section.take("time_zone", plain.time_zone),
    )
    section.close()
    if kiosk.abandon_minutes not in (0, *range(SHORTEST_ABANDON, LONGEST_MINUTES + 1)):
        raise section.wrong("abandon_minutes", kiosk.abandon_minutes, f"write 0 for never, or 5 to {LONGEST_MINUTES}")
    for key in ("language_minutes", "sleep_minutes"):
        if not 0 <= getattr(kiosk, key) <= LONGEST_MINUTES:
            raise section.wrong(key, getattr(kiosk, key), f"write 0 for never, or 1 to {LONGEST_MINUTES}")
    _check_languages(section, languages)
    if kiosk.time_zone and not _is_zone(kiosk.time_zone):
        raise section.wrong("time_zone", kiosk.time_zone, 'write one such as "Europe/Berlin", or "" for the system\'s')
    if not opening:
        return kiosk
    try:
        return replace(kiosk, hours=parse_hours(opening))
    except HoursError as error:
        raise section.wrong("open", opening, str(error)) from error


def _is_zone(name: str) -> bool:
    try:
        ZoneInfo(name)
    except (ValueError, OSError, KeyError):  # a path, a folder of zones, or nothing of this name
        return False
    return True


def _check_languages(section: Section, languages: tuple[str, ...]) -> None:
    for language in languages:
        if language not in LANGUAGES:
            raise section.wrong("languages", list(languages), hint(language, LANGUAGES).rstrip(".?"))
    if not languages or len(set(languages)) != len(languages):
        raise section.wrong("languages", list(languages), 'write each language once, such as ["en", "fr"]')


# --- The journal: whether games are kept, and where -------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class JournalConfig:
    """Where the journal lies; an empty folder is the one in which the board keeps all that it has to remember.

    `stick` is where a USB stick is found; empty: wherever the system puts what is plugged in.
    """

    folder: str = ""
    stick: str = ""


def read_journal(section: Section) -> JournalConfig | None:
    """The section `[journal]`."""
    present = section.take("present", True)
    plain = JournalConfig()
    journal = JournalConfig(section.take("folder", plain.folder), section.take("stick", plain.stick))
    section.close()
    return journal if present else None


# --- The page: who may see it, and the PIN without which nobody changes anything --------------------------------------

FEWEST_IN_PIN: Final = 6
MOST_IN_PIN: Final = 64


@dataclass(frozen=True, slots=True)
class PageConfig:
    """Where the page of the board is served; without a PIN it is only to be looked at."""

    host: str = "127.0.0.1"
    port: int = 8040
    pin: str = ""


def read_page(section: Section) -> PageConfig | None:
    """The section `[page]`."""
    plain = PageConfig()
    present = section.take("present", True)
    page = PageConfig(
        section.take("host", plain.host),
        section.take("port", plain.port),
        section.secret("pin", plain.pin),
    )
    section.close()
    if not page.host or not page.host.isascii() or not page.host.isprintable() or " " in page.host:
        raise section.wrong("host", page.host, "write an address such as 127.0.0.1, or 0.0.0.0 for the whole network")
    if not 1 <= page.port <= 65_535:
        raise section.wrong("port", page.port, "write 1 to 65535; below 1024 only the system may listen")
    if page.pin and (not page.pin.isascii() or not page.pin.isprintable()):
        raise section.wrong("pin", HIDDEN, 'write letters and digits, or "" for a page that is only looked at')
    if page.pin and not FEWEST_IN_PIN <= len(page.pin) <= MOST_IN_PIN:
        raise section.wrong("pin", HIDDEN, f'write {FEWEST_IN_PIN} to {MOST_IN_PIN} characters, or "" for none')
    return page if present else None


# --- Where the board keeps what it has to remember --------------------------------------------------------------------

STATE_FOLDER_NAME: Final = "quarto-pi"
OF_THE_SERVICE: Final = Path("/var/lib/quarto-pi")
"""What the service has, and with it everybody who asks about the same board from a shell."""


def state_folder(environ: Mapping[str, str], of_the_service: Path = OF_THE_SERVICE) -> Path:
    """The folder that the service manager names, else the service's if there is one, else the user's own.

    That last one need not exist yet.

    >>> print(state_folder({"STATE_DIRECTORY": "/var/lib/quarto-pi"}).as_posix())
    /var/lib/quarto-pi
    """
    # systemd names every folder of the unit, with colons between them; ours is the first.
    first = environ.get("STATE_DIRECTORY", "").partition(":")[0]
    if first:
        return Path(first)
    if of_the_service.is_dir():
        return of_the_service
    home = environ.get("XDG_STATE_HOME", "")
    # A path that is not absolute has to be ignored: XDG Base Directory Specification, "Basics".
    base = Path(home) if home.startswith("/") else Path(environ.get("HOME") or Path.home()) / ".local" / "state"
    return base / STATE_FOLDER_NAME

"""The sections for a board that is left to itself: house, journal, page, and where it keeps what it remembers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from quarto_pi.config.hours import Hours, HoursError, parse_hours
from quarto_pi.config.section import HIDDEN, Section
from quarto_pi.languages import LANGUAGES
from quarto_pi.referee.settings import Patience
from quarto_pi.rules import hint

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
    )
    section.close()
    if kiosk.abandon_minutes not in (0, *range(SHORTEST_ABANDON, LONGEST_MINUTES + 1)):
        raise section.wrong("abandon_minutes", kiosk.abandon_minutes, f"write 0 for never, or 5 to {LONGEST_MINUTES}")
    for key in ("language_minutes", "sleep_minutes"):
        if not 0 <= getattr(kiosk, key) <= LONGEST_MINUTES:
            raise section.wrong(key, getattr(kiosk, key), f"write 0 for never, or 1 to {LONGEST_MINUTES}")
    _check_languages(section, languages)
    if not opening:
        return kiosk
    try:
        return replace(kiosk, hours=parse_hours(opening))
    except HoursError as error:
        raise section.wrong("open", opening, str(error)) from error


def _check_languages(section: Section, languages: tuple[str, ...]) -> None:
    for language in languages:
        if language not in LANGUAGES:
            raise section.wrong("languages", list(languages), hint(language, LANGUAGES).rstrip(".?"))
    if not languages or len(set(languages)) != len(languages):
        raise section.wrong("languages", list(languages), 'write each language once, such as ["en", "fr"]')


# --- The journal: whether games are kept, and where -------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class JournalConfig:
    """Where the journal lies; an empty folder is the one in which the board keeps all that it has to remember."""

    folder: str = ""


def read_journal(section: Section) -> JournalConfig | None:
    """The section `[journal]`."""
    present = section.take("present", True)
    journal = JournalConfig(section.take("folder", JournalConfig().folder))
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

"""A board in a café: when it gives up a game, which languages a press goes through, and when it sleeps."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from quarto_pi.config.section import Section
from quarto_pi.hours import Hours, HoursError, parse_hours
from quarto_pi.referee.settings import LANGUAGES, Patience
from quarto_pi.rules import hint

MINUTE_MS: Final = 60_000
SHORTEST_ABANDON: Final = 5
LONGEST: Final = 24 * 60


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
    if kiosk.abandon_minutes not in (0, *range(SHORTEST_ABANDON, LONGEST + 1)):
        raise section.wrong("abandon_minutes", kiosk.abandon_minutes, f"write 0 for never, or 5 to {LONGEST}")
    for key in ("language_minutes", "sleep_minutes"):
        if not 0 <= getattr(kiosk, key) <= LONGEST:
            raise section.wrong(key, getattr(kiosk, key), f"write 0 for never, or 1 to {LONGEST}")
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

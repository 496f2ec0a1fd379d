"""Where the translations come from: one gettext catalogue for each language but English, compiled by `compiling`."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from gettext import GNUTranslations, NullTranslations
from pathlib import Path
from typing import Final

from quarto_pi.languages import LANGUAGES

LOCALE_FOLDER: Final = Path(__file__).parent / "locale"
DOMAIN: Final = "quarto_pi"
SOURCE: Final = "en"


class UnknownLanguage(ValueError):
    """A language that the board has never learned."""


@dataclass(frozen=True, slots=True)
class Catalogue:
    """A language's translations, and whether they had to be replaced by English."""

    translations: NullTranslations
    missing: bool = False


def catalogue_of(language: str, folder: Path = LOCALE_FOLDER) -> Catalogue:
    """The catalogue of a language; English stands in for one whose file is missing or damaged."""
    if language not in LANGUAGES:
        raise UnknownLanguage(f"the board does not speak '{language}': choose one of {', '.join(LANGUAGES)}.")
    if language == SOURCE:
        return Catalogue(NullTranslations())
    try:
        with (folder / language / "LC_MESSAGES" / f"{DOMAIN}.mo").open("rb") as file:
            return Catalogue(GNUTranslations(file))
    # What the standard library raises for a file that is absent, cut off, or something else than a catalogue.
    except (OSError, ValueError, IndexError, struct.error):
        return Catalogue(NullTranslations(), missing=True)


@dataclass(frozen=True, slots=True)
class Missing:
    """Languages whose catalogues cannot be read, and what is to be done about it."""

    languages: tuple[str, ...]
    fix: str

    def __str__(self) -> str:
        return f"no catalogue for {', '.join(self.languages)}: English stands in"


def missing_of(languages: Sequence[str], folder: Path = LOCALE_FOLDER) -> Missing | None:
    """What is missing of the catalogues of these languages; nothing, where none is."""
    missing = tuple(language for language in languages if catalogue_of(language, folder).missing)
    if not missing:
        return None
    # Only sources have the translations beside the catalogues.
    sources = all((folder / language / "LC_MESSAGES" / f"{DOMAIN}.po").exists() for language in missing)
    return Missing(missing, "python -m quarto_pi.words.compiling" if sources else "install quarto-pi again")

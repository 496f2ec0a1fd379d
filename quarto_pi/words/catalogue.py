"""Where the translations come from: one compiled gettext catalogue for each language but English."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from gettext import GNUTranslations, NullTranslations
from pathlib import Path
from typing import Final

from quarto_pi.languages import LANGUAGES

FOLDER: Final = Path(__file__).parent / "locale"
DOMAIN: Final = "quarto_pi"
SOURCE: Final = "en"


class UnknownLanguage(ValueError):
    """A language that the board has never learned."""


@dataclass(frozen=True, slots=True)
class Catalogue:
    """A language's translations, and whether they had to be replaced by English."""

    translations: NullTranslations
    missing: bool = False


def catalogue_of(language: str, folder: Path = FOLDER) -> Catalogue:
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

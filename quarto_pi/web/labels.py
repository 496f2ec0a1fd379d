"""All labels of the page in one language, with the names of pieces, levels and languages."""

from __future__ import annotations

from functools import cache

from quarto_pi.referee import LANGUAGES
from quarto_pi.referee.settings import LEVELS
from quarto_pi.rules import PIECES
from quarto_pi.web.moment import Json
from quarto_pi.web.requests import Refused, shown
from quarto_pi.words import Words
from quarto_pi.words.catalogue import LANGUAGE_NAMES


@cache
def labels_in(language: str) -> Json:
    """What the page has to say by itself."""
    if language not in LANGUAGES:
        raise Refused(404, f"the board does not speak '{shown(language)}': choose one of {', '.join(LANGUAGES)}.")
    words = Words(language)
    return {
        "language": language,
        "labels": words.page(),
        "pieces": {piece.letters: words.piece(piece) for piece in PIECES},
        "levels": [words.level(number) for number in LEVELS],
        "languages": {name: LANGUAGE_NAMES[name] for name in LANGUAGES},
    }

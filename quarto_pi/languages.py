"""The languages that the board speaks: the one list of them, which everything else follows.

A line here is a language of the menu, the configuration, the page, the display, the voice and the installer. What it
needs besides is its catalogue in `quarto_pi/words/locale/` and its voice in `quarto_pi/devices/speech.py`.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

LANGUAGE_NAMES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "en": "English",
        "fr": "Français",
        "nl": "Nederlands",
        "lt": "Lietuvių",
        "zh_TW": "繁體中文",
        "de": "Deutsch",
        "es": "Español",
        "it": "Italiano",
        "pt": "Português",
    }
)
"""Each language's name in that language, by its code: who does not understand the others still finds it.

First those of the game's rulebooks; a press of the button goes through them in this order.
"""

LANGUAGES: Final = tuple(LANGUAGE_NAMES)
"""Their codes, in the same order."""

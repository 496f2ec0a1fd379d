"""The languages that the board speaks: the one list of them, which everything else follows.

A line here is a language of the menu, the configuration, the page, the display, the voice and the installer. What it
needs besides is its catalogue in `quarto_pi/words/locale/` and its voice in `quarto_pi/devices/speech.py`.
"""

import re
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


def language_of_locale(locale: str) -> str | None:
    """The language of a locale, whatever the country and encoding; None where the board does not speak it.

    >>> language_of_locale("pt_BR.UTF-8"), language_of_locale("zh_HK"), language_of_locale("C.UTF-8")
    ('pt', 'zh_TW', None)
    """
    spoken = re.split("[_.@]", locale, maxsplit=1)[0]
    return next((language for language in LANGUAGES if language.partition("_")[0] == spoken), None)

"""What the page says by itself is said in every language."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from quarto_pi.referee import LANGUAGES
from quarto_pi.words import Words

STATIC = Path(__file__).parents[2] / "quarto_pi" / "web" / "static"
ENGLISH = dict(re.findall(r'^  (\w+): "(.*)",$', (STATIC / "english.js").read_text(encoding="utf-8"), re.MULTILINE))


def test_the_pages_own_english_is_the_boards_english() -> None:
    labels = Words("en").page()
    assert {key: labels.get(key) for key in ENGLISH} == ENGLISH


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_every_word_of_the_page(language: str) -> None:
    assert set(ENGLISH) <= set(Words(language).page())

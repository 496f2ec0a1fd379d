"""What the page says by itself is said in every language, and no label is kept that it never says."""

from __future__ import annotations

import re
from itertools import chain
from pathlib import Path

import pytest

from quarto_pi.languages import LANGUAGES
from quarto_pi.words import Words

STATIC = Path(__file__).parents[2] / "quarto_pi" / "web" / "static"
ENGLISH = dict(re.findall(r'^  (\w+): "(.*)",$', (STATIC / "english.js").read_text(encoding="utf-8"), re.MULTILINE))

PLACES = (
    r'\bsay\(("\w+")',
    r'\bsay\([^,;\n]*? \? ("\w+" : "\w+")\)',
    r'\btell\(("\w+")',
    r'"?data-label(?:-aria)?"?(?:=|: )(?:\w+ \? )?("\w+"(?: : "\w+")?)',
    r'\b(?:note|part|sheetHead|step|button)\(("\w+")',
    r'\b(?:answer|flag)\("\w+", ("\w+"(?:, "\w+")?)',
    r"\[([^\[\]\n]*)\]\.map\(\(key\) =>",
    r"\bconst (?:CALLINGS|SAID|LEVELS|REASONS|TOLD) = \{([^}]*)\}",
    r"\bconst TRAITS = \[([^\]]*)\]",
)
"""Wherever scripts and markup name labels, always in quotes and in full, so that they are found by their names."""


def used() -> set[str]:
    """The keys of all labels that the page names."""
    files = [file for file in STATIC.iterdir() if file.suffix in {".js", ".html"}]
    # A comment may show how a label is asked for.
    text = "\n".join(re.sub(r"^\s*//.*$", "", file.read_text(encoding="utf-8"), flags=re.MULTILINE) for file in files)
    found = chain.from_iterable(re.findall(place, text) for place in PLACES)
    return {key for keys in found for key in re.findall(r'"(\w+)"', keys)}


def test_every_label_is_used_and_every_label_that_is_used_exists() -> None:
    labels = set(Words("en").page())
    assert labels - used() == set(), "the page never says these: take them out of words/page.py, or add to PLACES"
    assert used() - labels == set(), "the page wants to say these: add them to words/page.py"


def test_the_pages_own_english_is_the_boards_english() -> None:
    assert Words("en").page() == ENGLISH


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_every_word_of_the_page(language: str) -> None:
    assert set(ENGLISH) == set(Words(language).page())

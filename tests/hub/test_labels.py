"""What the hub's page says by itself is said in every language, and no label is kept that it never says."""

from __future__ import annotations

import re
from itertools import chain
from pathlib import Path

import pytest

from quarto_pi.languages import LANGUAGES
from quarto_pi.words import Words

STATIC = Path(__file__).parents[2] / "quarto_pi" / "hub" / "static"

PLACES = (
    r'\bsay\(("\w+")',
    r'\bsay\([^,;\n]*? \? ("\w+" : "\w+")\)',
    r'data-label(?:-aria)?=("\w+")',
    r'\bfield\("[\w-]+", ("\w+")',
    r"\bconst (?:REASONS|STATES|KINDS|ROLES|SYSTEMS|STEPS|STAGES|ENDS) = \{([^}]*)\}",
    r"\bconst VIEWS = \{(.*?)\};",
    r'\? say\(("\w+")\)',
    r'\b(?:twice|button)\(("\w+")',
)
"""Wherever scripts and markup name labels, always in quotes and in full, so that they are found by their names."""


def used() -> set[str]:
    """The keys of all labels that the hub's page names, and words that stand beside them."""
    files = [file for file in STATIC.iterdir() if file.suffix in {".js", ".html"}]
    text = "\n".join(re.sub(r"^\s*//.*$", "", file.read_text(encoding="utf-8"), flags=re.MULTILINE) for file in files)
    found = chain.from_iterable(re.findall(place, text, re.DOTALL) for place in PLACES)
    return {key for keys in found for key in re.findall(r'"(\w+)"', keys)}


def test_every_label_is_used_and_every_label_that_is_used_exists() -> None:
    words = Words("en")
    own, all_labels = set(words.hub_page()), set(words.hub_page()) | set(words.page())
    assert own - used() == set(), "the hub's page never says these: take them out of words/hub_page.py"
    assert used() - all_labels == set(), "the hub's page wants to say these: add them to words/hub_page.py"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_every_word_of_the_hubs_page(language: str) -> None:
    english, words = Words("en").hub_page(), Words(language).hub_page()
    assert set(english) == set(words)
    for key, text in words.items():
        assert sorted(re.findall(r"\{\w+\}", text)) == sorted(re.findall(r"\{\w+\}", english[key])), key

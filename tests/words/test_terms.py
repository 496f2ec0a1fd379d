"""Every catalogue keeps to the words of docs/terms.md: those that its tables ask for, and none that they forbid."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from quarto_pi.words.catalogue import SOURCE
from tests.words.catalogues import TRANSLATED, extracted, ids, kept, messages, strings

PAGE = (Path(__file__).parents[2] / "docs" / "terms.md").read_text(encoding="utf-8")
GAP = re.compile(r"%\(\w+\)\w|\{\w+\}")

TOO_SHORT = ("headline", "guide")
OF_PIECES = ("one piece", "the piece, object", "four pieces")
"""Contexts of messages that have no room for every word, and of what single words mean."""

IN_OTHER_WORDS = {
    ("fr", "Missed! . Nobody called in time, so it no longer counts."),
    ("zh_TW", "The first to call wins. All sixteen pieces placed and nobody called? It's a draw."),
}
"""Where the words would not fit on the display."""


def rows(heading: str) -> list[list[str]]:
    """The rows of the table under a heading, with its head as the first one."""
    section = PAGE.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|") and not line.startswith("|---")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


HEAD, *ASKED = rows("What to say")
TRAITS = rows("What pieces are like")[1:]
FORBIDDEN = rows("What not to say")[1:]

every_language = pytest.mark.parametrize("language", HEAD[2:])


@cache
def pattern(words: str, flags: int = 0) -> re.Pattern[str]:
    """What finds one of these words; a hyphen stands for any ending or beginning, and Chinese does not part words."""
    finds = []
    for word in words.split(", "):
        first, last = ("" if end == "-" or ord(end) > 0x3000 else r"\b" for end in (word[0], word[-1]))
        finds.append(f"{first}{re.escape(word.strip('-'))}{last}")
    return re.compile("|".join(finds), flags)


def faults(language: str, english: str, text: str, context: str | None = None) -> Iterator[str]:
    """What is wrong with a sentence of a language, whose English is this."""
    english, text = GAP.sub("", english), GAP.sub("", text)
    for spoken, words, instead in FORBIDDEN:
        if spoken == language and (found := pattern(words).search(text)):
            yield f"{text!r} has {found[0]!r}; {instead}"
    if language == SOURCE or not has_room(language, (english, text, context)):
        return
    for english_words, words in asked(language, context):
        if pattern(english_words).search(english) and not pattern(words, re.IGNORECASE).search(text):
            yield f"{text!r} has none of {words!r}, but {english!r} is about that"


def asked(language: str, context: str | None) -> list[tuple[str, str]]:
    """The words that are asked for, beside the English ones that ask for them."""
    column = HEAD.index(language)
    return [(row[0], row[column]) for row in (TRAITS if context in OF_PIECES else ASKED)]


def said(language: str) -> Iterator[tuple[str, str, str | None]]:
    """Every message of a language: its English, itself, and its context."""
    catalogue = extracted() if language == SOURCE else kept(language)
    for message in messages(catalogue):
        for text in ids(message) if language == SOURCE else strings(message):
            yield ids(message)[0], text, message.context


def test_each_language_has_its_words() -> None:
    assert HEAD[2:] == list(TRANSLATED)
    assert all(len(row) == len(HEAD) and all(row) for row in (*ASKED, *TRAITS))


@pytest.mark.parametrize("language", [SOURCE, *HEAD[2:]])
def test_a_language_keeps_to_its_words(language: str) -> None:
    assert [fault for message in said(language) for fault in faults(language, *message)] == []


@every_language
def test_a_message_that_calls_a_thing_by_another_word_is_found(language: str) -> None:
    """Each word is put out of the messages that have it, so none of the rows asks for nothing."""
    for of_pieces, context in ((False, None), (True, OF_PIECES[0])):
        about = [each for each in said(language) if (each[2] in OF_PIECES) is of_pieces and has_room(language, each)]
        for english_words, words in asked(language, context):
            word = pattern(words, re.IGNORECASE)
            found = [
                list(faults(language, english, word.sub("?", text), where))
                for english, text, where in about
                if pattern(english_words).search(GAP.sub("", english)) and word.search(text)
            ]
            assert found, english_words
            assert all(found), english_words


def has_room(language: str, message: tuple[str, str, str | None]) -> bool:
    """Whether a message is held to the words that are asked for."""
    english, _, context = message
    return context not in TOO_SHORT and (language, GAP.sub("", english)) not in IN_OTHER_WORDS


@pytest.mark.parametrize("row", FORBIDDEN, ids=lambda row: f"{row[0]}-{row[1]}")
def test_a_word_that_is_forbidden_is_found(row: list[str]) -> None:
    language, words, instead = row
    for word in words.split(", "):
        sentence = f"x {word.strip('-')}. x"
        assert [fault for fault in faults(language, "", sentence) if fault.endswith(f"; {instead}")], word

"""The catalogues are complete, up to date with the sources and compiled; a broken one never stops the board."""

import re
import tomllib
from pathlib import Path

import pytest
from babel.messages.catalog import Message

from quarto_pi.languages import LANGUAGES
from quarto_pi.words import UnknownLanguage, Words
from quarto_pi.words.catalogue import DOMAIN
from quarto_pi.words.compiling import compiled
from tests.words.catalogues import (
    SOURCES,
    TEMPLATE,
    TRANSLATED,
    ids,
    kept,
    messages,
    mo_path,
    po_path,
    strings,
    template,
    updated,
)

PLACEHOLDER = re.compile(r"%\(\w+\)[a-z]|\{\w*\}")

SAME = "the same as in English"
"""The comment at a translation that happens to be; one without letters outside its placeholders may be anyway."""

SAME_EVERYWHERE = {"QUARTO!", "Q: QUARTO!"}

every_translation = pytest.mark.parametrize("language", TRANSLATED)


def said_to_be_the_same(message: Message) -> bool:
    return SAME in message.user_comments


MAKE_WORDS = "run `make words` and translate what is new"


def test_the_template_has_all_sentences_of_the_sources() -> None:
    assert TEMPLATE.read_text(encoding="utf-8") == template(), MAKE_WORDS


@every_translation
def test_a_catalogue_has_all_sentences_of_the_sources(language: str) -> None:
    assert po_path(language).read_text(encoding="utf-8") == updated(language), MAKE_WORDS


@every_translation
def test_a_compiled_catalogue_equals_what_its_translations_compile_to(language: str) -> None:
    assert mo_path(language).read_bytes() == compiled(po_path(language).read_text(encoding="utf-8")), "run `make words`"


@every_translation
def test_nothing_is_left_untranslated(language: str) -> None:
    for message in messages(kept(language)):
        assert not message.fuzzy, message.id
        for string in strings(message):
            assert string, message.id
            wordless = not re.search(r"[A-Za-z]", PLACEHOLDER.sub("", string))
            assert (
                string not in ids(message) or wordless or said_to_be_the_same(message) or string in SAME_EVERYWHERE
            ), f"{message.id} is still English, or wants the comment: # {SAME}"


@every_translation
def test_no_placeholder_is_lost_or_invented(language: str) -> None:
    for message in messages(kept(language)):
        expected = {name for each in ids(message) for name in PLACEHOLDER.findall(each)}
        for string in strings(message):
            assert set(PLACEHOLDER.findall(string)) == expected, message.id


@every_translation
def test_what_is_said_to_be_the_same_as_in_english_is(language: str) -> None:
    for message in messages(kept(language)):
        assert not said_to_be_the_same(message) or set(strings(message)) & set(ids(message)), message.id


def test_every_language_but_english_has_a_catalogue_and_no_other_does() -> None:
    assert {path.name for path in TEMPLATE.parent.iterdir() if path.is_dir()} == set(TRANSLATED)


def test_the_compiled_catalogues_are_part_of_the_package() -> None:
    project = tomllib.loads((SOURCES.parent.parent / "pyproject.toml").read_text(encoding="utf-8"))
    patterns = project["tool"]["setuptools"]["package-data"]["quarto_pi.words"]
    packed = {path for pattern in patterns for path in SOURCES.glob(pattern)}
    assert packed == {mo_path(language) for language in TRANSLATED}


def test_an_unknown_language_is_an_error_that_lists_those_that_are_known() -> None:
    with pytest.raises(UnknownLanguage, match=r"does not speak 'tlh': choose one of en, fr, nl, lt, zh_TW, de, es"):
        Words("tlh")


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_catalogue_is_missing_in_this_tree(language: str) -> None:
    assert not Words(language).missing


def test_english_stands_in_for_a_catalogue_that_is_missing(tmp_path: Path) -> None:
    words = Words("lt", folder=tmp_path)
    assert words.missing
    assert words.language == "lt"
    assert words.invitations() == Words("en").invitations()


@pytest.mark.parametrize("kept", [0, 3, 20, 100, 5000])
def test_english_stands_in_for_a_catalogue_that_was_cut_off(tmp_path: Path, kept: int) -> None:
    damaged = tmp_path / "lt" / "LC_MESSAGES" / f"{DOMAIN}.mo"
    damaged.parent.mkdir(parents=True)
    damaged.write_bytes(mo_path("lt").read_bytes()[:kept])
    assert Words("lt", folder=tmp_path).missing


def test_english_stands_in_for_a_file_that_is_no_catalogue(tmp_path: Path) -> None:
    damaged = tmp_path / "lt" / "LC_MESSAGES" / f"{DOMAIN}.mo"
    damaged.parent.mkdir(parents=True)
    damaged.write_text("an error page", encoding="utf-8")
    assert Words("lt", folder=tmp_path).missing

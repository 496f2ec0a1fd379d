import pytest

from quarto_pi.languages import LANGUAGE_NAMES, LANGUAGES
from quarto_pi.screens.text import (
    BODIES,
    BOLD,
    HEADLINES,
    HUGE,
    LARGE,
    NARROW,
    PLAIN,
    ROOMY,
    TINY,
    TITLE,
    Typeface,
    fit,
    pitch_of,
    wrap,
)
from quarto_pi.words.catalogue import SOURCE
from tests.words.catalogues import extracted, ids, kept, messages, strings

FACES = (TITLE, HUGE, LARGE, BOLD, NARROW, ROOMY, PLAIN, TINY)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_typeface_has_every_character_of_a_language(language: str) -> None:
    needed = set(LANGUAGE_NAMES[language]) | characters_of(language)
    for face in FACES:
        assert not {character for character in needed - {"\n"} if not face.has(character)}


def characters_of(language: str) -> set[str]:
    if language == SOURCE:
        said = set("".join(text for message in messages(extracted()) for text in ids(message)))
        return said | set(map(chr, range(0x20, 0x7F)))
    return set("".join(text for message in messages(kept(language)) for text in strings(message)))


@pytest.mark.parametrize("character", ["\u0416", "\u05d0", "\U0001f600"])
def test_what_no_typeface_has_is_a_question_mark_and_never_a_box(character: str) -> None:
    assert PLAIN.find(character) is PLAIN.find("?")


def test_a_letter_with_an_unknown_accent_is_the_plain_letter() -> None:
    assert PLAIN.find("\u1ea0") is PLAIN.find("A")


def test_capitals_with_a_caron_are_capitals_in_every_size() -> None:
    for face in set(FACES) - {TINY}:
        for capital, letter in ("Žž", "Šš", "Čč"):
            assert height(face, capital) > height(face, letter)


def height(face: Typeface, character: str) -> int:
    picture = face.find(character).picture
    assert picture is not None
    return picture.height


def test_a_text_breaks_at_spaces_only_and_loses_nothing() -> None:
    text = "Take the dark, short, round, hollow piece away from b3."
    lines, broken = wrap(text, PLAIN, 70)
    assert " ".join(lines) == text
    assert not broken
    assert max(map(PLAIN.width, lines)) <= 70


def test_a_french_sign_is_not_parted_from_its_word() -> None:
    lines, _ = wrap("On joue à Quarto\u00a0?", LARGE, LARGE.width("On joue à Quarto"))
    assert lines == ("On joue à", "Quarto\u00a0?")


def test_a_line_of_chinese_does_not_begin_with_a_closing_sign() -> None:
    text = "請把深色、矮、方形、中空的柱體放回d4。"
    for width in range(24, 128):
        lines, broken = wrap(text, PLAIN, width)
        assert "".join(lines) == text
        assert broken or not any(line[0] in "、。" for line in lines)


def test_a_line_of_chinese_does_not_end_with_an_opening_sign() -> None:
    text = "請按「再玩一次」或「選單」，然後把柱體放回。"
    for width in range(36, 128):
        lines, broken = wrap(text, PLAIN, width)
        assert "".join(lines) == text
        assert broken or not any(line.endswith("「") for line in lines)


def test_chinese_lines_stand_as_far_apart_as_chinese_characters_need() -> None:
    assert pitch_of(LARGE, "按鈕") == LARGE.han_pitch != LARGE.pitch
    assert pitch_of(LARGE, "Œuvre d’art") == LARGE.pitch


def test_a_word_is_rather_set_smaller_than_broken() -> None:
    paragraph = fit("Donaudampfschiff", HEADLINES, LARGE.width("Donaudampfschiff") - 1, 64)
    assert paragraph.face is not LARGE
    assert paragraph.pages == (("Donaudampfschiff",),)


def test_a_word_that_is_too_long_is_broken_and_told_so() -> None:
    lines, broken = wrap("Donaudampfschifffahrt", LARGE, 60)
    assert broken
    assert "".join(lines) == "Donaudampfschifffahrt"
    assert max(map(LARGE.width, lines)) <= 60


def test_a_short_text_gets_the_larger_typeface_and_a_longer_one_the_smaller() -> None:
    assert fit("Goodbye!", HEADLINES, 128, 16).face is LARGE
    assert fit("Player 1 wins the game", HEADLINES, 128, 16).face is NARROW


def test_a_text_that_fits_in_no_typeface_is_shown_sentence_by_sentence() -> None:
    paragraph = fit("Undo this move? Press the button. If not, put it back on b2.", BODIES, 64, 48)
    assert paragraph.face is PLAIN
    assert [" ".join(page) for page in paragraph.pages] == [
        "Undo this move? Press the button.",
        "If not, put it back on b2.",
    ]
    assert not paragraph.broken


def test_lines_of_a_text_that_takes_turns_are_as_even_as_those_of_one_that_does_not() -> None:
    face = BODIES[-1]
    text = "QUARTO! Du gewinnst! a1 b2 c3 d4: alle dunkel, alle klein."
    width = face.width("alle dunkel, alle ")
    height = face.pitch * 3 + 2
    pages = fit(text, (face,), width, height).pages
    assert len(pages) > 1
    assert pages[-1][-1] == "alle klein."

"""What the guide says, in every language: complete, short enough, and one language at a time."""

import pytest

from quarto_pi.enrolment.state import CheckReaders, ChooseLanguage, GuideNotice, KnownAlready, PutPiece, ReplacePiece
from quarto_pi.languages import LANGUAGES
from quarto_pi.rules import parse_piece
from quarto_pi.words import Words
from tests.screens.guide_examples import MESSAGES
from tests.words.room import latin_or_chinese, lines_needed, width

PIECE = parse_piece("DSRH")
every_language = pytest.mark.parametrize("language", LANGUAGES)


@every_language
def test_every_message_of_the_guide_is_said_in_full(language: str) -> None:
    words = Words(language)
    for message in MESSAGES:
        said = words.guide(message)
        assert said
        assert "%" not in said
        assert "{" not in said
        assert lines_needed(said, letters=21, characters=8) <= latin_or_chinese(language, 7, 5), said


@every_language
def test_every_headline_of_the_guide_is_short_enough_for_big_type(language: str) -> None:
    words = Words(language)
    for message in MESSAGES:
        headline = words.guide_headline(message)
        assert 0 < width(headline) <= latin_or_chinese(language, 18, 7), headline


@every_language
def test_every_question_says_what_the_button_does(language: str) -> None:
    words = Words(language)
    for message in MESSAGES:
        if not isinstance(message, GuideNotice):
            waits = not isinstance(message, CheckReaders) or message.looked
            assert bool(words.guide_help(message)) is waits


def test_each_language_offers_itself_in_its_own_words() -> None:
    offered = [(Words(language).guide(ChooseLanguage(language))) for language in LANGUAGES]
    assert offered[:5] == ["English", "Français", "Nederlands", "Lietuvių", "繁體中文"]


def test_pieces_cells_and_counts_are_named() -> None:
    words = Words()
    assert words.guide(PutPiece(PIECE, 3, 16)) == "Put the dark, short, round, hollow piece on any square."
    assert words.guide(ReplacePiece(PIECE, "offer")).startswith("New tag on the giving spot. Does it belong to this")
    assert words.guide(KnownAlready(PIECE, "b2")).startswith("This tag is taken: dark, short, round, hollow.")
    assert words.guide(CheckReaders(17, ("a1", "offer"), looked=True)).startswith("No reader answers here: a1, giving")
    assert words.guide(CheckReaders(17, ("a1",) * 5, looked=True)).startswith("5 readers don't answer.")
    assert Words("lt").guide(CheckReaders(17, (), looked=True)) == "Atsako visi 17 skaitytuvų."

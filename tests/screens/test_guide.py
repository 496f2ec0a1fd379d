"""The guide on the display: nothing is cut off, and the piece that is asked for is seen at one glance."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

import pytest

from quarto_pi.enrolment import GuideView
from quarto_pi.enrolment.state import Enrolled, GuideNotice, GuidePrompt, PutPiece
from quarto_pi.languages import LANGUAGES
from quarto_pi.referee.view import Mark
from quarto_pi.rules import PIECES
from quarto_pi.screens.boards import MarkedBoard, Size
from quarto_pi.screens.drawing import render
from quarto_pi.screens.first_start import draw_guide, guide_pages
from quarto_pi.screens.layout import DrawnPicture
from quarto_pi.screens.scene import PiecePicture
from quarto_pi.words import Words
from tests.screens.guide_examples import MESSAGES, guide_examples
from tests.screens.sheet import SIZES
from tests.screens.test_layout import assert_whole

PUT = PutPiece(PIECES[3], 4, 16)


def test_there_is_an_example_of_every_message_of_the_guide() -> None:
    assert {type(message) for message in MESSAGES} == {*get_args(GuidePrompt), *get_args(GuideNotice)}


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_message_of_the_guide_fits(language: str, size: Size) -> None:
    words = Words(language)
    for message in MESSAGES:
        view = GuideView(PUT, None, language)
        view = replace(view, notice=message) if isinstance(message, GuideNotice) else replace(view, prompt=message)
        assert_whole(guide_pages(view, size, words), size, message)
    for name, view in guide_examples(language):
        assert_whole(guide_pages(view, size, words), size, name)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_dot_of_the_guide_is_lost_over_the_edge(language: str, size: Size) -> None:
    words, (width, height) = Words(language), size
    for name, view in guide_examples(language):
        for page in guide_pages(view, size, words):
            wider = render(page, (width + 16, height + 16), 0)
            assert wider.crop((width, 0, width + 16, height + 16)).getbbox() is None, name
            assert wider.crop((0, height, width + 16, height + 16)).getbbox() is None, name


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_first_page_shows_the_piece_and_all_that_is_said_of_it(language: str) -> None:
    for piece in PIECES:
        first, *more = guide_pages(GuideView(PutPiece(piece, 1, 16), None, language), (128, 64), Words(language))
        assert any(isinstance(item, DrawnPicture) and item.picture == PiecePicture(piece) for item in first.items)
        assert len(more) == 1, "the second page says what the button does"


def test_what_was_enrolled_is_told_above_the_next_piece() -> None:
    view = GuideView(PUT, Enrolled(PIECES[2], "b2"), "en", (("b2", Mark.WON),))
    first, *_ = guide_pages(view, (128, 64), Words())
    assert any(isinstance(item, DrawnPicture) and item.picture == PiecePicture(PIECES[3]) for item in first.items)
    assert first != guide_pages(replace(view, notice=None), (128, 64), Words())[0]


def test_what_has_to_be_put_right_is_pointed_at_and_no_button_is_spoken_of() -> None:
    views = dict(guide_examples("en"))
    pages = guide_pages(views["guide pieces"], (128, 64), Words())
    pictures = [item.picture for page in pages for item in page.items if isinstance(item, DrawnPicture)]
    assert all(isinstance(picture, MarkedBoard) and set(picture.marks) == {"a1", "d4"} for picture in pictures)
    assert pictures


def test_equal_views_at_equal_moments_are_equal_pictures() -> None:
    view = GuideView(PUT, None, "en")
    pictures = {draw_guide(view, (128, 64), Words(), now).tobytes() for now in (0, 8_000, 16_000)}
    assert len(pictures) == 1

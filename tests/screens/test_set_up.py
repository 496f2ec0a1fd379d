"""The set-up by phone on the display: nothing is cut off, and both codes are there."""

from __future__ import annotations

from dataclasses import replace

import pytest
import segno

from quarto_pi.first_start.set_up import JoinTrouble, SetUpStage, SetUpView, WifiNetwork, code_to_join
from quarto_pi.languages import LANGUAGES
from quarto_pi.screens.boards import Size
from quarto_pi.screens.first_start import set_up_pages
from quarto_pi.screens.icons import Code
from quarto_pi.screens.layout import DrawnPicture, Written
from tests.screens.sheet import SIZES
from tests.screens.test_code import modules_on
from tests.screens.test_layout import assert_whole

VIEW = SetUpView(SetUpStage.OPEN, WifiNetwork("QUARTO", "wmwmwmwm"), "http://10.42.0.1:8040/")


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_fits_in_every_language(language: str, size: Size) -> None:
    view = replace(VIEW, language=language, network="W" * 32)
    for stage in SetUpStage:
        for trouble in (None, *JoinTrouble):
            assert_whole(set_up_pages(replace(view, stage=stage, trouble=trouble), size), size, (stage, trouble))


def test_both_codes_are_shown_and_can_be_typed_instead() -> None:
    pages = set_up_pages(replace(VIEW, language="en"), (128, 64))
    codes = {
        item.picture.address: "".join("".join(each.lines) for each in page.items if isinstance(each, Written))
        for page in pages
        for item in page.items
        if isinstance(item, DrawnPicture) and isinstance(item.picture, Code)
    }
    assert list(codes) == [code_to_join(VIEW.own), VIEW.address]
    assert "QUARTOwmwmwmwm" in codes[code_to_join(VIEW.own)]
    assert codes[VIEW.address].endswith("10.42.0.1:8040")
    meant = segno.make(code_to_join(VIEW.own), error="l", micro=False, boost_error=False).matrix
    assert modules_on(64, code_to_join(VIEW.own)) == [[bool(module) for module in row] for row in meant]


def test_until_a_language_is_chosen_all_of_them_have_their_turn() -> None:
    for size in SIZES:
        each = [set_up_pages(replace(VIEW, language=language), size) for language in LANGUAGES]
        assert set_up_pages(VIEW, size) == tuple(page for pages in each for page in pages)
        assert len({pages[0] for pages in each}) == len(LANGUAGES)

"""The page's address on the display, as a code that phones can read."""

from __future__ import annotations

from dataclasses import replace

import pytest
import segno

from quarto_pi.languages import LANGUAGES
from quarto_pi.referee.messages import GiveNext, Won
from quarto_pi.rules import Player, Reason, Result
from quarto_pi.screens.attract import attract_pages
from quarto_pi.screens.drawing import pages_of, render
from quarto_pi.screens.icons import Code, fits, picture_of_code
from quarto_pi.screens.layout import DrawnPicture, Written
from quarto_pi.words import Words
from tests.screens.examples import attract, view_of

ADDRESSES = ["http://192.168.178.101:8040/", "http://10.0.0.7/", "http://quarto.local:8040/"]


def modules_on(side: int, address: str) -> list[list[bool]]:
    """The modules as a camera would find them: the middle of each, from the edge of the lit square inwards."""
    picture = picture_of_code(Code(address), side)
    dark = [(x, y) for y in range(side) for x in range(side) if not picture.getpixel((x, y))]
    left, top = min(x for x, _ in dark), min(y for _, y in dark)
    count = (max(x for x, _ in dark) - left + 1) // 2
    return [
        [not picture.getpixel((left + 2 * column, top + 2 * row)) for column in range(count)] for row in range(count)
    ]


@pytest.mark.parametrize("address", ADDRESSES)
def test_code_is_the_one_that_stands_for_the_address(address: str) -> None:
    assert fits(address, 64)
    meant = segno.make(address, error="l", micro=False, boost_error=False).matrix
    assert modules_on(64, address) == [[bool(module) for module in row] for row in meant]


@pytest.mark.parametrize("address", ADDRESSES)
def test_code_has_a_lit_edge_all_around(address: str) -> None:
    picture = picture_of_code(Code(address), 64)
    edge = [(x, y) for x in range(64) for y in range(64) if min(x, y, 63 - x, 63 - y) < 4]
    assert all(picture.getpixel(dot) for dot in edge)


@pytest.mark.parametrize("address", ADDRESSES)
def test_address_can_be_typed_as_well(address: str) -> None:
    view = attract()
    (page,) = [
        page
        for page in attract_pages(Words(), (128, 64), view, address)
        if any(isinstance(item, DrawnPicture) and isinstance(item.picture, Code) for item in page.items)
    ]
    written = [item for item in page.items if isinstance(item, Written)]
    assert not any(item.broken for item in written)
    assert "".join("".join(item.lines) for item in written) == address.removeprefix("http://").rstrip("/")
    assert render(page, (128, 64), 0).getbbox() is not None


def test_long_address_is_written_in_capitals_where_they_make_it_fit() -> None:
    address = "http://192.168.178.101:8040/12345"
    assert fits(address, 64)
    meant = segno.make(address.upper(), error="l", micro=False, boost_error=False).matrix
    assert modules_on(64, address) == [[bool(module) for module in row] for row in meant]
    # A path may tell small letters from capitals.
    assert not fits("http://192.168.178.101:8040/games", 64)


WON = replace(view_of(Won(Player.A, (), called=True)), result=Result(Player.A, Reason.CALL))


def test_running_game_shows_no_code() -> None:
    view = view_of(GiveNext(Player.A))
    assert pages_of(view, (128, 64), Words(), ADDRESSES[0]) == pages_of(view, (128, 64), Words())


@pytest.mark.parametrize("language", LANGUAGES)
def test_code_of_a_game_comes_after_who_has_won_and_its_words_fit(language: str) -> None:
    *before, page = pages_of(WON, (128, 64), Words(language), f"{ADDRESSES[0]}12")
    assert tuple(before) == pages_of(WON, (128, 64), Words(language))
    assert not any(item.broken for item in page.items if isinstance(item, Written))
    assert [item.picture for item in page.items if isinstance(item, DrawnPicture)] == [Code(f"{ADDRESSES[0]}12")]


def test_display_that_is_too_low_shows_no_code() -> None:
    assert not fits(ADDRESSES[0], 32)
    assert not fits("", 64)

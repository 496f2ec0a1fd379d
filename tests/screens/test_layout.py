"""Nothing is ever cut off: every message, as long as it may be, in every language, on both kinds of display."""

from dataclasses import replace
from typing import cast, get_args

import pytest

from quarto_pi.chain.topics import check_board_name
from quarto_pi.languages import LANGUAGES
from quarto_pi.referee.menu import STOP_WAITING, VALUES, Item, MenuView, Stage, items_in, values_of
from quarto_pi.referee.messages import CarryOut, Message, Notice, PlaceThis, Prompt, PutBack, StandsThere
from quarto_pi.referee.remote_game import OtherBoard, Others
from quarto_pi.referee.settings import PERSON, Seat, Settings
from quarto_pi.referee.view import ClockView, View
from quarto_pi.rules import PIECES, SQUARES, Player
from quarto_pi.screens.boards import Size
from quarto_pi.screens.drawing import pages_at_table, pages_of, render
from quarto_pi.screens.layout import Page, Written, text_height
from quarto_pi.screens.text import LARGE
from quarto_pi.words import Words
from quarto_pi.words.boards import BoardMessage
from tests.screens.examples import AT_TABLE, WATCHED_AT, attract, examples, view_of
from tests.screens.guide_examples import MESSAGES as GUIDE
from tests.screens.sheet import SIZES
from tests.words.samples import LONGEST_NAMES, MESSAGES, SEATS

pytestmark = pytest.mark.slow

DRAWN_OTHERWISE = ("en", "lt", "zh_TW")
"""A language whose letters are plain, one with accents above and below, and one of another script."""


def showing(message: Message, seats: tuple[Seat, Seat]) -> View:
    """A view that shows a message, as its prompt or as its notice."""
    if isinstance(message, get_args(Notice)):
        prompt = view_of(PutBack(PIECES[0], SQUARES[0]), seats)
        return replace(prompt, prompt=CarryOut(Player.B, PIECES[15], SQUARES[5]), notice=message)
    return view_of(cast("Prompt", message), seats)


def assert_whole(pages: tuple[Page, ...], size: Size, what: object) -> None:
    width, height = size
    assert pages, what
    for page in pages:
        for item in page.items:
            left, top, right, bottom = item.box
            assert 0 <= left < right <= width, (what, item)
            assert 0 <= top < bottom <= height, (what, item)
            if isinstance(item, Written):
                assert not item.broken, (what, item)
                assert max(map(item.face.width, item.lines)) <= right - left, (what, item)
                assert text_height(item) <= bottom - top, (what, item)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_message_fits(language: str, size: Size) -> None:
    words = Words(language)
    # Most sentences are the same whoever sits there: they are laid out once.
    for message in MESSAGES:
        laid_out = set()
        for name, seats in SEATS.items():
            said = words.headline(message, seats), words.say(message, seats)
            if said not in laid_out:
                laid_out.add(said)
                assert_whole(pages_of(showing(message, seats), size, words), size, (name, message))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_square_fits(language: str, size: Size) -> None:
    words = Words(language)
    for square in SQUARES:
        for message in (CarryOut(Player.B, PIECES[15], square, "offer"), StandsThere(PIECES[15], square)):
            assert_whole(pages_of(view_of(message, (Seat(3), Seat(10))), size, words), size, message)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_headlines_fit_beside_the_longest_clock(language: str, size: Size) -> None:
    words = Words(language)
    for name, view in examples():
        clocked = replace(view, clock=ClockView(Player.A, -599), menu=None)
        assert_whole(pages_of(clocked, size, words), size, name)


@pytest.mark.parametrize("language", LANGUAGES)
def test_headlines_are_set_in_the_largest_type(language: str) -> None:
    """Where they have the whole width to themselves: what is to be done is read from across the table."""
    words = Words(language)
    said = {words.headline(message, seats) for message in MESSAGES for seats in SEATS.values()}
    for headline in said | {words.guide_headline(message) for message in GUIDE}:
        assert LARGE.width(headline) <= 128, headline


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_line_of_the_menu_fits(language: str, size: Size) -> None:
    words = Words(language)
    view = replace(attract(), settings=Settings(voice=True))
    seen = set()
    others = Others((OtherBoard("old-bridge-table-12", "old-bridge-table-12"),))
    for in_game in (True, False):
        open_menu = MenuView(Item.NEW_GAME, Stage.ITEMS, in_game=in_game, knows_others=True, watched_at=WATCHED_AT)
        items = items_in(open_menu, view.settings)
        seen |= set(items)
        lines = [MenuView(item, stage) for item in items for stage in (Stage.ITEMS, Stage.SURE) if item not in VALUES]
        lines += [MenuView(item, Stage.VALUES, value) for item in items for value in values_of(item, others)]
        lines += [MenuView(Item.ANOTHER_BOARD, Stage.VALUES, STOP_WAITING)] * (Item.ANOTHER_BOARD in items)
        for line in lines:
            shown = replace(view, menu=replace(line, in_game=in_game, knows_others=True, watched_at=WATCHED_AT))
            assert_whole(pages_of(shown, size, words), size, line)
    assert seen == set(Item)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_longest_name_of_a_board_is_shown_whole_wherever_a_board_is_named(language: str, size: Size) -> None:
    words = Words(language)
    for name in map(check_board_name, LONGEST_NAMES):
        assert len(name) == 30
        menu = MenuView(Item.ANOTHER_BOARD, Stage.VALUES, OtherBoard(name, name), in_game=False, knows_others=True)
        for stage in (Stage.ITEMS, Stage.VALUES):
            (page,) = pages_of(replace(attract(), menu=replace(menu, stage=stage)), size, words)
            assert_whole((page,), size, (name, stage))
            seen = "".join("".join(item.lines) for item in page.items if isinstance(item, Written))
            assert name.replace("-", "") in seen.replace(" ", "")
        for seats in ((PERSON, Seat(board=name)), (Seat(board=name), PERSON)):
            for message in get_args(BoardMessage):
                shown = [each for each in MESSAGES if isinstance(each, message)]
                assert shown, message
                for each in shown:
                    assert_whole(pages_of(showing(each, seats), size, words), size, (name, each))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_spectators_code_and_who_plays_at_a_table_fit(language: str, size: Size) -> None:
    words = Words(language)
    for address in (WATCHED_AT, "HTTPS://A.VERY.LONG.NAME.OF.A.HUB.EXAMPLE.ORG:8050/WABCDEFGHIJ2345"):
        shown = replace(attract(), menu=MenuView(Item.SPECTATORS, Stage.ITEMS, watched_at=address))
        assert_whole(pages_of(shown, size, words), size, address)
    for name, players in AT_TABLE.items():
        assert_whole(pages_at_table(players, words, size), size, name)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_invitations_and_lessons_fit(language: str, size: Size) -> None:
    assert_whole(pages_of(attract(), size, Words(language)), size, "attract")


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    "language",
    [pytest.param(each, marks=() if each in DRAWN_OTHERWISE else pytest.mark.campaign) for each in LANGUAGES],
)
def test_no_dot_is_lost_over_the_edge(language: str, size: Size) -> None:
    words, (width, height) = Words(language), size
    drawn: list[Page] = []
    for name, view in (*examples(), ("attract", attract())):
        for page in pages_of(view, size, words):
            if page in drawn:
                continue
            drawn.append(page)
            wider = render(page, (width + 16, height + 16), 0)
            assert wider.crop((width, 0, width + 16, height + 16)).getbbox() is None, name
            assert wider.crop((0, height, width + 16, height + 16)).getbbox() is None, name


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_given_piece_needs_is_seen_at_one_glance(language: str) -> None:
    words = Words(language)
    for name, view in examples():
        if isinstance(view.prompt, PlaceThis) and view.prompt.question is not None:
            # What may have been done already is asked page after page: whoever thinks has time.
            continue
        if name.startswith(("place this", "put it down", "choose first", "give next", "who called", "stands there")):
            assert len(pages_of(view, (128, 64), words)) == 1, name

"""What a display shows while nobody plays: invitations in several languages, statistics, and games of the computer."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from quarto_pi.languages import LANGUAGE_NAMES, LANGUAGES
from quarto_pi.referee import Settings, Tally
from quarto_pi.referee.messages import ClearTheBoard
from quarto_pi.referee.view import View
from quarto_pi.rules import Reason
from quarto_pi.screens.attract import CALL, DEMONSTRATIONS_FILE, demonstration_games, moments_of, pages_of_game
from quarto_pi.screens.boards import MarkedBoard, Size
from quarto_pi.screens.drawing import page_of, pages_of
from quarto_pi.screens.layout import PAGE_MS, DrawnPicture, Page, Written
from quarto_pi.words import Statistic, Words
from tests.games.evening import parse_evening
from tests.games.performance import Performance
from tests.screens.demonstrations import demonstrations
from tests.screens.examples import TALLY, attract
from tests.screens.sheet import LARGE, SIZES

SPOKEN = ("en", "fr", "zh_TW")


def text_of(page: Page) -> str:
    """All that is written on a page."""
    return " ".join(" ".join(item.lines) for item in page.items if isinstance(item, Written))


def texts(view: View, size: Size = LARGE) -> list[str]:
    """What is written on each page of a view."""
    return [text_of(page) for page in pages_of(view, size, Words(view.settings.language))]


def speaking(*languages: str) -> View:
    return replace(attract(), settings=Settings(languages=languages))


@pytest.mark.slow
def test_games_that_are_shown_are_those_that_the_levels_play() -> None:
    assert DEMONSTRATIONS_FILE.read_text(encoding="utf-8") == demonstrations()


def test_every_game_that_is_shown_is_won_by_a_call() -> None:
    assert len(demonstration_games()) > 2
    for record in demonstration_games():
        assert record.game.result is not None
        assert record.game.result.reason is Reason.CALL


def test_a_game_is_shown_move_by_move_up_to_the_call() -> None:
    game = demonstration_games()[0].game
    moments = list(moments_of(game))
    assert [moment.board.count for moment in moments] == [
        *(count for turn in range(len(game.turns)) for count in (turn, turn + 1)),
        game.board.count,
    ]
    assert [moment.hand for moment in moments[:-1:2]] == [turn.piece for turn in game.turns]
    assert moments[-1].board == game.board


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", SPOKEN)
def test_nobody_takes_a_game_that_is_shown_for_the_one_on_the_board(language: str, size: Size) -> None:
    words = Words(language)
    pages = pages_of_game(demonstration_games()[0], words, size)
    assert all(words.demonstration() in text_of(page) for page in pages)
    assert all(
        any(isinstance(item, DrawnPicture) and isinstance(item.picture, MarkedBoard) for item in page.items)
        for page in pages
    )
    assert [CALL in text_of(page) for page in pages] == [False] * (len(pages) - 1) + [True]


DOCS = Path(__file__).parents[2] / "docs" / "kiosk.md"
FIRST_LESSON_S = 15
MOST_IN_OTHER_WORDS = 0.15


def begins_at(view: View, title: str, size: Size = LARGE) -> int:
    """When the first page with this title is shown, in milliseconds; a page is begun by its title."""
    words, moment = Words(view.settings.language), 0
    for page in pages_of(view, size, words):
        if text_of(page).startswith(title):
            return moment
        moment += page.lasts_ms
    raise AssertionError(f"no page is called {title}")


def in_other_words_ms(view: View, size: Size = LARGE) -> int:
    """For how long of the loop the display speaks other languages than the board's."""
    names = [LANGUAGE_NAMES[name] for name in view.settings.languages if name != view.settings.language]
    pages = pages_of(view, size, Words(view.settings.language))
    return sum(page.lasts_ms for page in pages if any(name in text_of(page) for name in names))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_how_to_play_comes_soon_and_other_languages_do_not_crowd_it_out(language: str, size: Size) -> None:
    view = replace(attract(), settings=Settings(language=language))
    first, *_ = Words(language).how_to_play()
    assert begins_at(view, first.title, size) <= FIRST_LESSON_S * 1000
    loop = sum(page.lasts_ms for page in pages_of(view, size, Words(language)))
    assert in_other_words_ms(view, size) <= MOST_IN_OTHER_WORDS * loop


@pytest.mark.parametrize("language", SPOKEN)
def test_who_is_alone_reads_what_it_is_good_for_to_hold_the_button(language: str) -> None:
    words = Words(language)
    shown = " ".join(texts(replace(attract(), settings=Settings(language=language))))
    for page in words.held_button():
        assert page.title in shown
        assert page.text.replace(" ", "") in shown.replace(" ", "")


def test_figures_of_the_loop_in_the_docs_are_those_that_are_shown() -> None:
    view = replace(attract(), settings=Settings())
    rows = dict(re.findall(r"\| ([^|]+?) \| [^|]+ \| (\S+) s \|", DOCS.read_text(encoding="utf-8")))
    words = Words()
    loop = sum(page.lasts_ms for page in pages_of(view, LARGE, words))
    found = {
        "how to play begins after": begins_at(view, words.how_to_play()[0].title),
        '"Alone?" comes after': begins_at(view, words.held_button()[0].title),
        "other languages than the board's take": in_other_words_ms(view),
        "the whole loop takes": loop,
    }
    assert {name: rows[name] for name in found} == {name: f"{ms / 1000:g}" for name, ms in found.items()}


def test_people_are_invited_in_every_language_that_a_press_goes_through() -> None:
    shown = texts(speaking(*SPOKEN))
    for language in SPOKEN:
        words = Words(language)
        assert any(words.headline(attract().prompt) in text for text in shown)
        # Who speaks the board's own language has nothing to press for.
        assert any(LANGUAGE_NAMES[language] in text for text in shown) is (language != "en")
    assert not any("Spiel Quarto!" in text for text in shown)


def test_a_board_with_one_language_says_nothing_of_others() -> None:
    assert not any("Another language?" in text for text in texts(speaking("en")))


def test_pieces_that_still_stand_are_to_be_cleared_in_every_language() -> None:
    shown = texts(replace(speaking(*SPOKEN), prompt=ClearTheBoard()))
    for language in SPOKEN:
        assert any(Words(language).headline(ClearTheBoard()) in text for text in shown)
    assert not any(Words().headline(attract().prompt) in text for text in shown)


@pytest.mark.parametrize("place", ["yes", "no"])
def test_lessons_show_how_pieces_are_given_at_this_board(place: str) -> None:
    performance = Performance(parse_evening("lessons", f"title: lessons\ngive place: {place}\nwait 70\nend\n"))
    performance.play()
    shown = " ".join(texts(performance.display()))
    assert "You never choose your own piece!" in shown
    assert ("giving spot" in shown) is (place == "yes")
    assert ("hand it to the other player" in shown) is (place == "no")


@pytest.mark.parametrize("size", SIZES)
def test_what_has_been_counted_is_shown_with_its_numbers(size: Size) -> None:
    shown, words = " ".join(texts(attract(), size)), Words()
    for label, number in (
        (Statistic.GAMES, "12"),
        (Statistic.DRAWS, "1"),
        (Statistic.MISSED, "23"),
        (Statistic.AVERAGE_TIME, "12:34"),
        (Statistic.AGAINST, "Level 1, easy 3/3"),
    ):
        assert f"{words.statistic(label)} {number}" in shown
    assert "Level 10, perfect 0/3" in shown


def test_nothing_is_said_of_games_before_there_was_one() -> None:
    labels = [Words().statistic(statistic) for statistic in (Statistic.GAMES, Statistic.AGAINST)]
    shown = texts(replace(attract(), tally=Tally()))
    assert not any(label in text for label in labels for text in shown)
    # Two people have played, and nobody against the computer.
    shown = texts(replace(attract(), tally=replace(TALLY, against=())))
    assert not any(labels[1] in text for text in shown)


def test_every_page_is_seen_in_its_turn_and_for_as_long_as_it_needs() -> None:
    view, words = attract(), Words()
    pages = pages_of(view, LARGE, words)
    moment = 0
    for page, following in pairwise(pages):
        assert page_of(view, LARGE, words, moment + page.lasts_ms - 1) == page
        moment += page.lasts_ms
        assert page_of(view, LARGE, words, moment) == following
    assert page_of(view, LARGE, words, moment + pages[-1].lasts_ms) == pages[0]
    assert {page.lasts_ms for page in pages} > {PAGE_MS}

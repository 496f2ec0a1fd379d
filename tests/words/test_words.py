"""What the board says, in every language: complete, correct in form, short enough."""

import tomllib
from pathlib import Path
from typing import get_args

import pytest

from quarto_pi.languages import LANGUAGES
from quarto_pi.referee import messages as m
from quarto_pi.referee.menu import VALUES, Item, MenuView, Stage
from quarto_pi.referee.settings import LEVEL_NUMBERS, PERSON, Seat
from quarto_pi.referee.view import ClockView
from quarto_pi.rules import Player, parse_piece, parse_square
from quarto_pi.words import Statistic, Words
from quarto_pi.words.terms import Seats
from tests.words.room import latin_or_chinese, lines_needed, width
from tests.words.samples import MESSAGES, ONE_SHARED, SEATS, THREE_SHARED

PIECES = tomllib.loads((Path(__file__).parent / "pieces.toml").read_text(encoding="utf-8"))
DARK_HOLLOW = parse_piece("DSRH")
C2 = parse_square("c2")
ALONE: Seats = (PERSON, Seat(3))

every_language = pytest.mark.parametrize("language", LANGUAGES)


def test_there_is_a_sample_of_every_message() -> None:
    assert {type(message) for message in MESSAGES} == set(get_args(m.Message))


@every_language
def test_every_message_is_said_in_full_and_fits_the_screen(language: str) -> None:
    words = Words(language)
    most = latin_or_chinese(language, 6, 4)
    for seats in SEATS.values():
        for message in MESSAGES:
            said = words.say(message, seats)
            assert said
            assert "%" not in said
            assert "{" not in said
            assert lines_needed(said, letters=21, characters=8) <= most, said


@every_language
def test_every_headline_is_short_enough_for_big_type(language: str) -> None:
    words = Words(language)
    for seats in SEATS.values():
        for message in MESSAGES:
            headline = words.headline(message, seats)
            # A language says its name in itself.
            written = message.language if isinstance(message, m.LanguageChosen) else language
            assert 0 < width(headline) <= latin_or_chinese(written, 18, 7), headline
            assert "%" not in headline


@pytest.mark.parametrize("language", PIECES)
def test_every_piece_is_called_as_a_child_would_find_it(language: str) -> None:
    words = Words(language)
    for letters, expected in PIECES[language]["alone"].items():
        assert words.piece(parse_piece(letters)) == expected
    for letters, expected in PIECES[language]["sentence"].items():
        assert words.say(m.PutBack(parse_piece(letters), C2)) == expected
    assert len(PIECES[language]["alone"]) == len(PIECES[language]["sentence"]) == 16


def test_pieces_are_named_in_languages_that_there_are() -> None:
    assert PIECES.keys() <= set(LANGUAGES)


@every_language
def test_every_line_of_the_menu_has_a_label_and_its_values(language: str) -> None:
    words = Words(language)
    for item in Item:
        for value in VALUES.get(item, (None,)):
            label, shown = words.menu(MenuView(item, Stage.VALUES, value))
            assert 0 < width(label) <= latin_or_chinese(language, 20, 8), label
            assert width(shown) <= latin_or_chinese(language, 24, 12), shown
            assert bool(shown) is (item in {*VALUES, Item.ANOTHER_BOARD})


@every_language
def test_values_of_an_item_read_differently(language: str) -> None:
    words = Words(language)
    for item, values in VALUES.items():
        shown = [words.menu(MenuView(item, Stage.VALUES, value))[1] for value in values]
        assert len(set(shown)) == len(values)


@every_language
def test_the_menu_says_what_the_button_does(language: str) -> None:
    words = Words(language)
    assert len({words.menu_help(stage) for stage in Stage}) == len(Stage)
    assert all(lines_needed(words.menu_help(stage), letters=21, characters=8) <= 2 for stage in Stage)
    assert words.menu(MenuView(Item.NEW_GAME, Stage.SURE))[1]


@every_language
def test_how_to_play_is_read_one_screen_at_a_time(language: str) -> None:
    words = Words(language)
    pages = words.how_to_play()
    assert len(pages) == 7
    for page in {*pages, *words.how_to_play(m.Giving.BY_HAND)}:
        assert 0 < width(page.title) <= latin_or_chinese(language, 21, 8)
        assert lines_needed(page.text, letters=21, characters=8) <= latin_or_chinese(language, 5, 3), page.text


@every_language
@pytest.mark.parametrize("giving", [m.Giving.ON_ANY_SQUARE, m.Giving.BY_HAND])
def test_nobody_is_sent_to_a_giving_spot_where_there_is_none(language: str, giving: m.Giving) -> None:
    words = Words(language)
    spot = words.cell("offer").casefold()[:10]
    asked: list[m.Message] = [m.Welcome(giving), m.ChooseFirst(Player.A, giving), m.PlaceNext(Player.B)]
    if giving is m.Giving.ON_ANY_SQUARE:
        asked.append(m.GiveNext(Player.A, giving))
    told = [words.say(message, seats) for message in asked for seats in (SEATS["two people"], SEATS["a person first"])]
    assert not [text for text in (*told, *(page.text for page in words.how_to_play(giving))) if spot in text.casefold()]
    assert any(spot in page.text.casefold() for page in words.how_to_play(m.Giving.ON_GIVE_PLACE))


@every_language
def test_invitations_levels_and_statistics_have_words(language: str) -> None:
    words = Words(language)
    assert len(set(words.invitations())) == 4
    assert len({words.level(number) for number in LEVEL_NUMBERS}) == 10
    assert len({words.statistic(statistic) for statistic in Statistic}) == len(Statistic)
    assert words.cell("c2") == "c2"
    assert words.cell("offer") not in ("", "offer")


def test_every_language_is_found_by_who_understands_no_other() -> None:
    view = MenuView(Item.LANGUAGE, Stage.VALUES, "lt")
    assert {Words(language).menu(view)[1] for language in LANGUAGES} == {"Lietuvių"}


def test_a_person_alone_against_the_computer_is_spoken_to_as_you() -> None:
    words = Words()
    given = m.PlaceThis(Player.A, DARK_HOLLOW)
    assert words.say(given, ALONE) == "The computer gives you the dark, short, round, hollow piece. Place it!"
    assert words.headline(given, ALONE) == "Your turn"
    assert words.say(m.Won(Player.A, (ONE_SHARED,), called=True), ALONE) == "QUARTO! You win! a1 b1 c1 d1: all dark."
    assert words.say(m.Won(Player.B, (), called=True), ALONE) == "QUARTO! The computer wins!"
    assert [words.player(player, ALONE) for player in Player] == ["You", "Computer"]


def test_two_people_are_told_apart_by_their_numbers_or_names() -> None:
    given = m.PlaceThis(Player.B, DARK_HOLLOW)
    assert Words().say(given) == "Player 2: place the dark, short, round, hollow piece."
    assert Words().headline(given) == "Player 2"
    named = Words("fr", {Player.A: "Zoé", Player.B: "Ali"})
    assert named.say(given) == "Ali\u00a0: place la pièce foncée, basse, ronde et creuse."
    assert [named.player(player) for player in Player] == ["Zoé", "Ali"]


def test_two_computers_are_told_apart_by_their_numbers() -> None:
    seats = (Seat(1), Seat(2))
    assert Words("de").say(m.Thinking(Player.B, None), seats) == "Computer 2 sucht eine Figur aus."
    assert [Words("fr").player(player, seats) for player in Player] == ["Ordinateur 1", "Ordinateur 2"]


def test_hands_are_told_where_to_take_the_computers_piece_from() -> None:
    words, piece = Words(), "the dark, short, round, hollow piece"
    on_offer = words.say(m.CarryOut(Player.B, DARK_HOLLOW, C2, "offer"), ALONE)
    assert on_offer == f"The computer plays c2. Put {piece} there."
    elsewhere = words.say(m.CarryOut(Player.B, DARK_HOLLOW, C2, "b3"), ALONE)
    assert elsewhere == f"The computer plays c2. Move {piece} there from b3."


def test_an_alignment_names_its_squares_and_all_that_is_shared() -> None:
    assert Words().alignment(THREE_SHARED) == "a1 b2 c3 d4: all short, all square, all hollow"
    assert Words("lt").alignment(ONE_SHARED) == "a1 b1 c1 d1: visos tamsios"
    assert Words("zh_TW").alignment(THREE_SHARED) == "a1 b2 c3 d4\uff1a全矮、全方形、全中空"


def test_many_lost_readers_are_counted_instead_of_named() -> None:
    words = Words()
    assert words.say(m.ReaderLost(("c2", "offer"))) == "The board can't see this spot: c2, giving spot. Just play on."
    assert words.say(m.ReaderLost(("a1",) * 5)) == "The board can't see 5 spots. Just play on."


@pytest.mark.parametrize(("count", "said"), [(1, "1 eilė"), (2, "2 eilės"), (10, "10 eilių"), (21, "21 eilė")])
def test_lithuanian_counts_in_three_forms(count: int, said: str) -> None:
    assert said in Words("lt").say(m.Drawn((ONE_SHARED,) * count))


def test_a_clock_shows_minutes_and_seconds_and_a_minus_once_it_is_over() -> None:
    words = Words()
    assert [words.clock(ClockView(Player.A, seconds)) for seconds in (65, 9, -5)] == ["1:05", "0:09", "-0:05"]


def test_a_time_of_the_menu_is_told_in_whole_minutes_where_it_can_be() -> None:
    shown = [Words().menu(MenuView(Item.CLOCK, Stage.VALUES, seconds))[1] for seconds in (None, 30, 60, 90, 300)]
    assert shown == ["No limit", "30 seconds", "1 minute", "90 seconds", "5 minutes"]

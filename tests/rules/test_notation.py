"""Pieces, squares, positions and traits as text, and back; every wrong input gets one clear sentence."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quarto_pi.rules import (
    ALL_TRAITS,
    EMPTY_BOARD,
    PIECES,
    SQUARES,
    Board,
    NotationError,
    OptionsError,
    Piece,
    Position,
    QuartoError,
    Square,
    Trait,
    format_traits,
    parse_board,
    parse_digit,
    parse_piece,
    parse_position,
    parse_square,
    parse_traits,
)

SIXTEEN = st.permutations(PIECES)


@given(piece=st.sampled_from(PIECES), data=st.data())
def test_a_piece_is_read_in_any_order_and_case(piece: Piece, data: st.DataObject) -> None:
    letters = data.draw(st.permutations(piece.letters))
    cases = data.draw(st.lists(st.booleans(), min_size=4, max_size=4))
    text = "".join(letter.lower() if low else letter for letter, low in zip(letters, cases, strict=True))
    assert parse_piece(text) is piece
    assert parse_piece(f" {text}\n") is piece


@given(piece=st.sampled_from(PIECES), upper=st.booleans())
def test_a_piece_number_is_read_in_any_case(piece: Piece, upper: bool) -> None:
    assert parse_digit(piece.digit.upper() if upper else piece.digit) is piece


@given(square=st.sampled_from(SQUARES), upper=st.booleans())
def test_a_square_is_read_in_any_case(square: Square, upper: bool) -> None:
    assert parse_square(f" {square.name.upper() if upper else square.name} ") is square


@st.composite
def positions(draw: st.DrawFn) -> Position:
    pieces, squares = draw(SIXTEEN), draw(st.permutations(SQUARES))
    count = draw(st.integers(0, 16))
    hand = draw(st.sampled_from([None, *pieces[count:]]))
    return Position(Board.of(dict(zip(squares[:count], pieces, strict=False))), hand)


@given(position=positions())
def test_a_position_comes_back_as_it_was(position: Position) -> None:
    text = str(position)
    assert parse_position(text) == position
    assert parse_position(f"  {text.upper().replace(' ', '   ')}\n") == position
    assert parse_board(text[:19]) == position.board
    assert str(parse_position(text)) == text


@given(traits=st.lists(st.sampled_from(ALL_TRAITS), min_size=1, unique=True), upper=st.booleans())
def test_traits_come_back_in_their_own_order(traits: list[Trait], upper: bool) -> None:
    text = format_traits(tuple(traits))
    ordered = tuple(trait for trait in ALL_TRAITS if trait in traits)
    assert parse_traits(text.upper() if upper else text.replace(",", " , ")) == ordered


def test_the_fixed_examples_read_as_the_interfaces_say() -> None:
    assert parse_position(EMPTY_BOARD) == Position()
    assert parse_piece("LTRF").number == 0
    assert parse_piece("DSQH").digit == "f"
    position = parse_position("..../.7../..../.... c")
    assert (position.board[parse_square("b3")], position.hand) == (PIECES[7], PIECES[12])


WRONG = [
    (parse_piece, "", "it does not tell the colour; add L (light) or D (dark)"),
    (parse_piece, "LTR", "'LTR' is not a piece: it does not tell the top; add F (solid) or H (hollow)"),
    (parse_piece, "TRF", "it does not tell the colour"),
    (parse_piece, "LQF", "it does not tell the height; add T (tall) or S (short)"),
    (parse_piece, "LTF", "it does not tell the shape; add R (round) or Q (square)"),
    (parse_piece, "LDRF", "'LDRF' is not a piece: it tells the colour twice"),
    (parse_piece, "LTRFL", "it tells the colour twice"),
    (parse_piece, "LTRX", "'X' is none of the letters L or D, T or S, R or Q, F or H"),
    (parse_piece, "LT RF", "' ' is none of the letters"),
    (parse_piece, "7", "'7' is none of the letters"),
    (parse_piece, "dſrf", "is none of the letters"),
    (parse_digit, "", "'' is not a piece number: write one hex digit, 0 to f"),
    (parse_digit, "g", "'g' is not a piece number"),
    (parse_digit, "10", "'10' is not a piece number"),
    (parse_digit, " ", "' ' is not a piece number"),
    (parse_digit, "٣", "is not a piece number"),
    (parse_square, "", "'' is not a square: write a letter a to d and a number 1 to 4, such as b2"),
    (parse_square, "2b", "'2b' is not a square: write the letter first, b2"),
    (parse_square, "e1", "the columns are a to d, there is no e"),
    (parse_square, "a5", "the rows are 1 to 4, there is no 5"),
    (parse_square, "a0", "the rows are 1 to 4, there is no 0"),
    (parse_square, "a", "write a letter a to d and a number 1 to 4"),
    (parse_square, "a11", "write a letter a to d and a number 1 to 4"),
    (parse_square, "a-", "write a letter a to d and a number 1 to 4"),
    (parse_position, "", "a position has two parts, the board and the piece in hand, not 0"),
    (parse_position, "..../..../..../....", "two parts, the board and the piece in hand, not 1"),
    (parse_position, "..../..../..../.... - x", "two parts, the board and the piece in hand, not 3"),
    (parse_position, "..../..../..../.... g", "the piece in hand 'g' is not a hex digit 0 to f, nor '-' for none"),
    (parse_position, "..../..../..../.... 12", "the piece in hand '12' is not a hex digit"),
    (parse_position, "..../.7../..../.... 7", "piece 7 is in hand and on b3"),
    (parse_position, "..../..../.... -", "a board has four ranks with '/' between them, not 3"),
    (parse_position, "..../..../..../..../ -", "a board has four ranks with '/' between them, not 5"),
    (parse_position, "..../.../..../.... -", "rank 3 '...' has 3 squares instead of 4"),
    (parse_position, "..../..../..../..... -", "rank 1 '.....' has 5 squares instead of 4"),
    (parse_position, "...x/..../..../.... -", "'x' on d4 is not a piece"),
    (parse_position, "..../..../.-../.... -", "'-' on b2 is not a piece"),
    (parse_position, "7.../..../..../...7 -", "piece 7 stands on a4 and on d1: every piece exists once"),
    (parse_position, "a.../..../..../...A -", "piece a stands on a4 and on d1"),
    (parse_board, "", "a board has four ranks with '/' between them, not 1"),
    (parse_board, "4/4/4/4", "rank 4 '4' has 1 squares instead of 4"),
]

WRONG_TRAITS = [
    ("", "no trait is named: name at least one of colour, height, shape, top"),
    ("color", "'color' is not a trait: did you mean 'colour'?"),
    ("shape,hight", "'hight' is not a trait: did you mean 'height'?"),
    ("colour,", "'' is not a trait"),
    ("colour height", "'colour height' is not a trait"),
    ("weight-loss", "'weight-loss' is not a trait"),
    ("top,shape,TOP", "the trait top is named twice"),
]


def refusal(parse: Callable[[str], object], text: str) -> str | None:
    """What the error says, if it is one of the named ones; any other error is not caught."""
    try:
        parse(text)
    except QuartoError as error:
        return str(error)
    return None


def check(parse: Callable[[str], object], text: str, says: str, error: type[QuartoError]) -> None:
    with pytest.raises(error) as raised:
        parse(text)
    sentence = str(raised.value)
    assert says in sentence
    assert sentence.endswith((".", "?"))
    assert "\n" not in sentence


@pytest.mark.parametrize(("parse", "text", "says"), WRONG)
def test_what_cannot_be_read_is_named_with_its_place_and_the_right_form(
    parse: Callable[[str], object], text: str, says: str
) -> None:
    check(parse, text, says, NotationError)


@pytest.mark.parametrize(("text", "says"), WRONG_TRAITS)
def test_r6_traits_that_cannot_be_read_are_named_with_the_nearest_right_one(text: str, says: str) -> None:
    check(parse_traits, text, says, OptionsError)


@pytest.mark.parametrize("parse", [parse_piece, parse_digit, parse_square, parse_position, parse_board, parse_traits])
@given(text=st.text(alphabet="LDTSRQFHabcd1234.-/ fF7,\n\x00é", max_size=25))
def test_any_text_is_either_read_or_refused_by_a_named_error(parse: Callable[[str], object], text: str) -> None:
    sentence = refusal(parse, text)
    assert sentence is None or (len(sentence) > 20 and sentence[-1] in ".?")


@pytest.mark.parametrize("parse", [parse_piece, parse_digit, parse_square, parse_position, parse_board, parse_traits])
def test_an_error_stays_one_line_even_if_the_text_has_more(parse: Callable[[str], object]) -> None:
    with pytest.raises(QuartoError) as raised:
        parse("x\ny")
    assert "\n" not in str(raised.value)

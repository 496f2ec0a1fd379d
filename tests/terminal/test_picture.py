import re

from quarto_pi.rules import PIECES, SQUARES, Board, parse_board, parse_piece
from quarto_pi.terminal.picture import FINE, PLAIN_INK, columns_of, draw_board, draw_piece, draw_shelf, ink_for


def test_every_piece_has_a_picture_of_its_own_in_both_inks() -> None:
    for ink in (FINE, PLAIN_INK):
        assert len({draw_piece(piece, ink) for piece in PIECES}) == 16


def test_a_tall_dark_round_solid_piece_is_drawn_two_rows_high_and_filled() -> None:
    assert draw_piece(parse_piece("DTRF"), FINE) == ("(▒●▒)", "(▒▒▒)")


def test_a_short_light_square_hollow_piece_is_drawn_one_row_high_and_empty() -> None:
    assert draw_piece(parse_piece("LSQH"), PLAIN_INK) == ("     ", "[ o ]")


def test_a_board_shows_its_pieces_where_they_stand_with_the_fourth_rank_on_top() -> None:
    picture = draw_board(parse_board("0.../..../..../...f"), PLAIN_INK).splitlines()
    assert picture[1] == " 4 | ( * ) |       |       |       |"
    assert picture[11] == "   |       |       |       | [#o#] |"
    assert picture[-1].split() == ["a", "b", "c", "d"]


def test_marked_squares_stand_between_arrows() -> None:
    assert ">     <" in draw_board(Board(), PLAIN_INK, [SQUARES[0]])


def test_the_shelf_keeps_every_piece_in_its_place_when_others_go() -> None:
    full, less = (draw_shelf(pieces, PLAIN_INK).splitlines() for pieces in (PIECES, PIECES[1:]))
    assert full[2].index("LTRH") == less[2].index("LTRH")
    assert "LTRF" not in "".join(less)


def test_an_output_that_cannot_show_the_fine_ink_gets_the_plain_one() -> None:
    assert ink_for("utf-8") is FINE
    assert ink_for("ascii") is PLAIN_INK
    assert ink_for(None) is PLAIN_INK
    assert ink_for("no such encoding") is PLAIN_INK


def test_colours_are_only_for_terminals_that_want_them_and_never_tell_anything_alone() -> None:
    xterm = {"TERM": "xterm", "LANG": "C.UTF-8"}
    coloured = ink_for("utf-8", xterm, is_terminal=True)
    for piece in PIECES:
        rows = draw_piece(piece, coloured)
        assert all(row.endswith(coloured.plain) for row in rows if row.strip())
        assert tuple(re.sub(r"\x1b\[\d+m", "", row) for row in rows) == draw_piece(piece, FINE)
    for environment in ({**xterm, "NO_COLOR": "1"}, {**xterm, "TERM": "dumb"}, {"LANG": "C.UTF-8"}):
        assert ink_for("utf-8", environment, is_terminal=True) == FINE
    assert ink_for("utf-8", xterm, is_terminal=False) == FINE


def test_what_knows_only_ascii_or_draws_wide_characters_gets_the_plain_ink() -> None:
    assert ink_for("utf-8", {"LC_ALL": "C", "LANG": "de_DE.UTF-8"}) is PLAIN_INK
    assert ink_for("utf-8", {"LANG": "de_DE.UTF-8"}, "zh_TW") is PLAIN_INK
    assert ink_for("utf-8", {"LANG": "ja_JP.UTF-8"}) is PLAIN_INK
    assert ink_for("utf-8", {"LANG": "de_DE.UTF-8"}, "de") is FINE


def test_every_picture_is_five_columns_wide_in_the_plain_ink_and_in_the_fine_one() -> None:
    for ink in (FINE, PLAIN_INK):
        assert {columns_of(row) for piece in PIECES for row in draw_piece(piece, ink)} == {5}

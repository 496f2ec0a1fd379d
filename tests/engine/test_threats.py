from quarto_pi.engine.threats import threats_on, winning_squares
from quarto_pi.rules import Options, Piece, Trait, parse_board, parse_piece, parse_square


def squares_won(board: str, piece: str, options: Options | None = None) -> list[str]:
    threats = threats_on(parse_board(board), options or Options())
    return [square.name for square in winning_squares(threats, parse_piece(piece))]


def test_three_pieces_that_agree_make_a_threat_on_the_fourth_square() -> None:
    (threat,) = threats_on(parse_board("..../..../..../048."), Options())
    assert threat.square == parse_square("d1")
    assert threat.zeros == 0b0011
    assert threat.ones == 0


def test_a_piece_completes_only_the_traits_that_it_shares() -> None:
    (threat,) = threats_on(parse_board("..../..../..../048."), Options())
    assert threat.completed_by(Piece(0b1101)) == Trait.SHAPE.bit
    assert threat.completed_by(Piece(0b1111)) == 0


def test_a_line_with_two_empty_squares_or_none_is_no_threat() -> None:
    assert threats_on(parse_board("..../..../..../04.."), Options()) == ()
    assert threats_on(parse_board("..../..../..../048c"), Options()) == ()


def test_pieces_that_agree_in_nothing_make_no_threat() -> None:
    assert threats_on(parse_board("..../..../..../0f8."), Options()) == ()


def test_traits_out_of_play_make_no_threat() -> None:
    assert squares_won("..../..../..../048.", "LTRF", Options(traits=(Trait.COLOUR,))) == []
    assert squares_won("..../..../..../048.", "LTRF", Options(traits=(Trait.TOP,))) == ["d1"]


def test_two_by_two_squares_threaten_only_in_their_variant() -> None:
    assert squares_won("..../..../0.../48..", "LTRF") == []
    assert squares_won("..../..../0.../48..", "LTRF", Options(squares=True)) == ["b2"]


def test_a_square_is_named_once_however_many_lines_meet_there() -> None:
    assert squares_won("..../2.../1.../.48.", "LTRF") == []
    assert squares_won("1.../2.../4.../.8cb", "LTRF") == ["a1"]


def test_a_threat_without_the_traits_that_are_overlooked_may_be_none() -> None:
    (threat,) = threats_on(parse_board("..../..../..../048."), Options())
    assert threat.without(Trait.SHAPE.bit | Trait.TOP.bit) is None
    kept = threat.without(Trait.SHAPE.bit)
    assert kept is not None
    assert kept.zeros == Trait.TOP.bit

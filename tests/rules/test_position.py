"""A position: the board and the piece in hand."""

from __future__ import annotations

import pytest

from quarto_pi.rules import PIECES, SQUARES, Board, PieceNotAvailable, Position


def test_the_empty_position_has_nothing_in_hand() -> None:
    assert str(Position()) == "..../..../..../.... -"


def test_the_fourth_rank_is_written_first_and_the_a_column_at_the_left() -> None:
    board = Board.of({SQUARES[0]: PIECES[10], SQUARES[3]: PIECES[11], SQUARES[12]: PIECES[12], SQUARES[6]: PIECES[0]})
    assert str(Position(board, PIECES[15])) == "c.../..../..0./a..b f"


def test_r1_a_piece_is_not_in_hand_and_on_the_board() -> None:
    with pytest.raises(PieceNotAvailable, match="LTRF is in hand and on the board"):
        Position(Board.of({SQUARES[0]: PIECES[0]}), PIECES[0])

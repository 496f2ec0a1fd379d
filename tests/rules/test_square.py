"""The sixteen squares and the lines through them (R1, R4, R5)."""

from __future__ import annotations

import pytest

from quarto_pi.rules import ALL_LINES, PLAIN_LINES, SQUARES, Square, lines_in_play, lines_through
from tests.rules import naive


def as_names(lines: tuple[tuple[Square, ...], ...]) -> set[frozenset[str]]:
    assert all(len(set(line)) == 4 for line in lines)
    return {frozenset(square.name for square in line) for line in lines}


def test_r1_the_sixteen_squares_run_from_a1_to_d4_column_by_column_in_each_row() -> None:
    assert [square.name for square in SQUARES] == naive.SQUARES
    assert [str(square) for square in SQUARES] == naive.SQUARES
    assert [(square.column, square.row) for square in SQUARES] == [(c, r) for r in range(4) for c in range(4)]
    assert SQUARES[0] < SQUARES[1] < SQUARES[15]


@pytest.mark.parametrize("index", [-1, 16])
def test_r1_there_is_no_square_beyond_the_sixteen(index: int) -> None:
    with pytest.raises(ValueError, match=f"square number {index} does not exist"):
        Square(index)


def test_r4_the_ten_lines_are_four_rows_four_columns_and_two_diagonals() -> None:
    assert len(PLAIN_LINES) == 10
    assert as_names(PLAIN_LINES) == {frozenset(line) for line in naive.STRAIGHT}
    assert lines_in_play(squares=False) == PLAIN_LINES


def test_r5_the_nine_blocks_of_two_by_two_make_nineteen_lines() -> None:
    assert len(ALL_LINES) == 19
    assert as_names(ALL_LINES) == {frozenset(line) for line in [*naive.STRAIGHT, *naive.BLOCKS]}
    assert lines_in_play(squares=True) == ALL_LINES


@pytest.mark.parametrize("squares", [False, True])
def test_r4_the_lines_through_a_square_are_those_that_contain_it(squares: bool) -> None:
    for square in SQUARES:
        assert lines_through(square, squares) == tuple(line for line in lines_in_play(squares) if square in line)


@pytest.mark.parametrize(("name", "plain", "with_squares"), [("a1", 3, 4), ("b1", 2, 4), ("b2", 3, 7), ("d2", 2, 4)])
def test_r5_corner_edge_and_middle_lie_on_different_numbers_of_lines(name: str, plain: int, with_squares: int) -> None:
    square = SQUARES[naive.SQUARES.index(name)]
    assert len(lines_through(square, squares=False)) == plain
    assert len(lines_through(square, squares=True)) == with_squares

"""The board and the alignments on it (R4 to R6)."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quarto_pi.rules import (
    PIECES,
    SQUARES,
    Alignment,
    Board,
    Piece,
    PieceNotAvailable,
    QuartoError,
    Square,
    SquareEmpty,
    SquareTaken,
    Trait,
    TraitValue,
)
from tests.rules import naive
from tests.rules.pair import PIECE_OF, SQUARE_OF, found
from tests.rules.script import names, piece, square

BOARDS = st.builds(
    lambda pieces, squares, count: dict(zip(squares[:count], pieces, strict=False)),
    st.permutations(naive.PIECES),
    st.permutations(naive.SQUARES),
    st.integers(0, 16),
)
TRAITS = st.lists(st.sampled_from(sorted(naive.WORDS)), min_size=1, max_size=4, unique=True)


def board(words: str) -> Board:
    """A board from words such as `a1=7`."""
    return Board.of({square(word[:2]): piece(word[3]) for word in words.split()})


@given(pieces=BOARDS, squares=st.booleans(), traits=TRAITS)
def test_r4_alignments_are_the_lines_whose_pieces_share_a_trait_in_play(
    pieces: dict[str, str], squares: bool, traits: list[str]
) -> None:
    stand = Board.of({SQUARE_OF[name]: PIECE_OF[words] for name, words in pieces.items()})
    expected = naive.aligned(pieces, {"squares": squares, "traits": traits})
    assert found(stand.alignments(squares, [Trait(name) for name in traits])) == expected
    for name in naive.SQUARES:
        through = stand.alignments_through(SQUARE_OF[name], squares, [Trait(name) for name in traits])
        assert found(through) == {alignment for alignment in expected if name in alignment[0]}


@pytest.mark.parametrize("line", naive.STRAIGHT, ids=" ".join)
def test_r4_four_pieces_that_share_a_trait_are_an_alignment_on_every_straight_line(line: list[str]) -> None:
    aligned = Board.of({SQUARE_OF[name]: PIECES[number] for name, number in zip(line, (0, 3, 5, 6), strict=True)})
    assert {(frozenset(a.squares), a.traits) for a in aligned.alignments()} == {
        (frozenset(SQUARE_OF[name] for name in line), (Trait.COLOUR,))
    }


def test_r4_four_pieces_that_share_nothing_are_no_alignment() -> None:
    assert board("a1=0 b1=f c1=1 d1=2").alignments() == ()


def test_r4_three_pieces_are_no_alignment() -> None:
    assert board("a1=0 b1=1 c1=2").alignments() == ()


def test_r4_one_alignment_may_share_several_traits() -> None:
    (alignment,) = board("a1=0 b1=1 c1=2 d1=3").alignments()
    assert alignment == Alignment((SQUARES[0], SQUARES[1], SQUARES[2], SQUARES[3]), (TraitValue.LIGHT, TraitValue.TALL))
    assert alignment.traits == (Trait.COLOUR, Trait.HEIGHT)


def test_r4_one_placement_may_complete_several_alignments() -> None:
    crossing = board("b1=4 c1=5 d1=6 a2=1 a3=2 a4=3 b2=8 c3=9 d4=b")
    assert crossing.alignments() == ()
    assert names(crossing.place(square("a1"), piece("0")).alignments_through(square("a1"))) == {
        ("a1 b1 c1 d1", "light"),
        ("a1 a2 a3 a4", "light tall"),
        ("a1 b2 c3 d4", "tall"),
    }


@pytest.mark.parametrize("line", naive.BLOCKS, ids=" ".join)
def test_r5_a_block_counts_in_the_variant_squares_and_only_there(line: list[str]) -> None:
    block = Board.of({SQUARE_OF[name]: PIECES[number] for name, number in zip(line, (8, 11, 13, 14), strict=True)})
    assert block.alignments() == ()
    assert [a.values for a in block.alignments(squares=True)] == [(TraitValue.DARK,)]


def test_r5_a_scattered_or_torn_block_does_not_count() -> None:
    assert board("a1=0 c1=1 a3=2 c3=3").alignments(squares=True) == ()
    assert board("d1=0 a2=1 d2=2 a3=3").alignments(squares=True) == ()


def test_r6_only_the_chosen_traits_make_an_alignment() -> None:
    row = board("a1=0 b1=3 c1=5 d1=6")
    assert names(row.alignments(traits=[Trait.COLOUR])) == {("a1 b1 c1 d1", "light")}
    assert row.alignments(traits=[Trait.HEIGHT, Trait.SHAPE, Trait.TOP]) == ()


def test_r6_only_the_chosen_traits_are_shown() -> None:
    row = board("a1=0 b1=1 c1=2 d1=3")
    assert names(row.alignments(traits=[Trait.TOP, Trait.HEIGHT])) == {("a1 b1 c1 d1", "tall")}


def test_r5_r6_both_variants_combine() -> None:
    block = board("b2=0 c2=3 b3=5 c3=6")
    assert names(block.alignments(squares=True, traits=[Trait.COLOUR])) == {("b2 c2 b3 c3", "light")}
    assert block.alignments(squares=True, traits=[Trait.HEIGHT]) == ()
    assert block.alignments(squares=False, traits=[Trait.COLOUR]) == ()


def test_a_board_tells_what_stands_where_and_what_is_left() -> None:
    stand = board("a1=7 d4=c")
    assert stand[square("a1")] == piece("7")
    assert stand[square("b2")] is None
    assert stand.count == 2
    assert stand.pieces == {square("a1"): piece("7"), square("d4"): piece("c")}
    assert stand.empty_squares == SQUARES[1:15]
    assert [left.digit for left in stand.pieces_left] == [*"012345689abdef"]


@given(pieces=BOARDS)
def test_placing_and_lifting_lead_to_the_same_board_as_building_it(pieces: dict[str, str]) -> None:
    stand = Board()
    for name, words in pieces.items():
        stand = stand.place(SQUARE_OF[name], PIECE_OF[words])
    assert stand == Board.of({SQUARE_OF[name]: PIECE_OF[words] for name, words in pieces.items()})
    assert hash(stand) == hash(Board(stand.cells))
    for name in pieces:
        stand = stand.lift(SQUARE_OF[name])
    assert stand == Board()


@pytest.mark.parametrize(
    ("wrong", "error", "says"),
    [
        (lambda stand: stand.place(square("a1"), piece("0")), SquareTaken, "a1 is taken by LSQH"),
        (lambda stand: stand.place(square("b1"), piece("7")), PieceNotAvailable, "LSQH already stands on a1"),
        (lambda stand: stand.lift(square("b1")), SquareEmpty, "b1 is empty"),
    ],
)
def test_what_a_board_refuses_leaves_it_unchanged(
    wrong: Callable[[Board], Board], error: type[QuartoError], says: str
) -> None:
    stand = board("a1=7 d4=c")
    with pytest.raises(error, match=says):
        wrong(stand)
    assert stand == board("a1=7 d4=c")


def test_r1_no_piece_stands_on_a_board_twice() -> None:
    with pytest.raises(PieceNotAvailable, match="LSQH stands on the board twice"):
        Board.of({Square(0): Piece(7), Square(1): Piece(7)})


def test_a_board_has_sixteen_cells() -> None:
    with pytest.raises(ValueError, match="16 cells, not 15"):
        Board((None,) * 15)

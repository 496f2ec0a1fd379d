"""The sixteen pieces and their traits (R1)."""

from __future__ import annotations

import pytest

from quarto_pi.rules import ALL_TRAITS, PIECES, Piece, Player, Trait, TraitValue
from tests.rules import naive


def test_r1_the_sixteen_pieces_are_every_combination_of_the_four_traits() -> None:
    assert [" ".join(piece.words) for piece in PIECES] == naive.PIECES
    assert len({piece.values for piece in PIECES}) == 16


def test_r1_the_four_traits_have_two_values_each() -> None:
    assert {trait.value: tuple(value.word for value in trait.values) for trait in Trait} == {
        "colour": ("light", "dark"),
        "height": ("tall", "short"),
        "shape": ("round", "square"),
        "top": ("solid", "hollow"),
    }
    assert [value.trait for trait in ALL_TRAITS for value in trait.values] == [t for t in ALL_TRAITS for _ in range(2)]


@pytest.mark.parametrize(
    ("number", "letters", "digit"),
    [(0, "LTRF", "0"), (1, "LTRH", "1"), (2, "LTQF", "2"), (4, "LSRF", "4"), (8, "DTRF", "8"), (15, "DSQH", "f")],
)
def test_r1_the_number_adds_8_if_dark_4_if_short_2_if_square_1_if_hollow(number: int, letters: str, digit: str) -> None:
    piece = PIECES[number]
    assert (piece.number, piece.letters, piece.digit, str(piece)) == (number, letters, digit, letters)


def test_r1_a_piece_is_found_by_its_four_values_in_any_order() -> None:
    for piece in PIECES:
        assert Piece.of(*reversed(piece.values)) is piece
        assert all(piece.value(trait) in trait.values for trait in Trait)


@pytest.mark.parametrize("number", [-1, 16])
def test_r1_there_is_no_piece_beyond_the_sixteen(number: int) -> None:
    with pytest.raises(ValueError, match=f"piece number {number} does not exist"):
        Piece(number)


@pytest.mark.parametrize(
    "values",
    [
        (),
        (TraitValue.LIGHT, TraitValue.TALL, TraitValue.ROUND),
        (TraitValue.LIGHT, TraitValue.DARK, TraitValue.ROUND, TraitValue.SOLID),
        (TraitValue.LIGHT, TraitValue.TALL, TraitValue.ROUND, TraitValue.SOLID, TraitValue.SOLID),
    ],
)
def test_r1_a_piece_takes_exactly_one_value_of_each_trait(values: tuple[TraitValue, ...]) -> None:
    with pytest.raises(ValueError, match="exactly one value for each"):
        Piece.of(*values)


def test_each_player_is_the_others_opponent() -> None:
    assert (Player.A.other, Player.B.other) == (Player.B, Player.A)
    assert [player.value for player in Player] == [0, 1]

from itertools import combinations

import pytest
from PIL import Image, ImageChops

from quarto_pi.rules import PIECES, Piece, Trait
from quarto_pi.screens.boards import large, small

LARGE_SIZES = ((30, 47), (20, 31))
SMALL_SIZES = ((8, 8), (6, 6))


def difference(one: Image.Image, other: Image.Image) -> int:
    return ImageChops.logical_xor(one, other).histogram()[255]


@pytest.mark.parametrize("size", LARGE_SIZES)
def test_large_pictures_of_two_pieces_never_look_alike(size: tuple[int, int]) -> None:
    assert min(difference(large(one, size), large(other, size)) for one, other in combinations(PIECES, 2)) >= 12


@pytest.mark.parametrize("size", SMALL_SIZES)
def test_small_pictures_of_two_pieces_are_never_the_same(size: tuple[int, int]) -> None:
    assert min(difference(small(one, size), small(other, size)) for one, other in combinations(PIECES, 2)) >= 2


@pytest.mark.parametrize(
    ("trait", "least"), [(Trait.COLOUR, 150), (Trait.HEIGHT, 150), (Trait.SHAPE, 80), (Trait.TOP, 25)]
)
def test_each_trait_changes_much_of_a_large_picture(trait: Trait, least: int) -> None:
    for piece in PIECES:
        other = Piece(piece.number ^ trait.bit)
        assert difference(large(piece, (30, 47)), large(other, (30, 47))) >= least, (piece, other)


def test_a_tall_piece_fills_its_picture_and_a_short_one_the_lower_part() -> None:
    tall, short = large(PIECES[0], (30, 47)).getbbox(), large(PIECES[4], (30, 47)).getbbox()
    assert tall is not None
    assert short is not None
    assert tall[1] <= 1
    assert short[1] >= 20
    assert tall[3] == short[3] == 47


def test_a_light_piece_has_more_lit_dots_than_the_dark_one_of_its_kind() -> None:
    for light in PIECES[:8]:
        dark = PIECES[light.number + 8]
        assert large(light, (30, 47)).histogram()[255] > 2 * large(dark, (30, 47)).histogram()[255]

"""The board as a picture: marks that stay legible at every size."""

from __future__ import annotations

import pytest
from PIL import Image

from quarto_pi.referee.view import Mark
from quarto_pi.rules import PIECES, Board, Piece, parse_square
from quarto_pi.screens.boards import MarkedBoard, board_picture, corner_of

SIDES = (32, 48)
"""Of the board on displays of 32 and 64 lines."""
B3 = parse_square("b3")


def cell(side: int, piece: Piece, mark: Mark) -> Image.Image:
    """The picture of b3, with a piece and a mark on it."""
    pitch = side // 4
    left, top = corner_of(B3, pitch)
    picture = board_picture(MarkedBoard(Board().place(B3, piece), {"b3": mark}), side, 0)
    return picture.crop((left, top, left + pitch, top + pitch))


def ring(image: Image.Image, inset: int) -> list[bool]:
    """The dots of a square line so far inside the edge."""
    first, last = inset, image.width - 1 - inset
    steps = range(first, last + 1)
    dots = {spot for step in steps for spot in ((step, first), (step, last), (first, step), (last, step))}
    return [bool(image.getpixel(spot)) for spot in sorted(dots)]


@pytest.mark.parametrize("mark", [Mark.WON, Mark.MISSED, Mark.TAKE, Mark.PUT])
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("piece", PIECES)
def test_dark_line_stays_between_a_piece_and_its_frame(piece: Piece, side: int, mark: Mark) -> None:
    image = cell(side, piece, mark)
    assert any(ring(image, 0))
    assert not any(ring(image, 1))
    assert any(ring(image, 2)) or any(ring(image, 3))


@pytest.mark.parametrize("side", SIDES)
def test_frame_of_what_won_is_whole_and_that_of_what_was_missed_is_not(side: int) -> None:
    assert all(ring(cell(side, PIECES[0], Mark.WON), 0))
    assert not all(ring(cell(side, PIECES[0], Mark.MISSED), 0))

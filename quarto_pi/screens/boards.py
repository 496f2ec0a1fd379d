"""The board as a picture: sixteen small pieces, and why a square is pointed at."""

from __future__ import annotations

from collections.abc import Mapping

from PIL import Image, ImageChops, ImageDraw

from quarto_pi.referee.view import Mark
from quarto_pi.rules import SQUARES, Board, Piece, Square
from quarto_pi.screens.pieces import small

BEAT_MS = 500
"""How long something that blinks is on, and off."""


def is_on(now_ms: int) -> bool:
    """Whether what blinks is to be seen at this moment."""
    return now_ms // BEAT_MS % 2 == 0


def picture_of(
    board: Board, marks: Mapping[str, Mark], guests: Mapping[str, Piece], searched: bool, side: int, now_ms: int
) -> Image.Image:
    """A board `side` dots wide, seen from the side with the button.

    `guests` are pieces that are to come or to go: they blink. While it is `searched`, the computer's eye wanders over
    the empty squares: always over all of them, in one order.
    """
    image = Image.new("1", (side, side))
    pitch = side // 4
    wanders = board.empty_squares if searched else ()
    looked_at = wanders[now_ms // BEAT_MS % len(wanders)] if wanders else None
    for square in SQUARES:
        cell = Image.new("1", (pitch, pitch))
        mark = marks.get(square.name)
        guest = guests.get(square.name)
        piece = board[square] if guest is None else guest
        if piece is None:
            _dot(cell)
        elif guest is None or is_on(now_ms):
            _stand(cell, piece)
        if square == looked_at:
            _frame(cell, dashed=False)
        if mark is not None:
            cell = _marked(cell, mark, now_ms)
        image.paste(cell, corner_of(square, pitch))
    return image


def corner_of(square: Square, pitch: int) -> tuple[int, int]:
    """The upper left corner of a square; row 4 is the farthest, and on top."""
    return square.column * pitch, (3 - square.row) * pitch


def _stand(cell: Image.Image, piece: Piece) -> None:
    side = cell.width
    margin = 1 if side < 10 else 2
    cell.paste(small(piece, (side - 2 * margin + 1, side - 2 * margin + 1)), (margin, margin))


def _dot(cell: Image.Image) -> None:
    middle = cell.width // 2
    ImageDraw.Draw(cell).rectangle((middle, middle, middle + (cell.width >= 10), middle + (cell.width >= 10)), fill=1)


def _marked(cell: Image.Image, mark: Mark, now_ms: int) -> Image.Image:
    match mark:
        case Mark.TARGET | Mark.PUT:
            if is_on(now_ms):
                _frame(cell, dashed=False)
        case Mark.TAKE:
            _frame(cell, dashed=True)
        case Mark.WON:
            return ImageChops.invert(cell) if is_on(now_ms) else cell
        case Mark.MISSED:
            _frame(cell, dashed=True)
        case Mark.UNSEEN:
            _crossed(cell)
    return cell


def _frame(cell: Image.Image, dashed: bool) -> None:
    last = cell.width - 1
    pen = ImageDraw.Draw(cell)
    pen.rectangle((0, 0, last, last), outline=1)
    if dashed:
        for step in range(2, last, 4):
            for spot in ((step, 0), (step, last), (0, step), (last, step)):
                pen.rectangle((*spot, min(last, spot[0] + (spot[1] in (0, last))), spot[1]), fill=0)
                pen.rectangle((*spot, spot[0], min(last, spot[1] + (spot[0] in (0, last)))), fill=0)


def _crossed(cell: Image.Image) -> None:
    last = cell.width - 2
    pen = ImageDraw.Draw(cell)
    pen.rectangle((0, 0, last + 1, last + 1), fill=0)
    pen.line((1, 1, last, last), fill=1)
    pen.line((1, last, last, 1), fill=1)

"""The board as a picture: sixteen small pieces, and why a square is pointed at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Final

from PIL import Image, ImageChops, ImageDraw

from quarto_pi.referee.view import Mark
from quarto_pi.rules import SQUARES, Board, Piece, Square
from quarto_pi.screens.pieces import small

BEAT_MS = 500
"""How long something that blinks is on, and off."""

_QUESTION_MARK: Final = (" ### ", "#   #", "   # ", "  #  ", "     ", "  #  ")
_ALIGNED: Final = frozenset({Mark.WON, Mark.MISSED})


def is_on(now_ms: int) -> bool:
    """Whether what blinks is to be seen at this moment."""
    return now_ms // BEAT_MS % 2 == 0


@dataclass(frozen=True, slots=True)
class Table:
    """The board with its marks.

    `guests` are pieces that are to come or to go: they blink. While it is `searched`, the computer's eye wanders over
    the empty squares: always over all of them, in one order. Beside an alignment the other pieces come and go.
    """

    board: Board
    marks: Mapping[str, Mark] = field(default_factory=dict)
    guests: Mapping[str, Piece] = field(default_factory=dict)
    searched: bool = False


def picture_of(table: Table, side: int, now_ms: int) -> Image.Image:
    """The board `side` dots wide, seen from the side with the button."""
    image = Image.new("1", (side, side))
    pitch = side // 4
    aligned = not _ALIGNED.isdisjoint(table.marks.values())
    wanders = table.board.empty_squares if table.searched else ()
    looked_at = wanders[now_ms // BEAT_MS % len(wanders)] if wanders else None
    for square in SQUARES:
        cell = Image.new("1", (pitch, pitch))
        mark = table.marks.get(square.name)
        guest = table.guests.get(square.name)
        piece = table.board[square] if guest is None else guest
        if aligned and mark is None and not is_on(now_ms):
            piece = None
        if piece is None:
            _dot(cell)
        elif guest is None or is_on(now_ms):
            _stand(cell, piece, framed=mark is not None)
        if square == looked_at:
            _frame(cell, dashed=False)
        if mark is not None:
            _mark(cell, mark, now_ms)
        image.paste(cell, corner_of(square, pitch))
    return image


def corner_of(square: Square, pitch: int) -> tuple[int, int]:
    """The upper left corner of a square; row 4 is the farthest, and on top."""
    return square.column * pitch, (3 - square.row) * pitch


def _stand(cell: Image.Image, piece: Piece, *, framed: bool) -> None:
    side = cell.width
    # A dark line has to stay between the piece and its frame, or the two run together.
    margin = 2 if framed or side >= 10 else 1
    cell.paste(small(piece, (side - 2 * margin, side - 2 * margin)), (margin, margin))


def _dot(cell: Image.Image) -> None:
    middle = cell.width // 2
    ImageDraw.Draw(cell).rectangle((middle, middle, middle + (cell.width >= 10), middle + (cell.width >= 10)), fill=1)


def _mark(cell: Image.Image, mark: Mark, now_ms: int) -> None:
    match mark:
        case Mark.TARGET | Mark.PUT:
            if is_on(now_ms):
                _frame(cell, dashed=False)
        case Mark.TAKE | Mark.MISSED:
            _frame(cell, dashed=True)
        case Mark.WON:
            _frame(cell, dashed=False)
        case Mark.SEEN:
            fold_corner(cell, max(3, cell.width // 3))
        case Mark.UNSEEN:
            _cross_out(cell)
        case Mark.ASKED:
            _ask(cell)


def _frame(cell: Image.Image, dashed: bool) -> None:
    last = cell.width - 1
    pen = ImageDraw.Draw(cell)
    if dashed and cell.width < 10:
        # Too small for dashes: its corners.
        for right, down in product((0, last), repeat=2):
            pen.line((right, down, abs(right - 1), down), fill=1)
            pen.line((right, down, right, abs(down - 1)), fill=1)
        return
    pen.rectangle((0, 0, last, last), outline=1)
    if dashed:
        for step in range(2, last, 4):
            for spot in ((step, 0), (step, last), (0, step), (last, step)):
                pen.rectangle((*spot, min(last, spot[0] + (spot[1] in (0, last))), spot[1]), fill=0)
                pen.rectangle((*spot, spot[0], min(last, spot[1] + (spot[0] in (0, last)))), fill=0)


def _ask(cell: Image.Image) -> None:
    """A question mark, drawn dot by dot: no letter of the display is as small as a square."""
    cell.paste(0, (0, 0, cell.width, cell.width))
    left, top = (cell.width - len(_QUESTION_MARK[0])) // 2, (cell.width - len(_QUESTION_MARK)) // 2
    for y, row in enumerate(_QUESTION_MARK):
        for x, dot in enumerate(row):
            if dot == "#":
                cell.putpixel((left + x, top + y), 1)


def fold_corner(image: Image.Image, side: int) -> None:
    """Invert the lower right corner, whatever stands there: hands are seen. It is few bytes to send."""
    mask = Image.new("1", image.size)
    right, bottom = image.width - 1, image.height - 1
    ImageDraw.Draw(mask).polygon([(right - side, bottom), (right, bottom - side), (right, bottom)], fill=1)
    image.paste(ImageChops.logical_xor(image, mask), (0, 0))


def _cross_out(cell: Image.Image) -> None:
    last = cell.width - 2
    pen = ImageDraw.Draw(cell)
    pen.rectangle((0, 0, last + 1, last + 1), fill=0)
    pen.line((1, 1, last, last), fill=1)
    pen.line((1, last, last, 1), fill=1)

"""The board as a picture: sixteen small pieces, and why a square is pointed at."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from typing import Final

from PIL import Image, ImageChops, ImageDraw

from quarto_pi.referee.view import Mark
from quarto_pi.rules import SQUARES, Board, Piece, Square, Trait, TraitValue
from quarto_pi.screens.text import LIT

# --- Pictures of the pieces in black and white: all four traits are seen at a glance ----------------------------------
#
# A lit dot is bright, so a light piece is filled and a dark one is an outline with a few dots in it. A tall piece is
# twice as high as a short one; a round one is a cylinder, a square one a block; a hollow one has a hole in its top.

Size = tuple[int, int]


@cache
def large(piece: Piece, size: Size) -> Image.Image:
    """A piece seen slightly from above, standing on the lower edge of a picture of this size."""
    image = Image.new("1", size)
    width, height = size
    top = height - height * 11 // 20 if piece.value(Trait.HEIGHT) is TraitValue.SHORT else 0
    body = Image.new("1", (width, height - top))
    if piece.value(Trait.SHAPE) is TraitValue.ROUND:
        _cylinder(body, *_inks(piece))
    else:
        _block(body, *_inks(piece))
    image.paste(body, (0, top))
    return image


def _inks(piece: Piece) -> tuple[bool, bool]:
    return piece.value(Trait.COLOUR) is TraitValue.LIGHT, piece.value(Trait.TOP) is TraitValue.HOLLOW


def _cylinder(image: Image.Image, light: bool, hollow: bool) -> None:
    pen = ImageDraw.Draw(image)
    width, height = image.width, image.height
    right, bottom, lid = width - 1, height - 1, max(6, width * 2 // 5)
    shape = Image.new("1", image.size)
    mask = ImageDraw.Draw(shape)
    mask.ellipse((0, 0, right, lid), fill=1)
    mask.rectangle((0, lid // 2, right, bottom - lid // 2), fill=1)
    mask.ellipse((0, bottom - lid, right, bottom), fill=1)
    _fill(image, shape, light)
    if light:
        pen.arc((0, 0, right, lid + 1), 0, 180, fill=0)
        pen.arc((0, 1, right, lid + 2), 0, 180, fill=0)
    else:
        _weave(image, lambda lid_pen: lid_pen.ellipse((0, 0, right, lid), fill=1))
        pen.ellipse((0, 0, right, lid), outline=1)
        pen.line((0, lid // 2, 0, bottom - lid // 2), fill=1)
        pen.line((right, lid // 2, right, bottom - lid // 2), fill=1)
        pen.arc((0, bottom - lid, right, bottom), 0, 180, fill=1)
    if hollow:
        inset = max(3, width // 5)
        hole = (inset, max(2, lid // 4), right - inset, lid - max(2, lid // 4))
        pen.ellipse(hole, fill=0, outline=int(not light))


def _block(image: Image.Image, light: bool, hollow: bool) -> None:
    pen = ImageDraw.Draw(image)
    width, height = image.width, image.height
    depth = max(6, width // 3)
    right, bottom, front = width - 1, height - 1, width - 1 - depth
    outline = [(0, depth), (depth, 0), (right, 0), (right, bottom - depth), (front, bottom), (0, bottom)]
    shape = Image.new("1", image.size)
    ImageDraw.Draw(shape).polygon(outline, fill=1)
    _fill(image, shape, light)
    lid = [(0, depth), (depth, 0), (right, 0), (front, depth)]
    if light:
        for shift in (0, 1):
            pen.line((0, depth + shift, front, depth + shift), fill=0)
            pen.line((front, depth + shift, right, shift), fill=0)
        pen.line((front, depth, front, bottom), fill=0)
    else:
        _weave(image, lambda lid_pen: lid_pen.polygon(lid, fill=1))
        pen.polygon(lid, outline=1)
        pen.polygon(outline, outline=1)
        pen.line((front, depth, front, bottom), fill=1)
    if hollow:
        near, far, inset = depth - 2, 2, max(2, width // 9)
        hole = [(depth - far + inset, far), (right - far - inset, far)]
        hole += [(right - near - inset, near), (depth - near + inset, near)]
        pen.polygon(hole, fill=0, outline=int(not light))


def _fill(image: Image.Image, shape: Image.Image, light: bool) -> None:
    if light:
        image.paste(LIT, (0, 0), shape)
        return
    dots = Image.new("1", image.size)
    for y in range(2, image.height, 4):
        for x in range(2 + y % 8 // 2 % 4, image.width, 4):
            dots.putpixel((x, y), LIT)
    image.paste(dots, (0, 0), shape)


def _weave(image: Image.Image, draw_shape: Callable[[ImageDraw.ImageDraw], None]) -> None:
    """Fill the lid of a dark piece so closely that it does not look like a hole."""
    shape = Image.new("1", image.size)
    draw_shape(ImageDraw.Draw(shape))
    dots = Image.new("1", image.size)
    for y in range(image.height):
        for x in range(y % 2, image.width, 2):
            dots.putpixel((x, y), LIT)
    image.paste(dots, (0, 0), shape)


@cache
def small(piece: Piece, size: Size) -> Image.Image:
    """A piece as a sign, for a square of the board: the same language with fewer dots."""
    image = Image.new("1", size)
    pen = ImageDraw.Draw(image)
    right, bottom = size[0] - 1, size[1] - 1
    top = size[1] * 2 // 5 if piece.value(Trait.HEIGHT) is TraitValue.SHORT else 0
    light, hollow = _inks(piece)
    box = (0, top, right, bottom)
    if piece.value(Trait.SHAPE) is TraitValue.ROUND:
        pen.rounded_rectangle(box, max(2, size[0] // 3), fill=int(light), outline=1)
    else:
        pen.rectangle(box, fill=int(light), outline=1)
    if hollow:
        half = 1 if size[0] < 12 else 2
        upper = top + (2 if size[1] >= 8 else 1)
        lower = upper + (1 if size[1] >= 8 and top == 0 else 0)
        pen.rectangle((right // 2 - half + 1 - right % 2, upper, right // 2 + half, lower), fill=int(not light))
    return image


# --- The board as a picture: sixteen small pieces, and why a square is pointed at -------------------------------------

BEAT_MS = 500
"""How long something that blinks is on, and off."""

_QUESTION_MARK: Final = (" ### ", "#   #", "   # ", "  #  ", "     ", "  #  ")
_ALIGNED: Final = frozenset({Mark.WON, Mark.MISSED})


def is_on(now_ms: int) -> bool:
    """Whether what blinks is to be seen at this moment."""
    return now_ms // BEAT_MS % 2 == 0


@dataclass(frozen=True, slots=True)
class MarkedBoard:
    """The board with its marks.

    `guests` are pieces that are to come or to go: they blink. While it is `searched`, the computer's eye wanders over
    the empty squares: always over all of them, in one order. Beside an alignment the other pieces come and go.
    """

    board: Board
    marks: Mapping[str, Mark] = field(default_factory=dict)
    guests: Mapping[str, Piece] = field(default_factory=dict)
    searched: bool = False


def board_picture(table: MarkedBoard, side: int, now_ms: int) -> Image.Image:
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

"""Signs for what is no piece and no board: each is drawn once, 32 dots wide and high."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import Final

import segno
from PIL import Image, ImageDraw

from quarto_pi.rules import PIECES
from quarto_pi.screens.boards import is_on, large

SIDE: Final = 32

Pen = ImageDraw.ImageDraw


class Sign(Enum):
    """What a sign means."""

    GIVE = "give a piece"
    PLACE = "place a piece"
    THINK = "the computer thinks"
    BUTTON = "press the button"
    NO_BUTTON = "the button is of no use"
    EYE = "look, or it is seen"
    PAUSE = "time stands still"
    POWER = "switching off"
    LOTS = "lots are drawn"
    CLOCK = "time"
    EVEN = "nobody has won"
    CLEAR = "take everything off"
    UNKNOWN = "nobody knows what it is"
    BOARDS = "another board"
    BOARDS_APART = "another board is out of reach"


def sign_picture(sign: Sign, now_ms: int) -> Image.Image:
    """A sign at a moment: some of them move a little."""
    image = Image.new("1", (SIDE, SIDE))
    _DRAWN[sign](image, ImageDraw.Draw(image), now_ms)
    return image


def _give(image: Image.Image, pen: Pen, now_ms: int) -> None:
    _plate(pen)
    image.paste(large(PIECES[0], (10, 16)), (11, 8 if is_on(now_ms) else 4))


def _place(image: Image.Image, pen: Pen, now_ms: int) -> None:
    _grid(pen)
    image.paste(large(PIECES[0], (8, 12)), (16, 5 if is_on(now_ms) else 2))


def _plate(pen: Pen) -> None:
    pen.ellipse((1, 18, 30, 30), outline=1)
    pen.ellipse((5, 20, 26, 28), outline=1)


def _grid(pen: Pen) -> None:
    # Seen slightly from above, as the pieces are.
    pen.polygon([(7, 14), (24, 14), (31, 30), (0, 30)], outline=1)
    pen.line((15, 14, 15, 30), fill=1)
    pen.line((4, 21, 27, 21), fill=1)


def _think(_: Image.Image, pen: Pen, now_ms: int) -> None:
    for index in range(3):
        high = now_ms // 250 % 4 == index
        left, top = 2 + 11 * index, 9 if high else 14
        pen.ellipse((left, top, left + 6, top + 6), fill=1)


def _press(_: Image.Image, pen: Pen, now_ms: int) -> None:
    _button(pen, pressed=is_on(now_ms))


def _no_button(_: Image.Image, pen: Pen, _now_ms: int) -> None:
    _button(pen, pressed=False)
    _strike(pen)


def _button(pen: Pen, pressed: bool) -> None:
    top = 13 if pressed else 8
    pen.rectangle((2, 22, 29, 29), outline=1)
    pen.ellipse((6, top, 25, top + 9), fill=1)
    pen.rectangle((6, top + 5, 25, 21), fill=1)
    pen.arc((6, top, 25, top + 10), 0, 180, fill=0)
    if not pressed:
        pen.line((15, 0, 15, 4), fill=1)
        pen.line((13, 3, 15, 5), fill=1)
        pen.line((17, 3, 15, 5), fill=1)


def _strike(pen: Pen) -> None:
    pen.line((3, 29, 29, 3), fill=0, width=7)
    pen.line((3, 29, 29, 3), fill=1, width=3)


def _see(_: Image.Image, pen: Pen, _now_ms: int) -> None:
    pen.chord((0, 5, 31, 37), 200, 340, outline=1)
    pen.chord((0, -6, 31, 26), 20, 160, outline=1)
    pen.rectangle((2, 15, 29, 16), fill=0)
    pen.ellipse((11, 10, 20, 21), fill=1)
    pen.rectangle((13, 12, 15, 14), fill=0)


def _pause(_: Image.Image, pen: Pen, _now_ms: int) -> None:
    pen.rectangle((7, 4, 12, 27), fill=1)
    pen.rectangle((19, 4, 24, 27), fill=1)


def _power(_: Image.Image, pen: Pen, _now_ms: int) -> None:
    pen.arc((4, 5, 27, 28), -50, 230, fill=1, width=3)
    pen.rectangle((14, 2, 17, 15), fill=1)


def _lots(_: Image.Image, pen: Pen, now_ms: int) -> None:
    spots = ((4,), (0, 8), (0, 4, 8), (0, 2, 6, 8), (0, 2, 4, 6, 8), (0, 2, 3, 5, 6, 8))
    pen.rounded_rectangle((3, 3, 28, 28), 5, fill=1)
    for spot in spots[now_ms // 250 % 6]:
        left, top = 6 + 7 * (spot % 3), 6 + 7 * (spot // 3)
        pen.ellipse((left, top, left + 5, top + 5), fill=0)


def _clock(_: Image.Image, pen: Pen, now_ms: int) -> None:
    pen.ellipse((3, 3, 28, 28), outline=1, width=2)
    ends = ((16, 7), (23, 11), (23, 20), (16, 24), (8, 20), (8, 11))
    pen.line((16, 16, *ends[now_ms // 1000 % 6]), fill=1, width=2)
    pen.line((16, 16, 20, 16), fill=1, width=2)


def _even(_: Image.Image, pen: Pen, _now_ms: int) -> None:
    pen.rectangle((5, 9, 26, 13), fill=1)
    pen.rectangle((5, 18, 26, 22), fill=1)


def _clear(_: Image.Image, pen: Pen, now_ms: int) -> None:
    lift = 2 if is_on(now_ms) else 0
    _grid(pen)
    pen.rectangle((12, 6 - lift, 19, 24 - lift), fill=0)
    pen.rectangle((14, 7 - lift, 17, 22 - lift), fill=1)
    pen.polygon([(15, 1 - lift), (16, 1 - lift), (22, 8 - lift), (9, 8 - lift)], fill=1)


def _ask(_: Image.Image, pen: Pen, _now_ms: int) -> None:
    pen.arc((8, 2, 23, 17), -180, 90, fill=1, width=3)
    pen.rectangle((14, 15, 16, 21), fill=1)
    pen.rectangle((14, 25, 16, 28), fill=1)


def _boards(_: Image.Image, pen: Pen, now_ms: int) -> None:
    _two_boards(pen)
    left = 12 + 2 * (now_ms // 250 % 4)
    pen.ellipse((left, 14, left + 2, 16), fill=1)


def _boards_apart(_: Image.Image, pen: Pen, _now_ms: int) -> None:
    _two_boards(pen)
    _strike(pen)


def _two_boards(pen: Pen) -> None:
    for left in (0, 21):
        pen.rectangle((left, 10, left + 10, 20), outline=1)
        pen.line((left + 5, 10, left + 5, 20), fill=1)
        pen.line((left, 15, left + 10, 15), fill=1)


_DRAWN: Final[Mapping[Sign, Callable[[Image.Image, Pen, int], None]]] = {
    Sign.GIVE: _give,
    Sign.PLACE: _place,
    Sign.THINK: _think,
    Sign.BUTTON: _press,
    Sign.NO_BUTTON: _no_button,
    Sign.EYE: _see,
    Sign.PAUSE: _pause,
    Sign.POWER: _power,
    Sign.LOTS: _lots,
    Sign.CLOCK: _clock,
    Sign.EVEN: _even,
    Sign.CLEAR: _clear,
    Sign.UNKNOWN: _ask,
    Sign.BOARDS: _boards,
    Sign.BOARDS_APART: _boards_apart,
}


# --- The address of the page as a QR code, for the phones of those who stand around the board -------------------------

# With fewer dots a module, or a narrower edge, phones have trouble; the standard asks for four modules of edge.
DOTS: Final = 2
LEAST_EDGE: Final = 2
MOST_MODULES: Final = 64 // DOTS - 2 * LEAST_EDGE
"""What the usual display has room for, which is 64 dots high."""


@dataclass(frozen=True, slots=True)
class Code:
    """An address to be scanned, or what joins a Wi-Fi."""

    address: str


def fits(address: str, side: int) -> bool:
    """Whether the code of an address can be scanned from a square of so many dots."""
    return bool(address) and DOTS * (len(_modules(address)) + 2 * LEAST_EDGE) <= side


def picture_of_code(code: Code, side: int) -> Image.Image:
    """The code, dark on a lit square that is as wide as there is room."""
    modules = _modules(code.address)
    image = Image.new("1", (side, side), 255)
    edge = (side - DOTS * len(modules)) // 2
    for row, line in enumerate(modules):
        for column, dark in enumerate(line):
            if dark:
                left, top = edge + DOTS * column, edge + DOTS * row
                image.paste(0, (left, top, left + DOTS, top + DOTS))
    return image


@cache
def _modules(address: str) -> tuple[tuple[bool, ...], ...]:
    # The least correction makes the fewest and so the largest modules; a display is neither torn nor dirty.
    code = segno.make(address, error="l", micro=False, boost_error=False)
    if (
        len(code.matrix) > MOST_MODULES
        and address.startswith("http")
        and "/" not in address.partition("://")[2].rstrip("/0123456789")
    ):
        # Capitals need less room, and mean the same in all but a path.
        code = segno.make(address.upper(), error="l", micro=False, boost_error=False)
    return tuple(tuple(bool(module) for module in row) for row in code.matrix)

"""Signs for what is no piece and no board: each is drawn once, 32 dots wide and high."""

from __future__ import annotations

from enum import Enum
from typing import Final

from PIL import Image, ImageDraw

from quarto_pi.rules import PIECES
from quarto_pi.screens.boards import is_on
from quarto_pi.screens.pieces import large

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
    NO_EYE = "it is not seen"
    PAUSE = "time stands still"
    POWER = "switching off"
    LOTS = "lots are drawn"
    CLOCK = "time"
    EVEN = "nobody has won"
    CLEAR = "take everything off"
    UNKNOWN = "nobody knows what it is"


def picture_of(sign: Sign, now_ms: int) -> Image.Image:
    """A sign at a moment: some of them move a little."""
    image = Image.new("1", (SIDE, SIDE))
    pen = ImageDraw.Draw(image)
    match sign:
        case Sign.GIVE:
            _plate(pen)
            image.paste(large(PIECES[0], (10, 16)), (11, 8 if is_on(now_ms) else 4))
        case Sign.PLACE:
            _grid(pen)
            image.paste(large(PIECES[0], (8, 12)), (16, 5 if is_on(now_ms) else 2))
        case Sign.THINK:
            _think(pen, now_ms)
        case Sign.BUTTON:
            _button(pen, pressed=is_on(now_ms))
        case Sign.NO_BUTTON:
            _button(pen, pressed=False)
            _strike(pen)
        case Sign.EYE | Sign.NO_EYE:
            _eye(pen)
            if sign is Sign.NO_EYE:
                _strike(pen)
        case Sign.PAUSE:
            pen.rectangle((7, 4, 12, 27), fill=1)
            pen.rectangle((19, 4, 24, 27), fill=1)
        case Sign.POWER:
            pen.arc((4, 5, 27, 28), -50, 230, fill=1, width=3)
            pen.rectangle((14, 2, 17, 15), fill=1)
        case Sign.LOTS:
            _die(pen, 1 + now_ms // 250 % 6)
        case Sign.CLOCK:
            _clock(pen, now_ms)
        case Sign.EVEN:
            pen.rectangle((5, 9, 26, 13), fill=1)
            pen.rectangle((5, 18, 26, 22), fill=1)
        case Sign.CLEAR:
            _grid(pen)
            _arrow_up(pen, 2 if is_on(now_ms) else 0)
        case Sign.UNKNOWN:
            pen.arc((8, 2, 23, 17), -180, 90, fill=1, width=3)
            pen.rectangle((14, 15, 16, 21), fill=1)
            pen.rectangle((14, 25, 16, 28), fill=1)
    return image


def _plate(pen: Pen) -> None:
    pen.ellipse((1, 18, 30, 30), outline=1)
    pen.ellipse((5, 20, 26, 28), outline=1)


def _grid(pen: Pen) -> None:
    # Seen slightly from above, as the pieces are.
    pen.polygon([(7, 14), (24, 14), (31, 30), (0, 30)], outline=1)
    pen.line((15, 14, 15, 30), fill=1)
    pen.line((4, 21, 27, 21), fill=1)


def _think(pen: Pen, now_ms: int) -> None:
    for index in range(3):
        high = now_ms // 250 % 4 == index
        left, top = 2 + 11 * index, 9 if high else 14
        pen.ellipse((left, top, left + 6, top + 6), fill=1)


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


def _eye(pen: Pen) -> None:
    pen.chord((0, 5, 31, 37), 200, 340, outline=1)
    pen.chord((0, -6, 31, 26), 20, 160, outline=1)
    pen.rectangle((2, 15, 29, 16), fill=0)
    pen.ellipse((11, 10, 20, 21), fill=1)
    pen.rectangle((13, 12, 15, 14), fill=0)


def _die(pen: Pen, eyes: int) -> None:
    pen.rounded_rectangle((3, 3, 28, 28), 5, fill=1)
    spots = {1: (4,), 2: (0, 8), 3: (0, 4, 8), 4: (0, 2, 6, 8), 5: (0, 2, 4, 6, 8), 6: (0, 2, 3, 5, 6, 8)}
    for spot in spots[eyes]:
        left, top = 6 + 7 * (spot % 3), 6 + 7 * (spot // 3)
        pen.ellipse((left, top, left + 5, top + 5), fill=0)


def _clock(pen: Pen, now_ms: int) -> None:
    pen.ellipse((3, 3, 28, 28), outline=1, width=2)
    hands = ((16, 7), (23, 12), (23, 20), (16, 24), (8, 20), (8, 12))
    pen.line((16, 16, *hands[now_ms // 500 % 6]), fill=1, width=2)
    pen.line((16, 16, 21, 16), fill=1, width=2)


def _arrow_up(pen: Pen, lift: int) -> None:
    pen.rectangle((12, 6 - lift, 19, 24 - lift), fill=0)
    pen.rectangle((14, 7 - lift, 17, 22 - lift), fill=1)
    pen.polygon([(15, 1 - lift), (16, 1 - lift), (22, 8 - lift), (9, 8 - lift)], fill=1)

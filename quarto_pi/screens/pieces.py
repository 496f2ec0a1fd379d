"""Pictures of the pieces in black and white: all four traits are seen at a glance.

A lit dot is bright, so a light piece is filled and a dark one is an outline with a few dots in it. A tall piece is
twice as high as a short one; a round one is a cylinder, a square one a block; a hollow one has a hole in its top.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from PIL import Image, ImageDraw

from quarto_pi.rules import Piece, Trait, TraitValue
from quarto_pi.screens.typefaces import LIT

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

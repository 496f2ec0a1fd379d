"""Where everything stands: a scene as pages on a display of a given size, shown in turn.

On 64 lines the headline has the upper 16, and picture and sentence the rest. On 32 lines there is no room for both:
the headline is a page of its own. Nothing is placed that does not fit; tests look at the boxes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from quarto_pi.screens.boards import MarkedBoard, Size
from quarto_pi.screens.icons import Code, Sign
from quarto_pi.screens.scene import Bar, Picture, PiecePicture, Scene, Way
from quarto_pi.screens.text import (
    BODIES,
    HEADLINES,
    LOW_BODIES,
    NARROW,
    TINY,
    Lines,
    Paragraph,
    Typeface,
    fit,
    fit_name,
    pitch_of,
)

Box = tuple[int, int, int, int]
"""Left, top, right and bottom; right and bottom are outside."""

PAGE_MS: Final = 4_000
"""How long a page is shown where there are several."""

BAR: Final = 16
"""The height of the headline: also the other-coloured stripe of many two-coloured displays."""

AIR: Final = 2
"""So many dots a piece stays below the letters over it, whose tails would touch a tall one."""

GAP: Final = 4


@dataclass(frozen=True, slots=True)
class Written:
    """Lines of text in their box; `broken` where they did not fit it as they should."""

    lines: Lines
    face: Typeface
    box: Box
    centred: bool = False
    broken: bool = False


@dataclass(frozen=True, slots=True)
class DrawnPicture:
    """A picture in its box."""

    picture: Picture
    box: Box


@dataclass(frozen=True, slots=True)
class Filled:
    """A box whose dots are inverted once what was placed before is drawn."""

    box: Box
    blinks: bool = False


@dataclass(frozen=True, slots=True)
class Dots:
    """Which of how many pages this is, as dots along the right edge of a box."""

    page: int
    count: int
    box: Box


PageItem = Written | DrawnPicture | Filled | Dots


@dataclass(frozen=True, slots=True)
class Page:
    """What is seen at one time, and for how long where it is one of several."""

    items: tuple[PageItem, ...]
    lasts_ms: int = PAGE_MS


def lay_out(scene: Scene, size: Size) -> tuple[Page, ...]:
    """The pages of a scene."""
    width, height = size
    if height < 48:
        return _on_low(scene, size)
    head = _headline(scene, (0, 0, width, BAR))
    place = (0, BAR, width, height)
    pages = [_row(scene.show, place)] if scene.show else []
    if scene.text:
        pages += _sentence(scene, place, BODIES)
    return tuple(Page((*head, *items)) for items in pages)


def page_at(pages: tuple[Page, ...], now_ms: int) -> Page:
    """The page whose turn it is."""
    left = now_ms % sum(page.lasts_ms for page in pages)
    for page in pages:
        left -= page.lasts_ms
        if left < 0:
            return page
    return pages[-1]


def width_of(picture: Picture, height: int) -> int:
    """How wide a picture is at a height."""
    match picture:
        case PiecePicture():
            return height * 5 // 8
        case MarkedBoard():
            return height // 4 * 4
        case Code():
            return height
        case Way():
            return 24
        case Sign():
            return 32


def _on_low(scene: Scene, size: Size) -> tuple[Page, ...]:
    width, height = size
    place = (0, 0, width, height)
    left = 0
    head: list[PageItem] = []
    if scene.beside is not None:
        head.append(_drawn(scene.beside, place))
        left = head[0].box[2] + GAP
    right = width
    if scene.corner:
        clock = _corner(scene.corner, (0, 0, width, height), scene.hurried)
        head += clock
        right = clock[0].box[0] - GAP
    paragraph = fit(scene.headline, HEADLINES, right - left - 2, height)
    head.append(_alone(paragraph, (left + 1, 0, right - 1, height)))
    if scene.bar is not Bar.PLAIN:
        head.append(Filled((left, 0, right, height), blinks=scene.bar is Bar.BLINKING))
    pages = [tuple(head)]
    if scene.show:
        pages.append(_row(scene.show, place))
    elif scene.text:
        pages += _sentence(scene, place, LOW_BODIES)
    return tuple(Page(items) for items in pages)


def _headline(scene: Scene, box: Box) -> tuple[PageItem, ...]:
    left, top, right, bottom = box
    items: list[PageItem] = []
    if scene.corner:
        items += _corner(scene.corner, box, scene.hurried)
        right = items[0].box[0] - GAP
    inset = 0 if scene.bar is Bar.PLAIN else 1
    paragraph = fit(scene.headline, HEADLINES, right - left - 2 * inset, bottom - top)
    items.append(_alone(paragraph, (left + inset, top, right - inset, bottom), centred=False))
    if scene.bar is not Bar.PLAIN:
        items.append(Filled((left, top, right, bottom), blinks=scene.bar is Bar.BLINKING))
    return tuple(items)


def _corner(text: str, box: Box, hurried: bool) -> tuple[PageItem, ...]:
    place = (box[2] - NARROW.width(text) - 2, box[1], box[2], box[1] + BAR)
    written = alone(text, (place[0] + 1, place[1], place[2] - 1, place[3]), (NARROW,))
    return (written, Filled(place, blinks=True)) if hurried else (written,)


def _sentence(scene: Scene, place: Box, faces: tuple[Typeface, ...]) -> list[tuple[PageItem, ...]]:
    """The pages of a sentence with the picture beside it."""
    _, top, right, bottom = place
    alone_pages = text_pages(scene.text, place, faces)
    if scene.beside is None:
        return alone_pages
    drawn = _drawn(scene.beside, place)
    place = (drawn.box[2] + GAP, top, right, bottom)
    pages = text_pages(scene.text, place, faces)
    if len(pages) > 1 and scene.short:
        pages = text_pages(scene.short, place, faces)
    if isinstance(scene.beside, Sign) and len(alone_pages) < len(pages):
        # A sign only decorates: a sentence that is read at one glance is worth more.
        return alone_pages
    return [(drawn, *items) for items in pages]


def text_pages(text: str, box: Box, faces: tuple[Typeface, ...], centred: bool = False) -> list[tuple[PageItem, ...]]:
    """A text in a box, in turns if it is too long for one."""
    left, top, right, bottom = box
    inner = (left + 1, top, right - 1, bottom)
    paragraph = fit(text, faces, inner[2] - inner[0], bottom - top)
    if len(paragraph.pages) == 1:
        return [(_written(paragraph, 0, inner, centred),)]
    narrower = (left + 1, top, right - 5, bottom)
    paragraph = fit(text, faces[-1:], narrower[2] - narrower[0], bottom - top)
    if paragraph.broken:
        paragraph = fit(text, (TINY,), narrower[2] - narrower[0], bottom - top)
    count = len(paragraph.pages)
    return [(_written(paragraph, page, narrower, centred), Dots(page, count, box)) for page in range(count)]


def alone(text: str, box: Box, faces: tuple[Typeface, ...], centred: bool = True) -> Written:
    """A text in a box that has to fit at once."""
    return _alone(fit(text, faces, box[2] - box[0], box[3] - box[1]), box, centred)


def alone_name(name: str, box: Box, faces: tuple[Typeface, ...]) -> Written:
    """A name in a box that has to fit at once, parted anywhere if that has to be."""
    return _alone(fit_name(name, faces, box[2] - box[0], box[3] - box[1]), box)


def _alone(paragraph: Paragraph, box: Box, centred: bool = True) -> Written:
    return Written(paragraph.pages[0], paragraph.face, box, centred, paragraph.broken or len(paragraph.pages) > 1)


def _written(paragraph: Paragraph, page: int, box: Box, centred: bool) -> Written:
    return Written(paragraph.pages[page], paragraph.face, box, centred, paragraph.broken)


def _drawn(picture: Picture, place: Box) -> DrawnPicture:
    left, _, _, bottom = place
    top = _top_of(picture, place)
    return DrawnPicture(picture, (left, top, left + width_of(picture, bottom - top), bottom))


def _top_of(picture: Picture, place: Box) -> int:
    return place[1] + AIR if place[1] and isinstance(picture, PiecePicture) else place[1]


def _row(pictures: tuple[Picture, ...], place: Box) -> tuple[PageItem, ...]:
    """Pictures side by side in the middle."""
    left, top, right, bottom = place
    widths = [width_of(picture, bottom - top) for picture in pictures]
    gap = min(8, (right - left - sum(widths)) // max(1, len(pictures) - 1))
    start = left + (right - left - sum(widths) - gap * (len(pictures) - 1)) // 2
    items = []
    for picture, width in zip(pictures, widths, strict=True):
        items.append(DrawnPicture(picture, (start, _top_of(picture, place), start + width, bottom)))
        start += width + gap
    return tuple(items)


def text_height(written: Written) -> int:
    """How high the lines of a text stand together."""
    text = "".join(written.lines)
    return (len(written.lines) - 1) * pitch_of(written.face, text) + sum(written.face.metrics(text))

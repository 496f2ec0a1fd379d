"""The picture of a view: what a scene's layout says, in dots."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, assert_never

from PIL import Image, ImageChops, ImageDraw

from quarto_pi.referee import Settings
from quarto_pi.referee.menu import Item, MenuView, Stage, items_in
from quarto_pi.referee.messages import ChooseFirst, Hindsight, HurryUp, ShuttingDown, TimeIsUp
from quarto_pi.referee.phases import RefereePhase
from quarto_pi.referee.touches import shows_touch
from quarto_pi.referee.view import View
from quarto_pi.rules import Player
from quarto_pi.screens import attract, boards, icons
from quarto_pi.screens.boards import Size, large
from quarto_pi.screens.icons import fits
from quarto_pi.screens.layout import (
    BAR,
    Box,
    Dots,
    DrawnPicture,
    Filled,
    Page,
    Written,
    alone,
    alone_name,
    lay_out,
    page_at,
    text_height,
)
from quarto_pi.screens.scene import Picture, PiecePicture, Scene, Way, hindsight_scene, scene_of
from quarto_pi.screens.text import BOLD, HEADLINES, HUGE, LARGE, NARROW, PLAIN, ROOMY, TINY, pitch_of
from quarto_pi.words import Words

# --- Who plays at the table of a tournament, on the display: numbers, for names never leave the hub -------------------

_LOW: Final = 48
"""A display of fewer lines shows the table and the players in turn."""
_LINE: Final = 13
_SCORE: Final = 34


@dataclass(frozen=True, slots=True)
class PlayersAtTable:
    """A table of a tournament, which round is played there, who against whom, and the score in halves of a point."""

    table: int
    round: int
    rounds: int
    first: int
    second: int
    score: tuple[int, int]
    best_of: int


def pages_at_table(players: PlayersAtTable, words: Words, size: Size) -> tuple[Page, ...]:
    """The pages that say it."""
    return _pages(players, words.language, size)


@lru_cache(maxsize=8)
def _pages(players: PlayersAtTable, language: str, size: Size) -> tuple[Page, ...]:
    words = Words(language)
    headline, round_of, pairing = words.at_table(
        players.table, (players.round, players.rounds), (players.first, players.second)
    )
    score = " : ".join(_points(half_points) for half_points in players.score) if players.best_of > 1 else ""
    width, height = size
    if height < _LOW:
        return (
            Page((alone(headline, (0, 0, width, height), HEADLINES), Filled((0, 0, width, height)))),
            _page_below(round_of, pairing, score, (0, 0, width, height)),
        )
    head = alone(headline, (1, 0, width - 1, BAR), HEADLINES, centred=False), Filled((0, 0, width, BAR))
    return (Page((*head, *_page_below(round_of, pairing, score, (0, BAR, width, height)).items)),)


def _page_below(round_of: str, pairing: str, score: str, box: Box) -> Page:
    """The round in a line, and below it who plays whom in large type; at the end of the round's line the score."""
    left, top, right, bottom = box
    middle = top + _LINE
    room = _SCORE if score else 0
    written = alone(round_of, (left + 1, top, right - room, middle), (PLAIN, TINY), centred=False)
    players = alone(pairing, (left + 1, middle, right - 1, bottom), (HUGE, LARGE, BOLD, NARROW, ROOMY, PLAIN, TINY))
    beside = (alone(score, (right - room, top, right, middle), (BOLD, PLAIN, TINY)),) if score else ()
    return Page((written, players, *beside))


def _points(halves: int) -> str:
    """Points in halves, as they stand in every table.

    >>> _points(1), _points(4), _points(5)
    ('½', '2', '2½')
    """
    whole = "" if halves == 1 else f"{halves // 2}"
    return whole + "½" * (halves % 2)


# --- The menu on the display: one item at a time, its value, and what the button does ---------------------------------

LOW: Final = 48
"""On a display of fewer lines there is no room for what the button does."""


def menu_page(menu: MenuView, size: Size, words: Words, settings: Settings) -> Page:
    """The page of the open menu."""
    items = items_in(menu, settings)
    label, value = words.menu(menu, settings.seats)
    page = choice(label, value, words.menu_help(menu.stage), size, chosen=menu.stage is not Stage.ITEMS)
    if size[1] < LOW:
        return page
    return Page((*page.items, Dots(items.index(menu.item), len(items), (0, 0, size[0], size[1] - 14))))


def spectators_pages(address: str, size: Size, words: Words) -> tuple[Page, ...]:
    """Where the board may be watched: as a code for phones, or, where that has no room, a sentence."""
    title, hint, otherwise = words.spectators()
    if fits(address, size[1]):
        return (_beside_code(address, title, hint, size),)
    return lay_out(Scene(title, otherwise), size)


def choice(label: str, value: str, help_text: str, size: Size, *, chosen: bool) -> Page:
    """A line with its value in big type, inverted while it is being chosen, and what the button does."""
    width, height = size
    if height < LOW:
        return _on_low(label, value, size, chosen)
    low = height - 13
    foot = alone(help_text, (0, low, width, height), (PLAIN, TINY))
    if foot.broken:
        low = height - 25
        foot = alone(help_text, (0, low, width, height), (PLAIN, TINY))
    place = (0, BAR, width - 4, low - 1) if value else (0, 0, width - 4, low - 1)
    if not value:
        return Page((alone(label, place, (HUGE, LARGE, BOLD, NARROW)), foot))
    head = alone(label, (0, 0, width - 4, BAR), HEADLINES, centred=False)
    room = (place[0] + 2, place[1] + 1, place[2] - 2, place[3] - 1)
    body = alone(value, room, (HUGE, LARGE, BOLD, NARROW, PLAIN))
    if body.broken:
        body = alone_name(value, room, (PLAIN, TINY))
    return Page((head, body, *([Filled(place)] if chosen else []), foot))


def _on_low(label: str, value: str, size: Size, chosen: bool) -> Page:
    width, height = size
    if not value:
        return Page((alone(label, (0, 0, width, height), (HUGE, LARGE, BOLD, NARROW)),))
    place = (0, BAR, width, height)
    head: Written = alone(label, (0, 0, width, BAR), HEADLINES, centred=False)
    body = alone(value, (2, BAR, width - 2, height), (LARGE, BOLD, NARROW, PLAIN, TINY))
    if body.broken:
        # There is no room for what it is a value of: that stood here before.
        place = (0, 0, width, height)
        body = alone_name(value, (2, 1, width - 2, height - 1), (NARROW, PLAIN, TINY))
        return Page((body, *([Filled(place)] if chosen else [])))
    return Page((head, body, *([Filled(place)] if chosen else [])))


# --- The picture of a view: what a scene's layout says, in dots -------------------------------------------------------

PHOTO_MS: Final = 12_000
"""How long the code of a game is shown at a time: a phone has to be taken out for it."""
PHOTO_HEAD: Final = 32
"""The lines of the display that its headline may take."""

CORNER: Final = 11
"""How far the corner is folded in that says that hands are being seen."""


def draw(  # noqa: PLR0913 - all that a picture depends on
    view: View, size: Size, words: Words, now_ms: int, address: str = "", at_table: PlayersAtTable | None = None
) -> Image.Image:
    """What a display of this size shows of a view at this moment: a picture of mode "1".

    The address is what phones are to open, empty for nothing: the page while nobody plays, a game once it is over.
    Who plays `at_table` of a tournament is shown while nobody plays, and of a game between two people before the first
    piece is given and once it is over.
    """
    image = render(page_of(view, size, words, now_ms, address, at_table), size, now_ms)
    if shows_touch(view):
        boards.fold_corner(image, CORNER)
    return image


def pages_of(
    view: View, size: Size, words: Words, address: str = "", at_table: PlayersAtTable | None = None
) -> tuple[Page, ...]:
    """All pages that a view is shown on, in their order."""
    between = () if at_table is None else pages_at_table(at_table, words, size)
    if view.menu is not None and not isinstance(view.prompt, ShuttingDown):
        if view.menu.item is Item.SPECTATORS:
            return spectators_pages(view.menu.watched_at, size, words)
        return (menu_page(view.menu, size, words, view.settings),)
    if view.phase is RefereePhase.ATTRACT and view.notice is None:
        return attract.attract_pages(words, size, view, address, between)
    pages = lay_out(scene_of(view, words), size)
    if view.title is not view.prompt and not isinstance(view.title, HurryUp | TimeIsUp):
        # What is told in passing may stay for long, and whoever looks then has to read what is to be done as well.
        pages = (*pages, *lay_out(scene_of(replace(view, notice=None), words), size))
    if isinstance(view.notice, Hindsight):
        pages = (*pages, *lay_out(hindsight_scene(view.notice, view, words), size))
    is_between_games = view.result is not None or isinstance(view.prompt, ChooseFirst)
    if view.notice is None and is_between_games and view.settings.people == tuple(Player):
        pages = (*pages, *between)
    if view.result is None or not fits(address, size[1]):
        return pages
    return (*pages, photo_page(address, words, size))


def photo_page(address: str, words: Words, size: Size) -> Page:
    """Where the game that is over is to be seen again: as a code for phones, and what it is for."""
    return _beside_code(address, *words.photo_finish(), size)


def _beside_code(address: str, title: str, hint: str, size: Size) -> Page:
    width, height = size
    room = width - height - 2
    return Page(
        (
            alone(title, (0, 2, room, PHOTO_HEAD), HEADLINES),
            alone(hint, (0, PHOTO_HEAD, room, height), (PLAIN, TINY)),
            DrawnPicture(icons.Code(address), (width - height, 0, width, height)),
        ),
        PHOTO_MS,
    )


def page_of(  # noqa: PLR0913 - all that a picture depends on
    view: View, size: Size, words: Words, now_ms: int, address: str = "", at_table: PlayersAtTable | None = None
) -> Page:
    """The page that is shown at this moment."""
    return page_at(pages_of(view, size, words, address, at_table), now_ms)


def render(page: Page, size: Size, now_ms: int) -> Image.Image:
    """A page in dots."""
    image = Image.new("1", size)
    for item in page.items:
        match item:
            case Written():
                _write(image, item)
            case DrawnPicture(picture=picture, box=box):
                image.paste(picture_of(picture, box, now_ms), box[:2])
            case Filled(box=box, blinks=blinks):
                if not blinks or boards.is_on(now_ms):
                    image.paste(ImageChops.invert(image.crop(box)), box[:2])
            case Dots():
                _dots(image, item)
            case _:
                assert_never(item)
    return image


def _write(image: Image.Image, item: Written) -> None:
    left, top, right, bottom = item.box
    face, text = item.face, "".join(item.lines)
    # Room that is left goes between the lines first.
    leading = min(2, max(0, bottom - top - text_height(item)) // len(item.lines))
    spare_height = bottom - top - text_height(item) - leading * (len(item.lines) - 1)
    line_top = top + max(0, spare_height // 2)
    for line in item.lines:
        spare = (right - left - face.width(line)) // 2 if item.centred else 0
        # Some capitals with an accent rise above their typeface's own ascent.
        face.write(image, (left + spare, max(line_top, face.overshoot(line))), line)
        line_top += pitch_of(face, text) + leading


def picture_of(picture: Picture, box: Box, now_ms: int) -> Image.Image:
    """A picture of the size of its box."""
    left, top, right, bottom = box
    width, height = right - left, bottom - top
    canvas = Image.new("1", (width, height))
    match picture:
        case PiecePicture(piece=piece, crossed=crossed):
            canvas.paste(large(piece, (width, height - 1)), (0, 0))
            if crossed:
                _cross(canvas)
        case boards.MarkedBoard():
            canvas.paste(boards.board_picture(picture, width, now_ms), (0, (height - width) // 2))
        case Way():
            _way(canvas, picture, now_ms)
        case icons.Code():
            canvas.paste(icons.picture_of_code(picture, width), (0, (height - width) // 2))
        case icons.Sign():
            canvas.paste(icons.sign_picture(picture, now_ms), (0, (height - icons.SIDE) // 2))
        case _:
            assert_never(picture)
    return canvas


def _cross(canvas: Image.Image) -> None:
    pen = ImageDraw.Draw(canvas)
    right, bottom = canvas.width - 2, canvas.height - 3
    for ink, width in ((0, 5), (1, 2)):
        pen.line((1, 1, right, bottom), fill=ink, width=width)
        pen.line((1, bottom, right, 1), fill=ink, width=width)


def _way(canvas: Image.Image, way: Way, now_ms: int) -> None:
    """An arrow to the right that moves a little; the cell that it leaves stands above it, the one it leads to below."""
    middle, shift = canvas.height // 2, 2 if boards.is_on(now_ms) else 0
    pen = ImageDraw.Draw(canvas)
    pen.rectangle((shift, middle - 1, 12 + shift, middle + 1), fill=1)
    pen.polygon([(12 + shift, middle - 5), (20 + shift, middle), (12 + shift, middle + 5)], fill=1)
    half = canvas.height // 2 - 6
    for cell, top in ((way.origin, 0), (way.goal, canvas.height - half)):
        # A longer name is that of the give place: the arrow and the sentence have to do.
        if cell is None or len(cell) > 2:
            continue
        face = next(face for face in HEADLINES if face is HEADLINES[-1] or sum(face.metrics(cell)) <= half)
        face.write(canvas, ((canvas.width - face.width(cell)) // 2, top + (half - sum(face.metrics(cell))) // 2), cell)


def _dots(image: Image.Image, item: Dots) -> None:
    _, top, right, bottom = item.box
    start = (top + bottom) // 2 - 2 * item.count
    pen = ImageDraw.Draw(image)
    for page in range(item.count):
        upper = start + 4 * page
        pen.rectangle((right - 2, upper, right - 1, upper + (2 if page == item.page else 0)), fill=1)

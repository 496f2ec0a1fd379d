"""What is shown in turn while nobody plays: invitations, and how to play, one page at a time."""

from __future__ import annotations

from itertools import zip_longest
from typing import Final

from quarto_pi.referee.tally import Tally
from quarto_pi.referee.view import Mark
from quarto_pi.rules import PIECES, SQUARES, Board, Player
from quarto_pi.screens.boards import Table
from quarto_pi.screens.code import Code, fits
from quarto_pi.screens.icons import Sign
from quarto_pi.screens.layout import Drawn, Item, Page, Size, alone, lay_out, text_pages
from quarto_pi.screens.scene import Picture, Scene, Standing
from quarto_pi.screens.typefaces import BOLD, LARGE, NARROW, PLAIN, ROOMY, TINY, TITLE
from quarto_pi.words import Statistic, Words
from quarto_pi.words.people import Seats

NAME: Final = "QUARTO"
"""The name of the game is the same in every language."""

_ROW: Final = SQUARES[4:8]
_FOUR: Final = Board.of(dict(zip(_ROW, (PIECES[8], PIECES[11], PIECES[13], PIECES[14]), strict=True)))
"""Four in a row that are alike in one thing: all dark."""

LESSONS: Final[tuple[Picture, ...]] = (
    Standing(PIECES[0]),
    Table(_FOUR, {square.name: Mark.WON for square in _ROW}),
    Sign.GIVE,
    Sign.PLACE,
    Sign.BUTTON,
    Table(_FOUR, {square.name: Mark.MISSED for square in _ROW}),
    Sign.EVEN,
)
"""What stands beside the pages of how to play."""

LINE_HEIGHT: Final = 12
NUMBER_WIDTH: Final = 28
SHORT: Final = 11
"""A line of the statistics, the place for its number, and the letters of an address that go into one line."""

PARADE: Final = (PIECES[0], PIECES[15], PIECES[3], PIECES[8], PIECES[6], PIECES[13], PIECES[1], PIECES[10])
"""The pieces under the invitations: every value of every trait is among them."""


def pages_of(words: Words, size: Size, tally: Tally, seats: Seats, address: str = "") -> tuple[Page, ...]:
    """All pages, in the order in which they are shown; the statistics once there are any."""
    pages: list[Page] = [Page(_title(size))]
    if fits(address, size[1]):
        pages.append(_look_on(address, size))
    if tally.games:
        pages += _statistics(words, size, tally, seats)
    for turn, text in enumerate(words.invitations()):
        pages += map(Page, _invitation(text, size, turn))
    for lesson, picture in zip_longest(words.how_to_play(), LESSONS):
        if lesson is not None:
            pages += lay_out(Scene(lesson.title, lesson.text, beside=picture), size)
    return tuple(pages)


def _look_on(address: str, size: Size) -> Page:
    """Where the page is: as a code for phones, and to be typed."""
    width, height = size
    place = address.removeprefix("http://").rstrip("/")
    middle = len(place) // 2
    # An address has no blanks: it is broken behind the stop or the colon that is nearest to its middle.
    breaks = [index + 1 for index, letter in enumerate(place) if letter in ".:-"] or [middle]
    cut = min(breaks, key=lambda index: abs(index - middle))
    room = width - height - 2
    lines = (place[:cut], place[cut:]) if len(place) > SHORT else (place,)
    top = (height - LINE_HEIGHT * len(lines)) // 2
    written = tuple(
        alone(line, (0, top + LINE_HEIGHT * index, room, top + LINE_HEIGHT * (index + 1)), (PLAIN, TINY))
        for index, line in enumerate(lines)
    )
    return Page((*written, Drawn(Code(address), (width - height, 0, width, height))))


def _statistics(words: Words, size: Size, tally: Tally, seats: Seats) -> list[Page]:
    """The evening so far, a number in each line."""
    width, height = size
    lines = [
        (words.statistic(Statistic.GAMES), tally.games),
        *((words.player(player, seats), tally.wins[player.value]) for player in Player),
        (words.statistic(Statistic.DRAWS), tally.draws),
        (words.statistic(Statistic.MISSED), tally.missed),
    ]
    fitting = height // LINE_HEIGHT
    pages = []
    for start in range(0, len(lines), fitting):
        items: list[Item] = []
        for index, (label, number) in enumerate(lines[start : start + fitting]):
            top, bottom = index * LINE_HEIGHT, (index + 1) * LINE_HEIGHT
            items.append(alone(label, (0, top, width - NUMBER_WIDTH, bottom), (PLAIN,), centred=False))
            items.append(alone(f"{number}", (width - NUMBER_WIDTH, top, width, bottom), (PLAIN,)))
        pages.append(Page(tuple(items)))
    return pages


def _title(size: Size) -> tuple[Item, ...]:
    width, height = size
    if height < 48:
        return (alone(NAME, (0, 0, width, height), (TITLE,)),)
    return (alone(NAME, (0, 0, width, 30), (TITLE,)), *_parade(size, 30, 0))


def _invitation(text: str, size: Size, turn: int) -> list[tuple[Item, ...]]:
    width, height = size
    faces = (LARGE, BOLD, NARROW, ROOMY, PLAIN)
    if height < 48:
        return text_pages(text, (0, 0, width, height), faces, centred=True)
    return [(alone(text, (0, 0, width, 36), faces), *_parade(size, 38, turn))]


def _parade(size: Size, top: int, turn: int) -> tuple[Item, ...]:
    """Pieces along the lower edge, others and elsewhere on every page."""
    width, bottom = size
    step = (bottom - top) * 5 // 8 + 8
    count = width // step
    start = (width - count * step) // 2 + 4 + 2 * turn % 5
    return tuple(
        Drawn(Standing(PARADE[(turn + index) % len(PARADE)]), (left, top, left + step - 8, bottom))
        for index in range(count)
        for left in (start + index * step,)
    )

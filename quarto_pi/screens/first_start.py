"""What the display shows at a first start: the set-up by phone, whose codes join and open a page, and the guide."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

from PIL import Image

from quarto_pi.enrolment import GuideView
from quarto_pi.enrolment.state import (
    AllKnown,
    CheckReaders,
    ChooseLanguage,
    Enrolled,
    GuideMessage,
    GuideNotice,
    KnownAlready,
    PutPiece,
    Ready,
    ReplacePiece,
    StoringFails,
)
from quarto_pi.first_start.set_up import SetUpStage, SetUpView, code_to_join
from quarto_pi.languages import LANGUAGES
from quarto_pi.referee.view import Mark
from quarto_pi.rules import PIECES, Board, Piece, parse_square
from quarto_pi.screens.boards import MarkedBoard, Size
from quarto_pi.screens.drawing import LOW, choice, render
from quarto_pi.screens.icons import Code, Sign, fits
from quarto_pi.screens.layout import DrawnPicture, Page, alone, lay_out, page_at
from quarto_pi.screens.scene import Bar, Picture, PiecePicture, Scene
from quarto_pi.screens.text import BOLD, PLAIN, TINY
from quarto_pi.sensing.readings import OFFER
from quarto_pi.words import Words

# --- The set-up by phone: a code that joins the board's Wi-Fi, and one that opens its page ----------------------------

CODE_MS: Final = 8_000
"""How long a code is shown: a phone has to be taken out for it."""
WIDEST_WORD: Final = 70
_LINE: Final = 14


def draw_set_up(view: SetUpView, size: Size, now_ms: int) -> Image.Image:
    """What a display of this size shows of the set-up at this moment: a picture of mode "1"."""
    return render(page_at(set_up_pages(view, size), now_ms), size, now_ms)


@lru_cache(maxsize=2)
def set_up_pages(view: SetUpView, size: Size) -> tuple[Page, ...]:
    """All pages in their order; in every language, until somebody has chosen one.

    They are laid out once for what there is to say: nine catalogues for every picture are too many for a small Pi.
    """
    view = replace(view, network=" ".join(map(_shortened, view.network.split())))
    languages = LANGUAGES if view.language is None else (view.language,)
    return tuple(page for language in languages for page in _pages(view, size, Words(language)))


def _pages(view: SetUpView, size: Size, words: Words) -> list[Page]:
    pages: list[Page] = []
    if view.stage is SetUpStage.OPEN and view.trouble is not None:
        headline, text = words.join_trouble(view.trouble, view.network)
        pages += lay_out(Scene(headline, text, beside=Sign.UNKNOWN, bar=Bar.INVERTED), size)
    headline, text = words.set_up(view)
    is_open = view.stage is SetUpStage.OPEN
    join, page = code_to_join(view.own), view.address
    if is_open and not (fits(join, size[1]) and fits(page, size[1])):
        return [*pages, *lay_out(Scene(headline, words.set_up_without_code(view), beside=None), size)]
    pages += lay_out(Scene(headline, text, beside=Sign.EYE if is_open else Sign.CLOCK), size)
    if is_open:
        pages.append(_code("1 Wi-Fi", (view.own.name, view.own.password), join, size))
        pages.append(_code("2 http://", _broken(page.removeprefix("http://").rstrip("/")), page, size))
    return pages


def _shortened(word: str) -> str:
    """A word of a Wi-Fi's name, without its end where no line has room for it."""
    cut = word
    while PLAIN.width(cut) > WIDEST_WORD:
        cut = f"{cut.rstrip('…')[:-1]}…"
    return cut


def _code(title: str, lines: Sequence[str], code: str, size: Size) -> Page:
    """A code, and beside it what can be typed instead."""
    width, height = size
    room = width - height - 2
    top = (height - _LINE * (len(lines) + 1)) // 2
    written = [alone(title, (0, top, room, top + _LINE), (BOLD, PLAIN, TINY))]
    for index, line in enumerate(lines, start=1):
        written.append(alone(line, (0, top + _LINE * index, room, top + _LINE * (index + 1)), (PLAIN, TINY)))
    return Page((*written, DrawnPicture(Code(code), (width - height, 0, width, height))), CODE_MS)


def _broken(place: str) -> tuple[str, ...]:
    """An address in two lines, behind one of its stops."""
    stops = [index + 1 for index, letter in enumerate(place) if letter in ".:"]
    cut = min(stops, key=lambda at: abs(at - len(place) // 2))
    return place[:cut], place[cut:]


# --- The guide: the piece that is asked for, where it lies, what is wrong ---------------------------------------------


def draw_guide(view: GuideView, size: Size, words: Words, now_ms: int) -> Image.Image:
    """What a display of this size shows of the guide at this moment: a picture of mode "1"."""
    return render(page_at(guide_pages(view, size, words), now_ms), size, now_ms)


def guide_pages(view: GuideView, size: Size, words: Words) -> tuple[Page, ...]:
    """All pages of the guide's view, in their order; the last one says what the button does."""
    prompt, help_text = view.prompt, words.guide_help(view.prompt)
    if isinstance(prompt, ChooseLanguage):
        return (choice(words.guide_headline(prompt), words.guide(prompt), help_text, size, chosen=True),)
    pages = lay_out(_scene_of(view, words), size)
    # Hands that have something to put right need no button.
    if not help_text or _covers(view.notice):
        return pages
    more = lay_out(Scene(words.guide_headline(prompt), help_text, beside=Sign.BUTTON), size)
    return (*pages, *(more if size[1] >= LOW else more[1:]))


def board_of(view: GuideView) -> Board:
    """The pieces that lie on squares and have a tag, each once."""
    pieces: dict[Piece, str] = {piece: cell for cell, piece in view.lying if cell != OFFER}
    return Board.of({parse_square(cell): piece for piece, cell in pieces.items()})


def _scene_of(view: GuideView, words: Words) -> Scene:
    prompt, notice = view.prompt, view.notice
    if notice is None:
        return _said(prompt, view, words, Bar.PLAIN)
    if _covers(notice):
        return _said(notice, view, words, Bar.INVERTED)
    # What has been done is told in the headline, and below it stands already what comes next.
    return replace(_said(prompt, view, words, Bar.INVERTED), headline=words.guide_headline(notice))


def _covers(notice: GuideNotice | None) -> bool:
    return notice is not None and not isinstance(notice, Enrolled | StoringFails)


def _said(message: GuideMessage, view: GuideView, words: Words, bar: Bar) -> Scene:
    short = words.piece(message.piece) if isinstance(message, PutPiece) else ""
    show: tuple[Picture, ...] = ()
    if isinstance(message, ReplacePiece):
        show = (PiecePicture(message.piece), Sign.BUTTON, _table(view))
    return Scene(
        words.guide_headline(message),
        words.guide(message),
        beside=_beside(message, view),
        show=show,
        bar=bar,
        short=short,
        corner=_corner(message),
    )


def _beside(message: GuideMessage, view: GuideView) -> Picture:
    match message:
        case PutPiece(piece=piece) | ReplacePiece(piece=piece) | KnownAlready(piece=piece):
            return PiecePicture(piece)
        case CheckReaders(failing=()):
            return Sign.EYE
        case Ready():
            return Sign.PLACE
        case CheckReaders() | AllKnown():
            return _table(view)
        case _:
            return _table(view) if view.marks else Sign.UNKNOWN


def _table(view: GuideView) -> MarkedBoard:
    squares: dict[str, Mark] = {cell: mark for cell, mark in view.marks if cell != OFFER}
    return MarkedBoard(board_of(view), squares)


def _corner(message: GuideMessage) -> str:
    match message:
        case PutPiece(number=number, count=count) if count > 1:
            return f"{number}/{count}"
        case AllKnown(seen=seen) if seen:
            return f"{seen}/{len(PIECES)}"
        case _:
            return ""

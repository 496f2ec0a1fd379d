"""What the display shows of the guide to a first start: the piece that is asked for, where it lies, what is wrong."""

from __future__ import annotations

from dataclasses import replace

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
from quarto_pi.referee.view import Mark
from quarto_pi.rules import PIECES, Board, Piece, parse_square
from quarto_pi.screens.boards import MarkedBoard, Size
from quarto_pi.screens.drawing import LOW, choice, render
from quarto_pi.screens.icons import Sign
from quarto_pi.screens.layout import Page, lay_out, page_at
from quarto_pi.screens.scene import Bar, Picture, PiecePicture, Scene
from quarto_pi.sensing.readings import OFFER
from quarto_pi.words import Words


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

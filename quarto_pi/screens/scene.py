"""What belongs on the screen for a view: a headline, a sentence, and pictures; not yet where.

A scene has a picture `beside` its sentence, and may have a row of pictures to `show` alone before that: which piece,
from where, to where. A scene without a sentence is all said by its row.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

from quarto_pi.referee.messages import (
    Abandoned,
    BoardCleared,
    ButtonStuck,
    CallWaits,
    CarryOut,
    ChooseFirst,
    ClearTheBoard,
    Drawing,
    Drawn,
    FalseCall,
    Forfeited,
    Foul,
    GiveNext,
    HurryUp,
    KeptAgain,
    LanguageChosen,
    LastCall,
    LeftOver,
    LookClosely,
    Message,
    MissedAlignment,
    MoveBack,
    NobodyCalled,
    NobodyCalls,
    NotGivenYet,
    Paused,
    PlacedUnheard,
    PlaceNext,
    PlaceThis,
    PutBack,
    PutItDown,
    ReaderBack,
    ReaderLost,
    ShuttingDown,
    StandsThere,
    StillPlaying,
    StillThere,
    TagDead,
    TakeItBack,
    TakenBack,
    TakeOff,
    Thinking,
    TimeIsUp,
    TooMany,
    TwoPieces,
    UnclearPlace,
    UnknownTag,
    Welcome,
    WhoCalled,
    Won,
    WrongPiece,
)
from quarto_pi.referee.phases import Overlay
from quarto_pi.referee.view import Mark, View
from quarto_pi.rules import Alignment, Piece, Square
from quarto_pi.screens.boards import Table
from quarto_pi.screens.code import Code
from quarto_pi.screens.icons import Sign
from quarto_pi.words import Words
from quarto_pi.words.terms import OFFER


@dataclass(frozen=True, slots=True)
class Standing:
    """A piece as a large picture; a wrong one is crossed out."""

    piece: Piece
    crossed: bool = False


@dataclass(frozen=True, slots=True)
class Way:
    """An arrow from picture to picture, and the cells' names where they are known."""

    origin: str | None = None
    goal: str | None = None


Picture = Standing | Way | Table | Sign | Code


class Bar(Enum):
    """How the headline is set: plainly, or inverted for what is told in passing."""

    PLAIN = "plain"
    INVERTED = "inverted"


@dataclass(frozen=True, slots=True)
class Scene:
    """Headline, sentence and pictures; in the corner the clock, which blinks while it hurries somebody.

    `short` says the same in fewer words, for a sentence that would need several pages.
    """

    headline: str
    text: str
    beside: Picture | None = None
    show: tuple[Picture, ...] = ()
    bar: Bar = Bar.PLAIN
    short: str = ""
    corner: str = ""
    hurried: bool = False


HURRIED = 10
"""With so many seconds left the clock blinks; the lamps flicker at the same time."""


def scene_of(view: View, words: Words) -> Scene:
    """The scene of a view whose menu is closed."""
    seats, prompt, title = view.settings.seats, view.prompt, view.title
    # Who has to hurry needs to see the piece, not a picture of a clock.
    message = prompt if isinstance(title, HurryUp | TimeIsUp) else title
    scene = _pictured(message, view)
    return replace(
        scene,
        headline=words.headline(title, seats),
        text="" if scene.show and scene.beside is None else words.say(message, seats),
        short=_short(message, words),
        bar=Bar.PLAIN if title is prompt else Bar.INVERTED,
        corner=_corner(view, words),
        hurried=view.clock is not None and view.clock.seconds <= HURRIED,
    )


def _short(message: Message, words: Words) -> str:
    match message:
        case PlaceThis(piece=piece, question=None) | PutItDown(piece=piece):
            return words.piece(piece)
        case MissedAlignment(alignments=(alignment,)):
            return words.alignment(alignment)
        case _:
            return ""


def _corner(view: View, words: Words) -> str:
    """The clock; where none runs, a sign that a reader is lost."""
    if view.clock is not None and view.result is None:
        return words.clock(view.clock)
    return "?" if Overlay.READER_FAULT in view.overlays else ""


def _pictured(message: Message, view: View) -> Scene:
    """A scene with its pictures, still without words."""
    match message:
        case PlaceThis(question=None | PlacedUnheard()) | PutItDown() | TakenBack() | TagDead():
            return _beside(Standing(message.piece))
        case CallWaits() if view.hand is not None:
            return _beside(Standing(view.hand))
        case Thinking(piece=piece):
            return _beside(Sign.THINK if piece is None else Table(view.board, searched=True))
        case CarryOut(piece=piece, square=square, origin=origin):
            table = _table(view, {square.name: Mark.TARGET}, {square.name: piece})
            return _both(Standing(piece), Way(origin, square.name), table, beside=Standing(piece))
        case Won(alignments=alignments):
            return _beside(_table(view, _aligned(alignments, Mark.WON)))
        case MissedAlignment(alignments=alignments) | Drawn(missed=alignments):
            return _beside(_table(view, _aligned(alignments, Mark.MISSED)))
        case LastCall():
            return _beside(_table(view))
        case ReaderLost(cells=cells):
            return _beside(_table(view, dict.fromkeys(cells, Mark.UNSEEN)))
        case ClearTheBoard(cells=cells) if cells:
            return _beside(_table(view, dict.fromkeys(cells, Mark.TAKE)))
        case _:
            return _corrected(message, view) or _asked(message, view) or _beside(_sign_of(message))


def _corrected(message: Message, view: View) -> Scene | None:
    match message:
        case WrongPiece(piece=piece, cell=cell, right=right):
            table = _table(view, {cell: Mark.TAKE}, {cell: piece})
            return _both(Standing(piece, crossed=True), Way(), Standing(right), beside=table)
        case NotGivenYet(piece=piece, cell=cell) | TakeOff(piece=piece, cell=cell) | LeftOver(piece=piece, cell=cell):
            table = _table(view, {cell: Mark.TAKE}, {cell: piece})
            place = Sign.GIVE if cell == OFFER else table
            return _both(place, Way(cell), Standing(piece), beside=Standing(piece))
        case PutBack(piece=piece, square=square):
            table = _table(view, {square.name: Mark.PUT}, {square.name: piece})
            return _both(Standing(piece), Way(goal=square.name), table, beside=Standing(piece))
        case MoveBack(piece=piece, cell=cell, square=square):
            table = _table(view, {cell: Mark.TAKE, square.name: Mark.PUT}, {cell: piece, square.name: piece})
            return _both(Standing(piece), Way(cell, square.name), table, beside=Standing(piece))
        case UnknownTag(cell=cell) | TwoPieces(cell=cell):
            return _beside(_table(view, {cell: Mark.TAKE}))
        case UnclearPlace(piece=piece):
            return _beside(Standing(piece))
        case TooMany(pieces=pieces):
            return _both(*(Standing(piece) for piece in pieces[:3]), beside=Sign.CLEAR)
        case _:
            return None


def _asked(message: Message, view: View) -> Scene | None:
    match message:
        case PlaceThis(piece=piece, question=StandsThere(square=square)):
            return replace(_asked_whether(piece, square, view), beside=Standing(piece))
        case StandsThere(piece=piece, square=square):
            return _asked_whether(piece, square, view)
        case StillThere(piece=piece, square=square):
            return replace(_asked_whether(piece, square, view), beside=Sign.BUTTON)
        case BoardCleared(piece=piece, square=square) | TakeItBack(piece=piece, square=square):
            table = _table(view, {square.name: Mark.PUT}, {square.name: piece})
            return _both(Standing(piece), Way(goal=square.name), table, beside=Sign.BUTTON)
        case _:
            return None


def _asked_whether(piece: Piece, square: Square, view: View) -> Scene:
    """Does it stand there? It is asked for a few seconds only: one look has to be enough."""
    return _both(Standing(piece), Sign.BUTTON, _table(view, {square.name: Mark.ASKED}), beside=None)


_SIGNS: Final[Mapping[type[Message], Sign]] = {
    ChooseFirst: Sign.GIVE,
    GiveNext: Sign.GIVE,
    PlaceNext: Sign.PLACE,
    CallWaits: Sign.PLACE,
    WhoCalled: Sign.BUTTON,
    Welcome: Sign.GIVE,
    LanguageChosen: Sign.BUTTON,
    StillPlaying: Sign.PLACE,
    FalseCall: Sign.NO_BUTTON,
    NobodyCalled: Sign.NO_BUTTON,
    NobodyCalls: Sign.NO_BUTTON,
    ButtonStuck: Sign.NO_BUTTON,
    LookClosely: Sign.EYE,
    ReaderBack: Sign.EYE,
    KeptAgain: Sign.EYE,
    HurryUp: Sign.CLOCK,
    TimeIsUp: Sign.CLOCK,
    Paused: Sign.PAUSE,
    ShuttingDown: Sign.POWER,
    Drawing: Sign.LOTS,
    ClearTheBoard: Sign.CLEAR,
    Abandoned: Sign.CLEAR,
}


def _sign_of(message: Message) -> Sign:
    if isinstance(message, Forfeited):
        return Sign.CLOCK if message.foul is Foul.TIME else Sign.NO_BUTTON
    return _SIGNS.get(type(message), Sign.UNKNOWN)


def _beside(picture: Picture) -> Scene:
    return Scene("", "", beside=picture)


def _both(*show: Picture, beside: Picture | None) -> Scene:
    return Scene("", "", beside=beside, show=show)


def _table(view: View, marks: Mapping[str, Mark] | None = None, guests: Mapping[str, Piece] | None = None) -> Table:
    return Table(view.board, {**dict(view.marks), **(marks or {})}, guests or {})


def _aligned(alignments: Iterable[Alignment], mark: Mark) -> dict[str, Mark]:
    return {square.name: mark for aligned in alignments for square in aligned.squares}

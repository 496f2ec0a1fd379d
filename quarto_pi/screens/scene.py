"""What belongs on the screen for a view: a headline, a sentence, and pictures; not yet where.

A scene has a picture `beside` its sentence, and may have a row of pictures to `show` alone before that: which piece,
from where, to where. A scene without a sentence is all said by its row.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final, assert_never

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
    Hindsight,
    HowToPlay,
    HurryUp,
    Impaired,
    InvitedByBoard,
    KeptAgain,
    LanguageChosen,
    LastCall,
    Learn,
    LeftOver,
    LessonOver,
    LessonStage,
    LookClosely,
    Message,
    MissedAlignment,
    MoveBack,
    NobodyCalled,
    NobodyCalls,
    NoMatchWith,
    NotGivenYet,
    NotHeardYet,
    NotKept,
    NotYet,
    OtherBoardAway,
    OtherBoardBack,
    OtherBoardLeft,
    OthersLastCall,
    OtherUnreachable,
    Paused,
    PlaceNext,
    PlaceThis,
    PlayAgain,
    PutBack,
    PutItDown,
    ReaderBack,
    ReaderLost,
    ShuttingDown,
    Slip,
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
    WaitingForBoard,
    Welcome,
    WhoCalled,
    Won,
    WrongPiece,
)
from quarto_pi.referee.phases import Overlay
from quarto_pi.referee.view import Mark, View
from quarto_pi.rules import PIECES, SQUARES, Alignment, Board, Piece, Square
from quarto_pi.screens.boards import MarkedBoard
from quarto_pi.screens.icons import Code, Sign
from quarto_pi.sensing.readings import OFFER
from quarto_pi.words import Words


@dataclass(frozen=True, slots=True)
class PiecePicture:
    """A piece as a large picture; a wrong one is crossed out."""

    piece: Piece
    crossed: bool = False


@dataclass(frozen=True, slots=True)
class Way:
    """An arrow from picture to picture, and the cells' names where they are known."""

    origin: str | None = None
    goal: str | None = None


Picture = PiecePicture | Way | MarkedBoard | Sign | Code


_ROW: Final = SQUARES[4:8]
_FOUR: Final = Board.of(dict(zip(_ROW, (PIECES[8], PIECES[11], PIECES[13], PIECES[14]), strict=True)))
"""Four in a row that are alike in one thing: all dark."""

LESSONS: Final[tuple[Picture, ...]] = (
    PiecePicture(PIECES[0]),
    MarkedBoard(_FOUR, {square.name: Mark.WON for square in _ROW}),
    Sign.GIVE,
    Sign.PLACE,
    Sign.BUTTON,
    MarkedBoard(_FOUR, {square.name: Mark.MISSED for square in _ROW}),
    Sign.EVEN,
)
"""What stands beside the pages of how to play."""


class Bar(Enum):
    """How the headline is set: plainly, inverted for what is told in passing, blinking for what is celebrated."""

    PLAIN = "plain"
    INVERTED = "inverted"
    BLINKING = "blinking"


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
        bar=_bar(view, title),
        corner=_corner(view, words),
        hurried=view.clock is not None and view.clock.seconds <= HURRIED,
    )


def hindsight_scene(hindsight: Hindsight, view: View, words: Words) -> Scene:
    """What there is to be learnt from the game that is over: told beside what has to be done, never instead of it."""
    seats = view.settings.seats
    told = words.headline(hindsight, seats), words.say(hindsight, seats)
    return replace(_pictured(hindsight, view), headline=told[0], text=told[1], bar=Bar.INVERTED)


def _turned_on(hindsight: Hindsight, view: View) -> Picture:
    """The board with what a game has turned on."""
    if hindsight.slip is Slip.NOTHING:
        return Sign.EVEN
    mark = Mark.WON if hindsight.slip is Slip.GIFT else Mark.MISSED
    square = {} if hindsight.square is None else {hindsight.square.name: Mark.TARGET}
    return MarkedBoard(view.board, {**square, **_aligned(hindsight.alignments, mark)})


def _bar(view: View, title: Message) -> Bar:
    if title is not view.prompt:
        return Bar.INVERTED
    return Bar.BLINKING if view.celebrates else Bar.PLAIN


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


def _pictured(message: Message, view: View) -> Scene:  # noqa: C901, PLR0912 - one case for each message
    """A scene with its pictures, still without words."""
    match message:
        case PlaceThis():
            return _given(message, view)
        case PutItDown() | TakenBack() | TagDead():
            return _beside(PiecePicture(message.piece))
        case CallWaits():
            return _beside(Sign.PLACE if view.hand is None else PiecePicture(view.hand))
        case Thinking(piece=piece):
            return _beside(Sign.THINK if piece is None else MarkedBoard(view.board, searched=True))
        case CarryOut(piece=piece, square=square, origin=origin):
            table = _table(view, {square.name: Mark.TARGET}, {square.name: piece})
            return _both(PiecePicture(piece), Way(origin, square.name), table, beside=PiecePicture(piece))
        case Won(alignments=alignments) | PlayAgain(alignments=alignments):
            return _beside(_table(view, _aligned(alignments, Mark.WON)))
        case MissedAlignment(alignments=alignments) | Drawn(missed=alignments):
            return _beside(_table(view, _aligned(alignments, Mark.MISSED)))
        case Hindsight():
            return _beside(_turned_on(message, view))
        case LastCall() | OthersLastCall():
            return _beside(_table(view))
        case ReaderLost(cells=cells):
            return _beside(_table(view, dict.fromkeys(cells, Mark.UNSEEN)))
        case ClearTheBoard(cells=cells):
            return _beside(_table(view, dict.fromkeys(cells, Mark.TAKE)) if cells else Sign.CLEAR)
        case BoardCleared() | TakeItBack() | StandsThere() | StillThere():
            return _asked(message, view)
        case Learn():
            return _of_lesson(message, view)
        case HowToPlay(page=page):
            return _beside(LESSONS[page])
        case _:
            return _corrected(message, view) if isinstance(message, Corrected) else _beside(_sign_of(message))


def _of_lesson(message: Learn, view: View) -> Scene:
    """The piece that is to be placed next; the board where something is to be seen on it."""
    if message.piece is not None:
        return _beside(PiecePicture(message.piece))
    match message.stage:
        case LessonStage.CLEAR | LessonStage.DONE:
            return _beside(Sign.CLEAR)
        case LessonStage.GIVE | LessonStage.GIVE_ON:
            return _beside(Sign.GIVE)
        case _:
            mark = Mark.MISSED if message.stage is LessonStage.MISSED else Mark.WON
            return _beside(_table(view, _aligned(message.alignments, mark)))


def _given(message: PlaceThis, view: View) -> Scene:
    """The given piece; beside it may be asked whether it stands somewhere already."""
    if isinstance(message.question, StandsThere):
        return replace(_asked_whether(message.piece, message.question.square, view), beside=PiecePicture(message.piece))
    return _beside(PiecePicture(message.piece))


Corrected = (
    WrongPiece | NotGivenYet | TakeOff | LeftOver | PutBack | MoveBack | UnknownTag | TwoPieces | UnclearPlace | TooMany
)
"""What shows a piece and where it has to go."""


def _corrected(message: Corrected, view: View) -> Scene:
    match message:
        case WrongPiece(piece=piece, cell=cell, right=right):
            table = _table(view, {cell: Mark.TAKE}, {cell: piece})
            return _both(PiecePicture(piece, crossed=True), Way(), PiecePicture(right), beside=table)
        case NotGivenYet(piece=piece, cell=cell) | TakeOff(piece=piece, cell=cell) | LeftOver(piece=piece, cell=cell):
            table = _table(view, {cell: Mark.TAKE}, {cell: piece})
            place = Sign.GIVE if cell == OFFER else table
            return _both(place, Way(cell), PiecePicture(piece), beside=PiecePicture(piece))
        case PutBack(piece=piece, square=square):
            table = _table(view, {square.name: Mark.PUT}, {square.name: piece})
            return _both(PiecePicture(piece), Way(goal=square.name), table, beside=PiecePicture(piece))
        case MoveBack(piece=piece, cell=cell, square=square):
            table = _table(view, {cell: Mark.TAKE, square.name: Mark.PUT}, {cell: piece, square.name: piece})
            return _both(PiecePicture(piece), Way(cell, square.name), table, beside=PiecePicture(piece))
        case UnknownTag(cell=cell) | TwoPieces(cell=cell):
            return _beside(_table(view, {cell: Mark.TAKE}))
        case UnclearPlace(piece=piece):
            return _beside(PiecePicture(piece))
        case TooMany(pieces=pieces):
            return _both(*(PiecePicture(piece) for piece in pieces[:3]), beside=Sign.CLEAR)
        case _:
            assert_never(message)


def _asked(message: BoardCleared | TakeItBack | StandsThere | StillThere, view: View) -> Scene:
    match message:
        case StandsThere(piece=piece, square=square):
            return _asked_whether(piece, square, view)
        case StillThere(piece=piece, square=square):
            return replace(_asked_whether(piece, square, view), beside=Sign.BUTTON)
        case BoardCleared(piece=piece, square=square) | TakeItBack(piece=piece, square=square):
            table = _table(view, {square.name: Mark.PUT}, {square.name: piece})
            return _both(PiecePicture(piece), Way(goal=square.name), table, beside=Sign.BUTTON)
        case _:
            assert_never(message)


def _asked_whether(piece: Piece, square: Square, view: View) -> Scene:
    """Does it stand there? It is asked for a few seconds only: one look has to be enough."""
    return _both(PiecePicture(piece), Sign.BUTTON, _table(view, {square.name: Mark.ASKED}), beside=None)


Signed = (
    Welcome
    | ChooseFirst
    | GiveNext
    | PlaceNext
    | WhoCalled
    | Paused
    | ShuttingDown
    | Abandoned
    | Forfeited
    | FalseCall
    | NobodyCalled
    | NobodyCalls
    | LookClosely
    | ReaderBack
    | ButtonStuck
    | HurryUp
    | TimeIsUp
    | Drawing
    | NotKept
    | Impaired
    | KeptAgain
    | StillPlaying
    | LanguageChosen
    | NotYet
    | LessonOver
    | OtherUnreachable
    | InvitedByBoard
    | WaitingForBoard
    | NoMatchWith
    | OtherBoardAway
    | OtherBoardBack
    | OtherBoardLeft
    | NotHeardYet
)
"""What a sign says that shows neither a piece nor the board."""


def _sign_of(message: Signed) -> Sign:  # noqa: C901, PLR0912 - one case for each sign
    match message:
        case Welcome() | ChooseFirst() | GiveNext():
            return Sign.GIVE
        case PlaceNext() | StillPlaying():
            return Sign.PLACE
        case WhoCalled() | LanguageChosen():
            return Sign.BUTTON
        case LessonOver():
            return Sign.PLACE
        case NotYet() | FalseCall() | NobodyCalled() | NobodyCalls() | ButtonStuck():
            return Sign.NO_BUTTON
        case LookClosely() | ReaderBack() | KeptAgain():
            return Sign.EYE
        case HurryUp() | TimeIsUp():
            return Sign.CLOCK
        case Forfeited(foul=foul):
            return Sign.CLOCK if foul is Foul.TIME else Sign.NO_BUTTON
        case Paused():
            return Sign.PAUSE
        case ShuttingDown():
            return Sign.POWER
        case Drawing():
            return Sign.LOTS
        case Abandoned():
            return Sign.CLEAR
        case NotKept() | Impaired():
            return Sign.UNKNOWN
        case InvitedByBoard() | WaitingForBoard() | OtherBoardBack() | NotHeardYet():
            return Sign.BOARDS
        case OtherUnreachable() | OtherBoardAway() | OtherBoardLeft() | NoMatchWith():
            return Sign.BOARDS_APART
        case _:
            assert_never(message)


def _beside(picture: Picture) -> Scene:
    return Scene("", "", beside=picture)


def _both(*show: Picture, beside: Picture | None) -> Scene:
    return Scene("", "", beside=beside, show=show)


def _table(
    view: View, marks: Mapping[str, Mark] | None = None, guests: Mapping[str, Piece] | None = None
) -> MarkedBoard:
    return MarkedBoard(view.board, {**dict(view.marks), **(marks or {})}, guests or {})


def _aligned(alignments: Iterable[Alignment], mark: Mark) -> dict[str, Mark]:
    return {square.name: mark for aligned in alignments for square in aligned.squares}

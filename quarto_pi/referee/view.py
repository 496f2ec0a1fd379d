"""All that people may see of a game at one moment, for every kind of display, and the lamps that go with it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import assert_never

from quarto_pi.referee.menu import MenuView
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
    GiveNext,
    Giving,
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
    Notice,
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
    Prompt,
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
    WaitingForBoard,
    Welcome,
    WhoCalled,
    Won,
    WrongPiece,
)
from quarto_pi.referee.phases import Overlay, RefereePhase
from quarto_pi.referee.remote_game import Others
from quarto_pi.referee.settings import Settings
from quarto_pi.referee.tally import Tally
from quarto_pi.rules import Alignment, Board, Piece, Player, Reason, Result


class Mark(Enum):
    """Why a cell is pointed at."""

    TARGET = "target"
    TAKE = "take"
    PUT = "put"
    WON = "won"
    MISSED = "missed"
    UNSEEN = "unseen"
    ASKED = "asked"
    SEEN = "seen"


def is_pressing(prompt: Prompt) -> bool:
    """Whether a prompt waits for an answer, corrects something or ends the game: nothing told in passing covers it."""
    match prompt:
        case PlaceThis() | CarryOut():
            return prompt.question is not None
        case WhoCalled() | StandsThere() | StillThere() | TakeItBack() | BoardCleared() | Paused() | ShuttingDown():
            return True
        case WrongPiece() | NotGivenYet() | TakeOff() | LeftOver() | PutBack() | MoveBack():
            return True
        case UnknownTag() | TwoPieces() | TooMany() | UnclearPlace():
            return True
        case Won() | Forfeited() | Drawn() | Abandoned() | PlayAgain() | HowToPlay():
            return True
        case Welcome() | ClearTheBoard() | ChooseFirst() | GiveNext() | PlaceNext() | PutItDown():
            return False
        case Thinking() | LastCall() | Learn() | OtherUnreachable() | OthersLastCall():
            return False
        case _:
            assert_never(prompt)


@dataclass(frozen=True, slots=True)
class ClockView:
    """The running move's clock, in whole seconds; negative once it is too long."""

    player: Player
    seconds: int
    stands: bool = False


@dataclass(frozen=True, slots=True)
class View:
    """One moment of the evening.

    `score` is what both sides have won in this sitting; while it `celebrates`, somebody has just won.
    `prompt` says what is to be done now, `notice` tells something in passing. `board` and `hand` are the game as it
    ought to stand. While nobody plays there is no game to be seen; what is `asleep` is not to be seen at all.
    `giving` is how a piece is given at this board, as lessons teach it; `others` are boards that may be played with.
    Nothing here depends on whether an alignment is open (D8), unless the coach is on.
    """

    phase: RefereePhase
    prompt: Prompt
    settings: Settings
    board: Board
    overlays: tuple[Overlay, ...] = ()
    notice: Notice | None = None
    hand: Piece | None = None
    to_act: Player | None = None
    marks: tuple[tuple[str, Mark], ...] = ()
    clock: ClockView | None = None
    menu: MenuView | None = None
    missed: tuple[Alignment, ...] = ()
    result: Result | None = None
    tally: Tally = field(default_factory=Tally)
    score: tuple[int, int] = (0, 0)
    celebrates: bool = False
    asleep: bool = False
    giving: Giving = Giving.ON_GIVE_PLACE
    others: Others | None = None

    @property
    def title(self) -> Message:
        """What stands at the head of a display: what is told in passing, where the prompt may be covered by it."""
        covers = self.notice is not None and not isinstance(self.notice, Hindsight) and not is_pressing(self.prompt)
        return self.notice if self.notice is not None and covers else self.prompt


# --- What the lamps of the board show ---------------------------------------------------------------------------------
#
# No meaning hangs on colour alone: each has its own pattern too.


class Lamp(Enum):
    """How a lamp burns."""

    OFF = "off"
    ON = "on"
    BREATHING = "breathing"
    BLINKING = "blinking"
    FLICKERING = "flickering"


class Attention(Enum):
    """What the lamp for attention says."""

    NOTHING = "nothing"
    TOLD = "told"
    MISSED = "missed"
    ASKED = "asked"
    MISMATCH = "mismatch"
    FAULT = "fault"
    WON = "won"


@dataclass(frozen=True, slots=True)
class Lights:
    """All lamps; `squares` are those under the squares that are to be lit, and why.

    While it `celebrates`, light runs over all squares. While the computer thinks, a light wanders over the squares in
    `thinking`: all empty ones, whatever it looks at.
    """

    players: tuple[Lamp, Lamp] = (Lamp.OFF, Lamp.OFF)
    attention: Attention = Attention.NOTHING
    squares: tuple[tuple[str, Mark], ...] = ()
    thinking: tuple[str, ...] = ()
    celebrates: bool = False


def lights_of(view: View) -> Lights:
    """The lamps that go with a view."""
    if view.asleep:
        return Lights()
    first, second = (_lamp(view, player) for player in Player)
    thinks = isinstance(view.prompt, Thinking)
    empty = tuple(square.name for square in view.board.empty_squares) if thinks else ()
    return Lights((first, second), _attention(view), view.marks, empty, view.celebrates)


def _lamp(view: View, player: Player) -> Lamp:  # noqa: C901 - one case for each kind of prompt
    result = view.result
    if result is not None:
        return Lamp.BLINKING if result.winner is player or result.reason is Reason.DRAW else Lamp.OFF
    match view.prompt:
        case WhoCalled(asked, sure):
            return Lamp.BLINKING if asked is player or not sure else Lamp.OFF
        case LastCall():
            return Lamp.FLICKERING
        case OthersLastCall(player=caller):
            return Lamp.FLICKERING if caller is player else Lamp.OFF
        case Thinking() | OtherUnreachable():
            return Lamp.BREATHING if view.to_act is player else Lamp.OFF
        case Welcome() | ClearTheBoard() | ChooseFirst() | PlaceThis() | GiveNext() | PlaceNext() | PutItDown():
            return _lamp_of_turn(view, player)
        case CarryOut() | TakeItBack() | StandsThere() | StillThere() | BoardCleared() | Paused() | ShuttingDown():
            return _lamp_of_turn(view, player)
        case WrongPiece() | NotGivenYet() | TakeOff() | LeftOver() | PutBack() | MoveBack():
            return _lamp_of_turn(view, player)
        case UnknownTag() | TwoPieces() | TooMany() | UnclearPlace():
            return _lamp_of_turn(view, player)
        case Won() | Forfeited() | Drawn() | Abandoned() | PlayAgain() | HowToPlay() | Learn():
            return _lamp_of_turn(view, player)
        case _:
            assert_never(view.prompt)


def _lamp_of_turn(view: View, player: Player) -> Lamp:
    """The lamp of whose turn it is burns, and flickers while the time runs out."""
    if view.to_act is not player:
        return Lamp.OFF
    hurried = view.clock is not None and view.clock.seconds <= 10
    return Lamp.FLICKERING if hurried else Lamp.ON


def _attention(view: View) -> Attention:
    if view.menu is not None or _asks(view.prompt):
        return Attention.ASKED
    if Overlay.MISMATCH in view.overlays or view.phase is RefereePhase.SET_UP:
        return Attention.MISMATCH
    if view.celebrates or (view.result is not None and view.result.winner is not None):
        return Attention.WON
    if view.notice is None:
        return Attention.FAULT if Overlay.READER_FAULT in view.overlays else Attention.NOTHING
    return _attention_to(view.notice)


def _asks(prompt: Prompt) -> bool:
    """Whether a prompt waits for a press."""
    match prompt:
        case PlaceThis() | CarryOut():
            return prompt.question is not None
        case Learn(stage=stage):
            return stage is LessonStage.CALL
        case WhoCalled() | Paused() | TakeItBack() | StandsThere() | StillThere() | BoardCleared() | HowToPlay():
            return True
        case Welcome() | ClearTheBoard() | ChooseFirst() | GiveNext() | PlaceNext() | PutItDown() | Thinking():
            return False
        case WrongPiece() | NotGivenYet() | TakeOff() | LeftOver() | PutBack() | MoveBack():
            return False
        case UnknownTag() | TwoPieces() | TooMany() | UnclearPlace() | LastCall() | ShuttingDown():
            return False
        case OtherUnreachable() | OthersLastCall():
            return False
        case Won() | Forfeited() | Drawn() | Abandoned() | PlayAgain():
            return False  # nobody has to press for the next game
        case _:
            assert_never(prompt)


def _attention_to(notice: Notice) -> Attention:
    match notice:
        case MissedAlignment():
            return Attention.MISSED
        case StillPlaying():
            return Attention.ASKED
        case ReaderLost() | ButtonStuck() | Impaired():
            return Attention.FAULT
        case CallWaits() | FalseCall() | NobodyCalled() | NobodyCalls() | LookClosely() | TakenBack() | TagDead():
            return Attention.TOLD
        case NotYet() | LessonOver():
            return Attention.TOLD
        case Hindsight():
            return Attention.NOTHING
        case InvitedByBoard():
            return Attention.ASKED
        case WaitingForBoard() | NoMatchWith() | OtherBoardAway() | OtherBoardBack() | OtherBoardLeft() | NotHeardYet():
            return Attention.TOLD
        case ReaderBack() | HurryUp() | TimeIsUp() | Drawing() | NotKept() | KeptAgain() | LanguageChosen():
            return Attention.TOLD
        case _:
            assert_never(notice)

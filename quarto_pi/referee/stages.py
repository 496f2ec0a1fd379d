"""What may go on beside the phases, each in stages of its own.

A call of which it is asked who made it, a start after a stop, a board that is cleared in mid-game, and a table that has
to be put right: each has a table of its stages, and what is remembered of it. The menu has its own in menu.py.
`referee.step` looks every change up: what is not in a table cannot happen. docs/referee.md shows them as diagrams.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from quarto_pi.referee.effects import Fix
from quarto_pi.referee.messages import Hindsight, LessonStage
from quarto_pi.referee.phases import Transitions
from quarto_pi.rules import Board, Piece, Player, Square

# --- who called -------------------------------------------------------------------------------------------------------


class CallStage(Enum):
    """What is taken to be the answer while it is asked who called."""

    SOMEBODY = "one of the players has called, it seems"
    NOBODY = "nobody has called, it seems"


class CallOccurrence(Enum):
    """What may happen to a call of which it is asked who made it."""

    EITHER = "a press may be a call of either player"
    PERHAPS_NONE = "a press would forfeit the game, and it is not known whose it is"
    OBJECTED = "a press says who it was"
    DECIDED = "nobody objects any more"
    DROPPED = "the game ends, or another one begins"


CALL_IN_QUESTION: Final[Transitions[CallStage | None, CallOccurrence]] = Transitions(
    "question who called",
    None,
    {
        None: {CallOccurrence.EITHER: CallStage.SOMEBODY, CallOccurrence.PERHAPS_NONE: CallStage.NOBODY},
        CallStage.SOMEBODY: {
            CallOccurrence.OBJECTED: CallStage.SOMEBODY,
            CallOccurrence.DECIDED: None,
            CallOccurrence.DROPPED: None,
        },
        CallStage.NOBODY: {
            CallOccurrence.OBJECTED: CallStage.SOMEBODY,
            CallOccurrence.DECIDED: None,
            CallOccurrence.DROPPED: None,
        },
    },
)
"""Where each occurrence leads while it is asked who called (D1, D11, D14)."""


@dataclass(frozen=True, slots=True)
class CallInQuestion:
    """A call of which it is asked who made it: when it was made, whose it is unless a press says otherwise.

    In the stage `NOBODY` it is the player's only if a press says so. It is decided at `until`.
    """

    stage: CallStage
    at: int
    player: Player
    until: int

    @property
    def sure(self) -> bool:
        """Whether the player answers for it if nobody says anything (D14)."""
        return self.stage is CallStage.SOMEBODY


# --- a start after a stop ---------------------------------------------------------------------------------------------


class ResumingStage(Enum):
    """What a game that was taken up after a stop waits for."""

    LOOKING_ROUND = "every square is looked at"
    WAITING = "somebody has to touch the board"


class ResumingOccurrence(Enum):
    """What may happen to such a game."""

    TAKEN_UP = "the last game is taken up again"
    LOOKED_ROUND = "every square has been looked at"
    TOUCHED = "somebody touches the board"
    PAUSE_ENDED = "somebody ends its pause, or pauses it"


RESUMING: Final[Transitions[ResumingStage | None, ResumingOccurrence]] = Transitions(
    "start after a stop",
    None,
    {
        None: {ResumingOccurrence.TAKEN_UP: ResumingStage.LOOKING_ROUND},
        ResumingStage.LOOKING_ROUND: {
            ResumingOccurrence.LOOKED_ROUND: ResumingStage.WAITING,
            ResumingOccurrence.PAUSE_ENDED: None,
        },
        ResumingStage.WAITING: {ResumingOccurrence.TOUCHED: None, ResumingOccurrence.PAUSE_ENDED: None},
    },
)
"""Where each occurrence leads after a start; that all squares have been looked at follows from the time alone."""


@dataclass(frozen=True, slots=True)
class Resuming:
    """A game that was taken up again after a stop, and until when every square is looked at for the first time."""

    looks_until: int

    def stage_at(self, now: int) -> ResumingStage | None:
        """The stage in which this is at a moment."""
        first = ResumingStage.LOOKING_ROUND
        return first if now < self.looks_until else RESUMING.follow(first, ResumingOccurrence.LOOKED_ROUND)


# --- a board cleared in mid-game --------------------------------------------------------------------------------------


class ClearingStage(Enum):
    """What has become of the board of a game that is under way."""

    CLEARED = "the board is cleared in mid-game"


class ClearingOccurrence(Enum):
    """What may happen to it."""

    EMPTIED = "all pieces of the game are off"
    ONLY_UNSEEN = "the pieces may stand there unseen"
    RESTORED = "pieces are put back"
    DROPPED = "the game ends, or another one begins"


CLEARING: Final[Transitions[ClearingStage | None, ClearingOccurrence]] = Transitions(
    "clearing",
    None,
    {
        None: {ClearingOccurrence.EMPTIED: ClearingStage.CLEARED},
        ClearingStage.CLEARED: {
            ClearingOccurrence.ONLY_UNSEEN: None,
            ClearingOccurrence.RESTORED: None,
            ClearingOccurrence.DROPPED: None,
        },
    },
)
"""Where each occurrence leads while a board may have been cleared in mid-game."""


@dataclass(frozen=True, slots=True)
class Clearing:
    """What was cleared away, and what was not.

    A board that was cleared in mid-game has been so `since`; `remains` are the pieces of the last game that have stood
    on the board since its end (D16).
    """

    since: int | None = None
    remains: frozenset[Piece] = frozenset()

    @property
    def stage(self) -> ClearingStage | None:
        """Whether the board was cleared in mid-game."""
        return None if self.since is None else ClearingStage.CLEARED


# --- after a game -----------------------------------------------------------------------------------------------------


class EndStage(Enum):
    """What people are told after a game that was played to its end."""

    RESULT = "it is told who has won"
    NEXT = "it is told how the next game begins"
    WANTED = "a new game is wanted, and the board has to be cleared"


class EndOccurrence(Enum):
    """What may happen after such a game."""

    ENDED = "a game is won, lost or drawn"
    SEEN = "the result has been told for long enough, or a press says so"
    OTHER_BEGINS = "a press lets the other one begin"
    NEW_GAME = "somebody wants a new game"
    DROPPED = "the next game begins, or everybody has left"


GAME_END: Final[Transitions[EndStage | None, EndOccurrence]] = Transitions(
    "end of a game",
    None,
    {
        None: {EndOccurrence.ENDED: EndStage.RESULT},
        EndStage.RESULT: {
            EndOccurrence.SEEN: EndStage.NEXT,
            EndOccurrence.NEW_GAME: EndStage.WANTED,
            EndOccurrence.DROPPED: None,
        },
        EndStage.NEXT: {
            EndOccurrence.OTHER_BEGINS: EndStage.NEXT,
            EndOccurrence.NEW_GAME: EndStage.WANTED,
            EndOccurrence.DROPPED: None,
        },
        EndStage.WANTED: {EndOccurrence.DROPPED: None},
    },
)
"""Where each occurrence leads after a game."""


@dataclass(frozen=True, slots=True)
class GameEnd:
    """A game that has ended `at` this moment, since when its stage lasts, and whether the other one begins the next.

    `hindsight` is what there is to be learnt from it, once somebody has looked back.
    """

    stage: EndStage
    at: int
    since: int
    other_begins: bool = False
    hindsight: Hindsight | None = None


# --- a lesson ---------------------------------------------------------------------------------------------------------


class LessonOccurrence(Enum):
    """What may happen in a lesson."""

    WANTED = "somebody wants a lesson"
    CLEARED = "the board is empty"
    GIVEN = "the piece is given"
    PLACED = "the piece is placed"
    CALLED = "the button is pressed"
    READ = "it has been told for long enough"
    LEFT = "people play, want something else, or have left"


_LEFT: Final = {LessonOccurrence.LEFT: None}

LESSON: Final[Transitions[LessonStage | None, LessonOccurrence]] = Transitions(
    "lesson",
    None,
    {
        None: {LessonOccurrence.WANTED: LessonStage.CLEAR},
        LessonStage.CLEAR: {LessonOccurrence.CLEARED: LessonStage.GIVE, **_LEFT},
        LessonStage.GIVE: {
            LessonOccurrence.GIVEN: LessonStage.PLACE,
            LessonOccurrence.PLACED: LessonStage.SECOND,
            **_LEFT,
        },
        LessonStage.PLACE: {LessonOccurrence.PLACED: LessonStage.SECOND, **_LEFT},
        LessonStage.SECOND: {LessonOccurrence.PLACED: LessonStage.THIRD, **_LEFT},
        LessonStage.THIRD: {LessonOccurrence.PLACED: LessonStage.SEE, **_LEFT},
        LessonStage.SEE: {LessonOccurrence.PLACED: LessonStage.CALL, **_LEFT},
        LessonStage.CALL: {
            LessonOccurrence.CALLED: LessonStage.CALLED,
            LessonOccurrence.GIVEN: LessonStage.PLACE_ON,
            **_LEFT,
        },
        LessonStage.CALLED: {LessonOccurrence.READ: LessonStage.GIVE_ON, **_LEFT},
        LessonStage.GIVE_ON: {
            LessonOccurrence.GIVEN: LessonStage.PLACE_ON,
            LessonOccurrence.PLACED: LessonStage.MISSED,
            **_LEFT,
        },
        LessonStage.PLACE_ON: {LessonOccurrence.PLACED: LessonStage.MISSED, **_LEFT},
        LessonStage.MISSED: {LessonOccurrence.READ: LessonStage.DONE, **_LEFT},
        LessonStage.DONE: {LessonOccurrence.CLEARED: None, **_LEFT},
    },
)
"""Where each occurrence leads in a lesson; `lesson.py` says what is looked for in each stage."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """A lesson: what it waits for, and since when; what stands on the board by it, and the piece to be placed next.

    `line` are the squares that are filled one after the other, beginning with the one that the guest has chosen.
    """

    stage: LessonStage
    since: int
    board: Board = field(default_factory=Board)
    hand: Piece | None = None
    line: tuple[Square, ...] = ()


# --- how to play, shown when somebody asks for it ---------------------------------------------------------------------

PAGES_OF_RULES: Final = 7
"""How to play is told on so many pages."""


class ReadingStage(Enum):
    """Whether how to play is being shown to somebody who has asked for it."""

    OPEN = "how to play is shown, page by page"


class ReadingOccurrence(Enum):
    """What may happen to it."""

    WANTED = "somebody wants to know how to play"
    TURNED = "a press, or some seconds, turn the page"
    READ = "the last page has been shown"
    TOUCHED = "somebody touches the board"
    DROPPED = "the menu opens, the game ends, or everybody leaves"


READING: Final[Transitions[ReadingStage | None, ReadingOccurrence]] = Transitions(
    "reading",
    None,
    {
        None: {ReadingOccurrence.WANTED: ReadingStage.OPEN},
        ReadingStage.OPEN: {
            ReadingOccurrence.WANTED: ReadingStage.OPEN,
            ReadingOccurrence.TURNED: ReadingStage.OPEN,
            ReadingOccurrence.READ: None,
            ReadingOccurrence.TOUCHED: None,
            ReadingOccurrence.DROPPED: None,
        },
    },
)
"""Where each occurrence leads while how to play is shown."""


@dataclass(frozen=True, slots=True)
class PageShown:
    """The page of how to play that is shown, and since when."""

    page: int
    since: int


# --- a table that has to be put right ---------------------------------------------------------------------------------


class MismatchStage(Enum):
    """What people know of what is wrong on the table."""

    TOLD = "people are asked to put the table right"


class MismatchOccurrence(Enum):
    """What may happen to what people have been asked to put right."""

    FOUND = "something has been wrong for long enough"
    FURTHER = "something else is wrong, too"
    CHANGED = "something of it is right, or wrong in another way"
    RESOLVED = "all is right again"
    DROPPED = "the game ends, or another one begins"


MISMATCH: Final[Transitions[MismatchStage | None, MismatchOccurrence]] = Transitions(
    "mismatch",
    None,
    {
        None: {MismatchOccurrence.FOUND: MismatchStage.TOLD},
        MismatchStage.TOLD: {
            MismatchOccurrence.FURTHER: MismatchStage.TOLD,
            MismatchOccurrence.CHANGED: MismatchStage.TOLD,
            MismatchOccurrence.RESOLVED: None,
            MismatchOccurrence.DROPPED: None,
        },
    },
)
"""Where each occurrence leads while table and game may differ."""


def mismatch_stage(fixes: tuple[Fix, ...]) -> MismatchStage | None:
    """The stage in which people have been asked to put this right."""
    return MismatchStage.TOLD if fixes else None

"""All that people may see of a game at one moment, for every kind of display."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import assert_never

from quarto_pi.referee.menu import MenuView
from quarto_pi.referee.messages import (
    Abandoned,
    BoardCleared,
    CarryOut,
    ChooseFirst,
    ClearTheBoard,
    Drawn,
    Forfeited,
    GiveNext,
    LastCall,
    LeftOver,
    Message,
    MoveBack,
    NotGivenYet,
    Notice,
    Paused,
    PlaceNext,
    PlaceThis,
    Prompt,
    PutBack,
    PutItDown,
    ShuttingDown,
    StandsThere,
    StillThere,
    TakeItBack,
    TakeOff,
    Thinking,
    TooMany,
    TwoPieces,
    UnclearPlace,
    UnknownTag,
    Welcome,
    WhoCalled,
    Won,
    WrongPiece,
)
from quarto_pi.referee.phases import Overlay, Phase
from quarto_pi.referee.settings import Settings
from quarto_pi.referee.tally import Tally
from quarto_pi.rules import Alignment, Board, Piece, Player, Result


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
        case Won() | Forfeited() | Drawn() | Abandoned():
            return True
        case Welcome() | ClearTheBoard() | ChooseFirst() | GiveNext() | PlaceNext() | PutItDown():
            return False
        case Thinking() | LastCall():
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

    `prompt` says what is to be done now, `notice` tells something in passing. `board` and `hand` are the game as it
    ought to stand. While nobody plays there is no game to be seen; what is `asleep` is not to be seen at all.
    Nothing here depends on whether an alignment is open (D8), unless the coach is on.
    """

    phase: Phase
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
    asleep: bool = False

    @property
    def title(self) -> Message:
        """What stands at the head of a display: what is told in passing, where the prompt may be covered by it."""
        return self.prompt if self.notice is None or is_pressing(self.prompt) else self.notice

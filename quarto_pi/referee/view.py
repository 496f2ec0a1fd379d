"""All that people may see of a game at one moment, for every kind of display."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from quarto_pi.referee.menu import MenuView
from quarto_pi.referee.messages import (
    Abandoned,
    BoardCleared,
    Drawn,
    Forfeited,
    LeftOver,
    Message,
    MoveBack,
    NotGivenYet,
    Notice,
    Paused,
    Prompt,
    PutBack,
    ShuttingDown,
    StandsThere,
    StillThere,
    TakeItBack,
    TakeOff,
    TooMany,
    TwoPieces,
    UnclearPlace,
    UnknownTag,
    WhoCalled,
    Won,
    WrongPiece,
    question_in,
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


PRESSING: Final = (
    WhoCalled,
    StandsThere,
    StillThere,
    TakeItBack,
    BoardCleared,
    WrongPiece,
    NotGivenYet,
    TakeOff,
    LeftOver,
    PutBack,
    MoveBack,
    UnknownTag,
    TwoPieces,
    TooMany,
    UnclearPlace,
    Won,
    Forfeited,
    Drawn,
    Abandoned,
    Paused,
    ShuttingDown,
)
"""Prompts that wait for an answer, correct something or end the game: nothing told in passing covers them."""


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
        pressing = isinstance(self.prompt, PRESSING) or question_in(self.prompt) is not None
        return self.prompt if self.notice is None or pressing else self.notice

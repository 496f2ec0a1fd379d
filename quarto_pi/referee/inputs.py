"""What comes in: what was sensed, the computer's answers, and the buttons, whose movements become presses."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from quarto_pi.referee.menu import BoardChoice, Item
from quarto_pi.referee.messages import Hindsight, Impairment, NoMatchReason, Storage
from quarto_pi.referee.remote_game import Others
from quarto_pi.referee.settings import Patience, Settings
from quarto_pi.remote_play.log import LogEntry
from quarto_pi.rules import Options, Piece, Player, Square
from quarto_pi.sensing.board import Doubt
from quarto_pi.sensing.events import BoardEvent


class ButtonName(Enum):
    """A button; with two for calling, each belongs to its player."""

    CALL = "call"
    CALL_A = "call0"
    CALL_B = "call1"
    MENU = "menu"


@dataclass(frozen=True, slots=True)
class Seen:
    """One sweep: what has happened on the board, what may be about to, and the cells that are being touched."""

    at: int
    events: tuple[BoardEvent, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    touched: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Glimpsed:
    """A first look has heard something come to a cell, before the sweep that it belongs to is over."""

    at: int
    cell: str


@dataclass(frozen=True, slots=True)
class Button:
    """A button went down or up."""

    at: int
    name: ButtonName
    down: bool


@dataclass(frozen=True, slots=True)
class Plan:
    """What the computer wants: place its piece on a square, then call or give; None for what does not apply."""

    square: Square | None = None
    give: Piece | None = None
    call: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """What the computer has decided on a question; `calls` says that it calls what the other player left (D10)."""

    at: int
    number: int
    plan: Plan
    calls: bool = False


@dataclass(frozen=True, slots=True)
class Choose:
    """Somebody has chosen how to play, elsewhere than in the menu; it counts from when it would if chosen there."""

    at: int
    settings: Settings


@dataclass(frozen=True, slots=True)
class Order:
    """Somebody wants a new game, a pause, a move taken back, elsewhere than in the menu."""

    at: int
    item: Item


@dataclass(frozen=True, slots=True)
class Stored:
    """Why games are not being kept, or that they are being kept again."""

    at: int
    trouble: Storage | None


@dataclass(frozen=True, slots=True)
class LookedBack:
    """What there is to be learnt from the game of this number, which is over."""

    at: int
    number: int
    hindsight: Hindsight


@dataclass(frozen=True, slots=True)
class Doors:
    """The house that the board stands in has opened or closed; None where it keeps no hours any more."""

    at: int
    is_open: bool | None


@dataclass(frozen=True, slots=True)
class Hampered:
    """Something around the board is not as its owner wants it any more, or all is well again (None)."""

    at: int
    why: Impairment | None


@dataclass(frozen=True, slots=True)
class Closed:
    """Nothing more will come: the trace is at its end."""

    at: int


# --- What comes from other boards -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class OthersKnown:
    """The boards that may be played with, as they are now; None on a board that knows of no others."""

    at: int
    others: Others | None


@dataclass(frozen=True, slots=True)
class WantBoard:
    """Somebody wants to play with a board, with any (None), or not to wait any longer, elsewhere than in the menu."""

    at: int
    choice: BoardChoice


@dataclass(frozen=True, slots=True)
class NoMatch:
    """There will be no game with the board that was invited, or that has invited."""

    at: int
    why: NoMatchReason


@dataclass(frozen=True, slots=True)
class MatchBegins:
    """Two boards have agreed on a game: what it is called, with whom, which side is this board's, and the rules."""

    at: int
    match: str
    board: str
    side: Player
    rules: Options
    starter: Player


@dataclass(frozen=True, slots=True)
class MatchLeft:
    """The other board has given up, or both do not have the same game."""

    at: int


@dataclass(frozen=True, slots=True)
class EntryCame:
    """The log of the game has an entry of this number that this board has not carried out yet."""

    at: int
    number: int
    entry: LogEntry


@dataclass(frozen=True, slots=True)
class OtherThere:
    """Whether the other board is away, and whether it has all that is settled here."""

    at: int
    is_away: bool
    is_heard: bool


BoardNews = OthersKnown | NoMatch | MatchBegins | MatchLeft | EntryCame | OtherThere

Input = (
    Seen
    | Glimpsed
    | Button
    | Answer
    | Choose
    | Order
    | Stored
    | LookedBack
    | Doors
    | Hampered
    | Closed
    | WantBoard
    | BoardNews
)


# --- What fingers do with the buttons --------------------------------------------------------------------------------


class Use(Enum):
    """What a press is used for, once that is known."""

    OPEN = "open"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class Press:
    """A button that went down at `at` and came up at `up`, which is certain once it has not bounced for a while."""

    name: ButtonName
    at: int
    up: int | None = None
    use: Use = Use.OPEN

    def held(self, now: int) -> int:
        """For how long the button has been, or was, down."""
        return (now if self.up is None else self.up) - self.at

    def menu_at(self, patience: Patience) -> int | None:
        """The moment from which this press asks for the menu; None where the button came up before that."""
        return self._held_at(patience.menu)

    def chosen_at(self, patience: Patience) -> int | None:
        """The moment from which this press chooses in the menu; None where the button came up before that."""
        return self._held_at(patience.choose)

    def stuck_at(self, patience: Patience) -> int | None:
        """The moment from which the button is stuck; None where it is up."""
        return self.at + patience.stuck if self.up is None else None

    def judged_at(self, patience: Patience) -> int:
        """The moment from which a call that does not win may be judged: the table is known by then as it was."""
        return self.at + patience.lifting

    def released_at(self, patience: Patience) -> int | None:
        """The moment at which the button had come up for good; None while it is down."""
        return None if self.up is None else self.up + patience.bounce

    def is_released(self, now: int, patience: Patience) -> bool:
        """Whether the button has come up for good."""
        moment = self.released_at(patience)
        return moment is not None and now >= moment

    def used(self, use: Use) -> Press:
        """This press, used for something."""
        return replace(self, use=use)

    def _held_at(self, length: int) -> int | None:
        moment = self.at + length
        return None if self.up is not None and self.up < moment else moment


Presses = tuple[Press, ...]


def moved(presses: Presses, button: Button, patience: Patience) -> Presses:
    """The presses after a button has moved."""
    last = next((press for press in reversed(presses) if press.name is button.name), None)
    if button.down:
        if last is None or (last.up is not None and button.at - last.up >= patience.bounce):
            return (*presses, Press(button.name, button.at))
        return _replaced(presses, last, replace(last, up=None))
    if last is None or last.up is not None:
        return presses
    return _replaced(presses, last, replace(last, up=button.at))


def without_used(presses: Presses, now: int, patience: Patience) -> Presses:
    """The presses that still matter: those that are not used up, or still down, or may still bounce."""
    return tuple(press for press in presses if press.use is Use.OPEN or not press.is_released(now, patience))


def _replaced(presses: Presses, old: Press, new: Press) -> Presses:
    return tuple(new if press is old else press for press in presses)

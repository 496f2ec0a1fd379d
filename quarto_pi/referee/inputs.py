"""What comes in: what the sensing layer has seen, the buttons' movements, and the computer's answers."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from quarto_pi.referee.menu import Item
from quarto_pi.referee.messages import Storage
from quarto_pi.referee.settings import Settings
from quarto_pi.rules import Piece, Square
from quarto_pi.sensing.doubts import Doubt
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
class Doors:
    """The house that the board stands in has opened or closed; who keeps no hours never says so."""

    at: int
    is_open: bool


@dataclass(frozen=True, slots=True)
class Closed:
    """Nothing more will come: the trace is at its end."""

    at: int


Input = Seen | Glimpsed | Button | Answer | Choose | Order | Stored | Doors | Closed

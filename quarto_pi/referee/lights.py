"""What the lamps of the board show: one for each player, one for attention, and one under each square where there are.

No meaning hangs on colour alone: each has its own pattern too.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from quarto_pi.referee.messages import (
    ButtonStuck,
    LastCall,
    MissedAlignment,
    Paused,
    ReaderLost,
    StillPlaying,
    Thinking,
    WhoCalled,
    question_in,
)
from quarto_pi.referee.phases import Overlay, Phase
from quarto_pi.referee.view import Mark, View
from quarto_pi.rules import Player, Reason


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

    While the computer thinks, a light wanders over the squares in `thinking`: all empty ones, whatever it looks at.
    """

    players: tuple[Lamp, Lamp] = (Lamp.OFF, Lamp.OFF)
    attention: Attention = Attention.NOTHING
    squares: tuple[tuple[str, Mark], ...] = ()
    thinking: tuple[str, ...] = ()


def lights_of(view: View) -> Lights:
    """The lamps that go with a view."""
    if view.asleep:
        return Lights()
    first, second = (_lamp(view, player) for player in Player)
    thinks = isinstance(view.prompt, Thinking)
    empty = tuple(square.name for square in view.board.empty_squares) if thinks else ()
    return Lights((first, second), _attention(view), view.marks, empty)


def _lamp(view: View, player: Player) -> Lamp:
    result = view.result
    if result is not None:
        return Lamp.BLINKING if result.winner is player or result.reason is Reason.DRAW else Lamp.OFF
    match view.prompt:
        case WhoCalled(asked, sure):
            return Lamp.BLINKING if asked is player or not sure else Lamp.OFF
        case LastCall():
            return Lamp.FLICKERING
        case Thinking() if view.to_act is player:
            return Lamp.BREATHING
    if view.to_act is not player:
        return Lamp.OFF
    hurried = view.clock is not None and view.clock.seconds <= 10
    return Lamp.FLICKERING if hurried else Lamp.ON


def _attention(view: View) -> Attention:
    if view.menu is not None or question_in(view.prompt) or isinstance(view.prompt, WhoCalled | Paused):
        return Attention.ASKED
    if Overlay.MISMATCH in view.overlays or view.phase is Phase.SET_UP:
        return Attention.MISMATCH
    if view.result is not None and view.result.winner is not None:
        return Attention.WON
    match view.notice:
        case None:
            return Attention.FAULT if Overlay.READER_FAULT in view.overlays else Attention.NOTHING
        case MissedAlignment():
            return Attention.MISSED
        case StillPlaying():
            return Attention.ASKED
        case ReaderLost() | ButtonStuck():
            return Attention.FAULT
        case _:
            return Attention.TOLD

"""What the lamps of the board show: one for each player, one for attention, and one under each square where there are.

No meaning hangs on colour alone: each has its own pattern too.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from quarto_pi.referee.phases import Overlay, Phase
from quarto_pi.referee.view import Mark, View
from quarto_pi.rules import Player


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
    MISMATCH = "mismatch"
    FAULT = "fault"
    WON = "won"


@dataclass(frozen=True, slots=True)
class Lights:
    """All lamps; `squares` are those under the squares that are to be lit."""

    players: tuple[Lamp, Lamp] = (Lamp.OFF, Lamp.OFF)
    attention: Attention = Attention.NOTHING
    squares: tuple[tuple[str, Mark], ...] = ()


def lights_of(view: View) -> Lights:
    """The lamps that go with a view."""
    first, second = (_lamp(view, player) for player in Player)
    return Lights((first, second), _attention(view), view.marks)


def _lamp(view: View, player: Player) -> Lamp:
    if view.result is not None:
        return Lamp.BLINKING if view.result.winner is player else Lamp.OFF
    if view.to_act is not player:
        return Lamp.OFF
    if view.phase is Phase.WAITING:
        return Lamp.BREATHING
    hurried = view.clock is not None and view.clock.seconds <= 10
    return Lamp.FLICKERING if hurried else Lamp.ON


def _attention(view: View) -> Attention:
    if Overlay.MISMATCH in view.overlays:
        return Attention.MISMATCH
    if view.result is not None and view.result.winner is not None:
        return Attention.WON
    if view.notice is not None:
        return Attention.TOLD
    return Attention.FAULT if Overlay.READER_FAULT in view.overlays else Attention.NOTHING

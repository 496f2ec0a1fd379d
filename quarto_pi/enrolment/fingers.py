"""What one finger says to the guide: a press, or the button held."""

from __future__ import annotations

from enum import Enum

from quarto_pi.referee.buttons import Presses, Use, without_used
from quarto_pi.referee.settings import Patience


class Gesture(Enum):
    """A press goes on or says no; holding chooses, goes back or says yes."""

    PRESS = "press"
    HOLD = "hold"


def gestures_of(presses: Presses, now: int, patience: Patience) -> tuple[Presses, tuple[Gesture, ...]]:
    """The presses that still matter, and what the others have turned out to be."""
    found: list[Gesture] = []
    after = []
    for press in presses:
        if press.use is Use.OPEN and press.held(now) >= patience.choose:
            found.append(Gesture.HOLD)
            after.append(press.used(Use.DONE))
        elif press.use is Use.OPEN and press.is_released(now, patience):
            found.append(Gesture.PRESS)
            after.append(press.used(Use.DONE))
        else:
            after.append(press)
    return without_used(tuple(after), now, patience), tuple(found)

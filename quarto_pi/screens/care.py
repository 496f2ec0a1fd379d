"""How a display that burns in lives long: it dims, moves by a dot, and sleeps while nobody is there.

The dots of an OLED fade with use. So a picture that nobody changes is shown darker, stands somewhere else every
minute, and at last is not shown at all; the next touch of the board brings it back. What is shown while nobody plays
changes by itself; when it ends is the referee's to say, who knows whether the house is open.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from PIL import Image

from quarto_pi.referee.phases import Overlay, RefereePhase
from quarto_pi.referee.view import View

BRIGHT: Final = 255
DIM: Final = 80
FAINT: Final = 8

DIM_AFTER_MS: Final = 60_000
FAINT_AFTER_MS: Final = 5 * 60_000
SLEEP_AFTER_MS: Final = 15 * 60_000
SLEEP_IN_GAME_AFTER_MS: Final = 60 * 60_000
"""A game is left on the table while people eat; the board looks on for an hour."""

SHIFT_EVERY_MS: Final = 60_000
_PATH: Final = ((0, 0), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))


@dataclass(frozen=True, slots=True)
class Care:
    """How a picture is to be shown: contrast from 0 to 255, moved by so many dots, or not at all."""

    contrast: int = BRIGHT
    shift: tuple[int, int] = (0, 0)
    asleep: bool = False


def care_for(view: View, idle_ms: int) -> Care:
    """How a view is to be shown that has been the same for so long."""
    if view.asleep:
        return Care(FAINT, asleep=True)
    if view.phase is RefereePhase.ATTRACT and view.notice is None and idle_ms >= DIM_AFTER_MS:
        return Care(DIM, _shift_at(idle_ms))
    return care_when_idle(idle_ms, playing=view.phase in _PLAYING and Overlay.PAUSED not in view.overlays)


def care_when_idle(idle_ms: int, *, playing: bool) -> Care:
    """How a picture is to be shown that has been the same for so long, while people play or do not."""
    if idle_ms < DIM_AFTER_MS:
        return Care()
    if idle_ms >= (SLEEP_IN_GAME_AFTER_MS if playing else SLEEP_AFTER_MS):
        return Care(FAINT, asleep=True)
    # A player who ponders for five minutes still has to see the piece.
    contrast = DIM if playing or idle_ms < FAINT_AFTER_MS else FAINT
    return Care(contrast, _shift_at(idle_ms))


def _shift_at(idle_ms: int) -> tuple[int, int]:
    return _PATH[idle_ms // SHIFT_EVERY_MS % len(_PATH)]


def shifted(image: Image.Image, care: Care) -> Image.Image:
    """A picture as it stands after the shift, and black if the display sleeps."""
    moved = Image.new("1", image.size)
    if not care.asleep:
        moved.paste(image, care.shift)
    return moved


_PLAYING: Final = frozenset({RefereePhase.CHOOSE, RefereePhase.GIVEN, RefereePhase.WAITING, RefereePhase.PLACED})

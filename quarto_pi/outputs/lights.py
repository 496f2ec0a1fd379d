"""The lights on the panel and under the squares: what the referee's lamps look like, in colour, pattern and motion.

docs/displays.md has what all of it means.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Protocol

from quarto_pi.devices import light_patterns as panel
from quarto_pi.devices.light_patterns import (
    GREEN,
    ORANGE,
    PURPLE,
    SKY_BLUE,
    VERMILION,
    WHITE,
    YELLOW,
    Pattern,
    SquareLight,
)
from quarto_pi.referee import Effect, Light
from quarto_pi.referee.view import Attention, Lamp, Lights, Mark
from quarto_pi.rules import Player
from quarto_pi.sensing.readings import SQUARE_NAMES

PLAYER_PATTERNS: Final = {
    Lamp.OFF: Pattern.OFF,
    Lamp.ON: Pattern.ON,
    Lamp.BREATHING: Pattern.PULSE,
    Lamp.BLINKING: Pattern.SLOW,
    Lamp.FLICKERING: Pattern.FAST,
}
ATTENTION_PATTERNS: Final = {
    Attention.NOTHING: Pattern.OFF,
    Attention.TOLD: Pattern.ON,
    Attention.MISSED: Pattern.TRIPLE,
    Attention.ASKED: Pattern.PULSE,
    Attention.MISMATCH: Pattern.DOUBLE,
    Attention.FAULT: Pattern.SLOW,
    Attention.WON: Pattern.FAST,
}
MARKS: Final[Mapping[Mark, SquareLight]] = {
    Mark.TARGET: SquareLight(GREEN, Pattern.SLOW),
    Mark.TAKE: SquareLight(VERMILION, Pattern.FAST),
    Mark.PUT: SquareLight(SKY_BLUE, Pattern.SLOW),
    Mark.WON: SquareLight(GREEN, Pattern.ON),
    Mark.MISSED: SquareLight(YELLOW, Pattern.TRIPLE),
    Mark.UNSEEN: SquareLight(PURPLE, Pattern.PULSE),
    Mark.ASKED: SquareLight(YELLOW, Pattern.DOUBLE),
    # One that flashes may be dark in the moment in which it begins.
    Mark.SEEN: SquareLight(WHITE, Pattern.FAINT),
}
WANDERER: Final = SquareLight(ORANGE)
WAVE: Final = (SKY_BLUE, YELLOW, ORANGE, PURPLE, WHITE)
"""The colours of the light that runs over the board while it is celebrated who has won."""
WAVE_MS: Final = 150
"""How long it stays on a diagonal of the board."""
WANDER_MS: Final = 400
"""How long the light that wanders while the computer thinks stays on a square."""


class PanelOutput:
    """Shows the lamps on the panel."""

    def __init__(self, lights: panel.PanelLamps) -> None:
        self._lights = lights
        self._patterns: dict[panel.PanelLamp, Pattern] = {}

    def perform(self, effect: Effect) -> None:
        """Take the newest lamps."""
        if isinstance(effect, Light):
            self._patterns = panel_patterns(effect.lights)

    def tick(self, now: int) -> None:
        """Show them as they are at this millisecond."""
        self._lights.show(self._patterns, now)


class SquareLamps(Protocol):
    """The lights under the squares."""

    def show(self, lights: Mapping[str, SquareLight], now: int) -> None:
        """Show these lights as they are at this millisecond."""


class SquaresOutput:
    """Shows the lamps under the squares."""

    def __init__(self, lights: SquareLamps) -> None:
        self._lights = lights
        self._shown: dict[str, SquareLight] = {}
        self._thinking: tuple[str, ...] = ()
        self._celebrates = False

    def perform(self, effect: Effect) -> None:
        """Take the newest lamps."""
        if isinstance(effect, Light):
            self._shown = {cell: MARKS[mark] for cell, mark in effect.lights.squares if cell in SQUARE_NAMES}
            self._thinking = effect.lights.thinking
            self._celebrates = effect.lights.celebrates

    def tick(self, now: int) -> None:
        """Show them as they are at this millisecond."""
        shown = self._shown
        if self._thinking:
            shown = {self._thinking[now // WANDER_MS % len(self._thinking)]: WANDERER, **shown}
        if self._celebrates:
            shown = {**_wave(now), **shown}
        self._lights.show(shown, now)


def _wave(now: int) -> dict[str, SquareLight]:
    """A line of light on its way from one corner to the other, in another colour each time; no square flashes fast."""
    diagonals = 7
    lap, diagonal = divmod(now // WAVE_MS, diagonals)
    lit = SquareLight(WAVE[lap % len(WAVE)])
    return {name: lit for name in SQUARE_NAMES if (ord(name[0]) - ord("a")) + int(name[1]) - 1 == diagonal}


def panel_patterns(lights: Lights) -> dict[panel.PanelLamp, Pattern]:
    """The patterns of the three lights."""
    return {
        panel.PanelLamp.A: PLAYER_PATTERNS[lights.players[Player.A.value]],
        panel.PanelLamp.B: PLAYER_PATTERNS[lights.players[Player.B.value]],
        panel.PanelLamp.ATTENTION: ATTENTION_PATTERNS[lights.attention],
    }

"""What lights show, wherever they are wired: the panel's, and those under the squares."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Final, NamedTuple, Protocol

from quarto_pi.devices.colours import BLACK, BLUE, ORANGE, WHITE, Colour
from quarto_pi.devices.light_settings import PanelKind, PanelLightsSettings
from quarto_pi.devices.patterns import Pattern, level

TURN_MS: Final = 2_000
"""How long one light shows each of several that are lit: every pattern begins anew and fits in."""
WINK_MS: Final = 200


class Lamp(Enum):
    """What a light stands for."""

    A = "player a"
    B = "player b"
    ATTENTION = "attention"


COLOURS: Final = {Lamp.A: BLUE, Lamp.B: ORANGE, Lamp.ATTENTION: WHITE}


class PanelLamps(Protocol):
    """The lights on the panel, wherever they are wired."""

    def show(self, lights: Mapping[Lamp, Pattern], now: int) -> None:
        """Show these patterns as they are at this millisecond; lights that are not named are off."""


class SquareLight(NamedTuple):
    """What the light under a square shows."""

    colour: Colour
    pattern: Pattern = Pattern.ON


def levels(settings: PanelLightsSettings, lights: Mapping[Lamp, Pattern], now: int) -> tuple[float, ...]:
    """Return how bright the three outputs are at this millisecond, from 0 to 1; lights that are not named are off."""
    if settings.kind is PanelKind.THREE:
        values = tuple(level(lights.get(lamp, Pattern.OFF), now) for lamp in Lamp)
    else:
        values = tuple(part / 255 for part in colour_of(lights, now))
    return tuple(value * settings.brightness for value in values)


def colour_of(lights: Mapping[Lamp, Pattern], now: int) -> Colour:
    """Return the colour of a single light: what is lit, in turn, attention first; player B winks now and then."""
    lit = [lamp for lamp in (Lamp.ATTENTION, Lamp.A, Lamp.B) if lights.get(lamp, Pattern.OFF) is not Pattern.OFF]
    if not lit:
        return BLACK
    shown = lit[now // TURN_MS % len(lit)]
    # Who cannot tell the two colours apart sees whose it is by the wink.
    if shown is Lamp.B and now % TURN_MS >= TURN_MS - WINK_MS:
        return BLACK
    return COLOURS[shown].dimmed(level(lights[shown], now))

"""How a light behaves in time: a pattern and a moment give a brightness."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Final, NamedTuple, Protocol

from quarto_pi.devices.settings import CLOCKS_HZ, DevicePatience, SettingsError, check_pins
from quarto_pi.sensing.readings import SQUARE_NAMES

SLOW_MS: Final = 1_000
FAST_MS: Final = 400
"""2.5 flashes a second: more than three can harm people with photosensitive epilepsy (WCAG 2.3.1)."""
PULSE_MS: Final = 2_000
_PULSE_LEAST: Final = 0.1
_FAINT: Final = 0.35
_FLASHING_MS: Final = 2_000
_FLASHES_MS: Final = ((0, 200), (400, 600), (800, 1_000))


class Pattern(Enum):
    """What a light does."""

    OFF = "off"
    ON = "on"
    SLOW = "slow"
    FAST = "fast"
    PULSE = "pulse"
    DOUBLE = "double"
    TRIPLE = "triple"
    FAINT = "faint"


def brightness_of(pattern: Pattern, now: int) -> float:
    """Return how bright a light with this pattern is at a millisecond, 0 to 1.

    >>> [brightness_of(Pattern.SLOW, now) for now in (0, 499, 500, 999, 1_000)]
    [1.0, 1.0, 0.0, 0.0, 1.0]
    """
    match pattern:
        case Pattern.OFF:
            return 0.0
        case Pattern.ON:
            return 1.0
        case Pattern.FAINT:
            return _FAINT
        case Pattern.SLOW:
            return float(now % SLOW_MS < SLOW_MS // 2)
        case Pattern.FAST:
            return float(now % FAST_MS < FAST_MS // 2)
        case Pattern.PULSE:
            swing = (1 + math.cos(2 * math.pi * (now % PULSE_MS) / PULSE_MS)) / 2
            return _PULSE_LEAST + (1 - _PULSE_LEAST) * swing
        case Pattern.DOUBLE:
            return float(any(begin <= now % _FLASHING_MS < end for begin, end in _FLASHES_MS[:2]))
        case Pattern.TRIPLE:
            return float(any(begin <= now % _FLASHING_MS < end for begin, end in _FLASHES_MS))


# --- Colours that people with any kind of colour vision tell apart: Okabe and Ito's set -------------------------------


class Colour(NamedTuple):
    """Red, green and blue, 0 to 255."""

    red: int
    green: int
    blue: int

    def dimmed(self, share: float) -> Colour:
        """Return it with this share of its brightness; what shines a little does not go out by rounding."""
        red, green, blue = (max(round(part * share), int(part * share > 0)) for part in self)
        return Colour(red, green, blue)


BLACK: Final = Colour(0, 0, 0)
ORANGE: Final = Colour(230, 159, 0)
SKY_BLUE: Final = Colour(86, 180, 233)
GREEN: Final = Colour(0, 158, 115)
YELLOW: Final = Colour(240, 228, 66)
BLUE: Final = Colour(0, 114, 178)
VERMILION: Final = Colour(213, 94, 0)
PURPLE: Final = Colour(204, 121, 167)
WHITE: Final = Colour(255, 255, 255)
"""Not of the set, where black is the other neutral colour; on lights black is dark."""


# --- How the lights on the panel and under the squares are connected, and how bright they may be ----------------------

_SIDE: Final = 4


def _snake() -> tuple[str, ...]:
    ranks = [SQUARE_NAMES[start : start + _SIDE] for start in range(0, len(SQUARE_NAMES), _SIDE)]
    return tuple(square for index, rank in enumerate(ranks) for square in (rank[::-1] if index % 2 else rank))


LEFT_TO_RIGHT: Final = SQUARE_NAMES
"""Every row of the strip begins on the left."""
SNAKE: Final = _snake()
"""The strip goes to and fro, which needs the least wire."""


class PanelKind(Enum):
    """What is on the panel."""

    THREE = "three lights"
    RGB = "one rgb light"


@dataclass(frozen=True, slots=True)
class PanelLightsSettings:
    """The panel's lights: the pins of A, B and attention, or of red, green and blue (BCM numbers).

    `active_high` is False for lights that shine while their pin is low, such as an RGB light with a common anode.
    """

    kind: PanelKind = PanelKind.THREE
    pins: tuple[int, int, int] = (5, 6, 13)
    active_high: bool = True
    brightness: float = 1.0

    def __post_init__(self) -> None:
        if len(self.pins) != 3:
            raise SettingsError("pins", list(self.pins), "write three pins")
        check_pins([(f"pins[{index}]", pin) for index, pin in enumerate(self.pins)])
        if not 0 < self.brightness <= 1:
            raise SettingsError("brightness", self.brightness, "write a share above 0 and up to 1")


@dataclass(frozen=True, slots=True)
class SquareLightsSettings:
    """The strip: its bus, the squares in the order in which it passes below them, how bright it may be."""

    spi_port: int = 1
    spi_device: int = 0
    spi_hz: int = 1_000_000
    order: tuple[str, ...] = SNAKE
    brightness: float = 0.5
    budget_ma: float = 300.0
    patience: DevicePatience = field(default_factory=lambda: DevicePatience(refresh_ms=5_000))

    def __post_init__(self) -> None:
        for key in ("spi_port", "spi_device"):
            if getattr(self, key) < 0:
                raise SettingsError(key, getattr(self, key), "buses and devices are numbered from 0")
        if self.spi_hz not in CLOCKS_HZ:
            raise SettingsError("spi_hz", self.spi_hz, f"choose from {', '.join(map(str, CLOCKS_HZ))}")
        if sorted(self.order) != sorted(SQUARE_NAMES):
            raise SettingsError("order", list(self.order), "name each of the sixteen squares once")
        if not 0 < self.brightness <= 1:
            raise SettingsError("brightness", self.brightness, "write a share above 0 and up to 1")
        if self.budget_ma <= 0:
            raise SettingsError("budget_ma", self.budget_ma, "a current is above 0")


# --- What lights show, wherever they are wired: the panel's, and those under the squares ------------------------------

TURN_MS: Final = 2_000
"""How long one light shows each of several that are lit: every pattern begins anew and fits in."""
WINK_MS: Final = 200


class PanelLamp(Enum):
    """What a light stands for."""

    A = "player a"
    B = "player b"
    ATTENTION = "attention"


LAMP_COLOURS: Final = {PanelLamp.A: BLUE, PanelLamp.B: ORANGE, PanelLamp.ATTENTION: WHITE}


class PanelLamps(Protocol):
    """The lights on the panel, wherever they are wired."""

    def show(self, lights: Mapping[PanelLamp, Pattern], now: int) -> None:
        """Show these patterns as they are at this millisecond; lights that are not named are off."""


class SquareLight(NamedTuple):
    """What the light under a square shows."""

    colour: Colour
    pattern: Pattern = Pattern.ON


def levels(settings: PanelLightsSettings, lights: Mapping[PanelLamp, Pattern], now: int) -> tuple[float, ...]:
    """Return how bright the three outputs are at this millisecond, from 0 to 1; lights that are not named are off."""
    if settings.kind is PanelKind.THREE:
        values = tuple(brightness_of(lights.get(lamp, Pattern.OFF), now) for lamp in PanelLamp)
    else:
        values = tuple(part / 255 for part in colour_of(lights, now))
    return tuple(value * settings.brightness for value in values)


def colour_of(lights: Mapping[PanelLamp, Pattern], now: int) -> Colour:
    """Return the colour of a single light: what is lit, in turn, attention first; player B winks now and then."""
    lit = [
        lamp
        for lamp in (PanelLamp.ATTENTION, PanelLamp.A, PanelLamp.B)
        if lights.get(lamp, Pattern.OFF) is not Pattern.OFF
    ]
    if not lit:
        return BLACK
    shown = lit[now // TURN_MS % len(lit)]
    # Who cannot tell the two colours apart sees whose it is by the wink.
    if shown is PanelLamp.B and now % TURN_MS >= TURN_MS - WINK_MS:
        return BLACK
    return LAMP_COLOURS[shown].dimmed(brightness_of(lights[shown], now))

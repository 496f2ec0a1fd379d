"""The lights on the panel: player A, player B and attention, or one light that shows all three."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from types import TracebackType
from typing import Final, Self

from gpiozero import DigitalOutputDevice, Factory, PinPWMUnsupported, PWMOutputDevice

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


class PanelLights:
    """The lights, told each time how they are now; a pin is only touched when something changes."""

    def __init__(self, settings: PanelLightsSettings, pin_factory: Factory | None = None) -> None:
        self._settings = settings
        self._outputs: list[_Output] = []
        try:
            for pin in settings.pins:
                self._outputs.append(_Output(pin, active_high=settings.active_high, factory=pin_factory))
        except BaseException:
            self.close()
            raise

    def show(self, lights: Mapping[Lamp, Pattern], now: int) -> None:
        """Show these patterns as they are at this millisecond; lights that are not named are off."""
        if self._settings.kind is PanelKind.THREE:
            values = tuple(level(lights.get(lamp, Pattern.OFF), now) for lamp in Lamp)
        else:
            values = tuple(part / 255 for part in colour_of(lights, now))
        for output, value in zip(self._outputs, values, strict=False):  # after closing there are none
            output.set(value * self._settings.brightness)

    def close(self) -> None:
        """Switch the lights off and give the pins back; a second call does nothing."""
        while self._outputs:
            self._outputs.pop().close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


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


class _Output:
    """A pin that dims where its factory can do that, and is on or off where it cannot."""

    def __init__(self, pin: int, *, active_high: bool, factory: Factory | None) -> None:
        self._value: float | None = None
        self._dims = True
        try:
            self._device = PWMOutputDevice(pin, active_high=active_high, pin_factory=factory)
        except PinPWMUnsupported:
            self._dims = False
            self._device = DigitalOutputDevice(pin, active_high=active_high, pin_factory=factory)

    def set(self, value: float) -> None:
        if not self._dims:
            value = float(value >= 0.5)
        if value != self._value:
            self._device.value = self._value = value

    def close(self) -> None:
        self._device.off()
        self._device.close()

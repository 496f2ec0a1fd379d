"""The lights on the panel: player A, player B and attention, or one light that shows all three."""

from __future__ import annotations

from collections.abc import Mapping
from types import TracebackType
from typing import Self

from gpiozero import DigitalOutputDevice, Factory, PinPWMUnsupported, PWMOutputDevice

from quarto_pi.devices.lights.patterns import PanelLamp, PanelLightsSettings, Pattern, levels


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

    def show(self, lights: Mapping[PanelLamp, Pattern], now: int) -> None:
        """Show these patterns as they are at this millisecond; lights that are not named are off."""
        # after closing there are no outputs
        for output, value in zip(self._outputs, levels(self._settings, lights, now), strict=False):
            output.set(value)

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

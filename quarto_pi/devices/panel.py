"""The panel on the Pi's own pins: its push buttons, every movement with its moment; and its lights."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from queue import Empty, SimpleQueue

from gpiozero import DigitalInputDevice, DigitalOutputDevice, Factory, PinPWMUnsupported, PWMOutputDevice

from quarto_pi.clock import US_PER_MS, Clock
from quarto_pi.devices.light_patterns import PanelLamp, PanelLightsSettings, Pattern, levels
from quarto_pi.devices.readers.interface import Movement
from quarto_pi.devices.upkeep import ClosedWith


class PushButtons(ClosedWith):
    """Buttons between a pin and ground; what bounces is told as it is, the referee knows what to make of it."""

    def __init__(self, pins: Mapping[str, int], clock: Clock, pin_factory: Factory | None = None) -> None:
        self._clock = clock
        self._movements: SimpleQueue[Movement] = SimpleQueue()
        self._buttons: dict[str, DigitalInputDevice] = {}
        try:
            for name, pin in pins.items():
                # gpiozero's Button has a thread that looks ten times a second whether it is held, and is waited for.
                button = DigitalInputDevice(pin, pull_up=True, pin_factory=pin_factory)
                self._buttons[name] = button
                # gpiozero calls these on a thread of its own: they note the moment and nothing else.
                button.when_activated = self._noting(name, down=True)
                button.when_deactivated = self._noting(name, down=False)
        except BaseException:
            self.close()
            raise

    def movements(self) -> list[Movement]:
        """All that has moved since this was asked last, in order."""
        found: list[Movement] = []
        while True:
            try:
                found.append(self._movements.get_nowait())
            except Empty:
                return sorted(found, key=lambda movement: movement.at)

    @property
    def held(self) -> tuple[str, ...]:
        """Return the names of those that are down at this moment."""
        return tuple(name for name, button in self._buttons.items() if button.is_active)

    def close(self) -> None:
        """Give the pins back; a second call does nothing."""
        for button in self._buttons.values():
            button.close()
        self._buttons.clear()

    def _noting(self, name: str, *, down: bool) -> Callable[[], None]:
        def note() -> None:
            self._movements.put(Movement(name, down, self._clock.now() // US_PER_MS))

        return note


class PanelLights(ClosedWith):
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

"""The Pi's pins as the decoder sees them, driven by gpiozero's mock factory or by the stand-in of RPi.GPIO."""

from __future__ import annotations

from typing import Protocol

from gpiozero.pins.mock import MockFactory, MockPin, MockPWMPin


class ForgetfulPin(MockPWMPin):  # type: ignore[misc] # gpiozero has no type information
    """A mock pin that remembers its last change only: select lines change a thousand times a second, for weeks."""

    def _change_state(self, value: float) -> bool:
        changed = bool(super()._change_state(value))
        del self.states[:-2]
        return changed


class Pins(Protocol):
    """Levels of pins by BCM number."""

    def level(self, number: int) -> bool:
        """Return the level; an undriven pin is pulled up on the board."""

    def has_toggled(self, number: int) -> bool:
        """Return whether the level has changed since this was asked last."""


class GpiozeroPins:
    """Pins of a gpiozero `MockFactory`."""

    def __init__(self, factory: MockFactory) -> None:
        self._factory = factory
        self._pins: dict[int, MockPin] = {}

    def _pin(self, number: int) -> MockPin:
        if number not in self._pins:
            self._pins[number] = self._factory.pin(f"GPIO{number}")
        return self._pins[number]

    def level(self, number: int) -> bool:
        """Return the level; an undriven pin is pulled up on the board."""
        pin = self._pin(number)
        return bool(pin.state) if pin.function == "output" else True

    def has_toggled(self, number: int) -> bool:
        """Return whether the level has changed since this was asked last."""
        pin = self._pin(number)
        toggled = len(pin.states) > 1
        if toggled:
            pin.clear_states()
        return toggled


class HeaderPins:
    """Pins that the stand-in of RPi.GPIO sets."""

    def __init__(self) -> None:
        self._levels: dict[int, bool] = {}
        self._toggled: set[int] = set()

    def drive(self, number: int, level: bool) -> None:
        """Set a pin."""
        if self._levels.get(number, True) != level:
            self._toggled.add(number)
        self._levels[number] = level

    def release(self, number: int) -> None:
        """Let a pin float."""
        self.drive(number, True)
        self._levels.pop(number, None)

    def level(self, number: int) -> bool:
        """Return the level; an undriven pin is pulled up on the board."""
        return self._levels.get(number, True)

    def has_toggled(self, number: int) -> bool:
        """Return whether the level has changed since this was asked last."""
        toggled = number in self._toggled
        self._toggled.discard(number)
        return toggled

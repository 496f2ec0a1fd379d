"""The Pi's pins as gpiozero's mock factory drives them."""

from __future__ import annotations

from gpiozero.pins.mock import MockFactory, MockPin, MockPWMPin


class ForgetfulPin(MockPWMPin):  # type: ignore[misc] # gpiozero has no type information
    """A mock pin that remembers its last change only: select lines change a thousand times a second, for weeks."""

    def _change_state(self, value: float) -> bool:
        changed = bool(super()._change_state(value))
        del self.states[:-2]
        return changed


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
        pin = self._pins.get(number) or self._pin(number)
        # what gpiozero's properties would say, for five pins at each transfer
        return bool(pin._state) if pin._function == "output" else True  # noqa: SLF001

    def has_toggled(self, number: int) -> bool:
        """Return whether the level has changed since this was asked last."""
        pin = self._pins.get(number) or self._pin(number)
        toggled = len(pin.states) > 1
        if toggled:
            del pin.states[:-1]
        return toggled

"""Pins that remember no history, which makes whatever goes through chips a fifth faster."""

from __future__ import annotations

from collections.abc import Callable

from gpiozero.pins.mock import MockFactory, MockPin


class PlainPin(MockPin):  # type: ignore[misc] # gpiozero has no type information
    """A mock pin that knows its level and whether it has changed, and nothing else."""

    toggled = False
    watcher: Callable[[bool], None] | None = None

    @property
    def state(self) -> bool:
        """The level."""
        return bool(self._state)

    @state.setter
    def state(self, level: bool) -> None:
        self._state = level
        self.toggled = True
        if self.watcher is not None:
            self.watcher(level)


class PlainPins:
    """The levels of plain pins as the decoder sees them."""

    def __init__(self, factory: MockFactory) -> None:
        self._factory = factory
        self._pins: dict[int, PlainPin] = {}

    def level(self, number: int) -> bool:
        """Return the level; the select lines drive all of theirs."""
        pin = self._pins.get(number)
        if pin is None:
            pin = self._pins[number] = self._factory.pin(f"GPIO{number}")
        return bool(pin._state)

    def watch(self, number: int, moved: Callable[[bool], None]) -> None:
        """Have it told whenever somebody drives that pin: whether it is high now."""
        self._factory.pin(f"GPIO{number}").watcher = moved

    def has_toggled(self, number: int) -> bool:
        """Return whether the level has been set since this was asked last."""
        pin = self._pins.get(number)
        if pin is None:
            return False
        toggled, pin.toggled = pin.toggled, False
        return toggled

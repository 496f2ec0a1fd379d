"""The Pi's pins as the decoder sees them, and those that the stand-in of RPi.GPIO drives."""

from __future__ import annotations

from typing import Protocol


class Pins(Protocol):
    """Levels of pins by BCM number."""

    def level(self, number: int) -> bool:
        """Return the level; an undriven pin is pulled up on the board."""

    def has_toggled(self, number: int) -> bool:
        """Return whether the level has changed since this was asked last."""


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

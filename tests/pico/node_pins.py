"""The pins of a simulated Pico, and the fingers on its buttons."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from quarto_pi.simulation.bus import HeaderPins


class NodePins(HeaderPins):
    """The pins of the Pico, driven by the firmware; fingers pull some of them to ground."""

    def __init__(self) -> None:
        super().__init__()
        self.moved: deque[tuple[int, bool, int]] = deque()
        self.ns: Callable[[], int] = lambda: 0

    def finger(self, number: int) -> Finger:
        """What presses the button on a pin."""
        return Finger(self, number)


class Finger:
    """A button's pin, as hands see it."""

    def __init__(self, pins: NodePins, number: int) -> None:
        self._pins = pins
        self._number = number

    def drive_low(self) -> None:
        """Press."""
        self._move(level=False)

    def drive_high(self) -> None:
        """Let go."""
        self._move(level=True)

    def _move(self, *, level: bool) -> None:
        if self._pins.level(self._number) != level:
            self._pins.drive(self._number, level)
            self._pins.moved.append((self._number, level, self._pins.ns()))

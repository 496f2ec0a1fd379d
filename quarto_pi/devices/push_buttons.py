"""The board's push buttons: every movement with its own moment, kept until the loop asks for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import Self

from gpiozero import Button, Factory

from quarto_pi.clock import US_PER_MS, Clock
from quarto_pi.devices.movement import Movement


class PushButtons:
    """Buttons between a pin and ground; what bounces is told as it is, the referee knows what to make of it."""

    def __init__(self, pins: Mapping[str, int], clock: Clock, pin_factory: Factory | None = None) -> None:
        self._clock = clock
        self._movements: SimpleQueue[Movement] = SimpleQueue()
        self._buttons: dict[str, Button] = {}
        try:
            for name, pin in pins.items():
                button = Button(pin, pull_up=True, pin_factory=pin_factory)
                self._buttons[name] = button
                # gpiozero calls these on a thread of its own: they note the moment and nothing else.
                button.when_pressed = self._noting(name, down=True)
                button.when_released = self._noting(name, down=False)
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
        return tuple(name for name, button in self._buttons.items() if button.is_pressed)

    def close(self) -> None:
        """Give the pins back; a second call does nothing."""
        for button in self._buttons.values():
            button.close()
        self._buttons.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _noting(self, name: str, *, down: bool) -> Callable[[], None]:
        def note() -> None:
            self._movements.put(Movement(name, down, self._clock.now() // US_PER_MS))

        return note

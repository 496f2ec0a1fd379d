"""Looks after the wood of a simulated table, as the loop goes round."""

from __future__ import annotations

from collections.abc import Callable

from quarto_pi.referee import Effect


class TableWatch:
    """Has it written down where the pieces stand."""

    def __init__(self, look: Callable[[], None]) -> None:
        self._look = look

    def perform(self, effect: Effect) -> None:
        """Nothing: hands move pieces, not the referee."""

    def tick(self, now: int) -> None:
        """Look whether hands have moved something."""
        del now
        self._look()

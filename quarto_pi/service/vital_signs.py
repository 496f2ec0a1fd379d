"""Vital signs: what must move for the controller to count as alive."""

from __future__ import annotations

from collections.abc import Callable, Mapping

VitalSign = Callable[[], bool]
"""Whether something has moved since this was asked last."""


def counted(count: Callable[[], int]) -> VitalSign:
    """The vital sign of something that counts what it does.

    >>> strokes = iter((1, 1, 2))
    >>> moved = counted(lambda: next(strokes))
    >>> moved(), moved(), moved()
    (True, False, True)
    """
    before = 0

    def has_moved() -> bool:
        nonlocal before
        now = count()
        moved, before = now != before, now
        return moved

    return has_moved


class VitalSigns:
    """Named signs, each of which has to move between two meals of the watchdog."""

    def __init__(self, signs: Mapping[str, VitalSign]) -> None:
        self._signs = dict(signs)
        self._missing = set(signs)

    def look(self) -> tuple[str, ...]:
        """Take note of what has moved, and return the names of what has not since `forget`."""
        # All are asked every time: what moved before a meal does not count for the next one.
        self._missing -= {name for name, has_moved in self._signs.items() if has_moved()}
        return tuple(name for name in self._signs if name in self._missing)

    def forget(self) -> None:
        """From now on everything has to move again."""
        self._missing = set(self._signs)

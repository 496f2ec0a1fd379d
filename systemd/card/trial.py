"""After every start: whether the board became healthy; if it is an update that was not, the way back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from card.slots import Slots

PATIENCE_SECONDS: Final = 420.0
"""From the start of this program until the board is ready; a Zero 2 W loads everything from its card first."""
SETTLE_SECONDS: Final = 20.0


class HealthWatch(Protocol):
    """Watches a board that was just started."""

    def complaint(self) -> str:
        """What is wrong with it; nothing, if it is healthy."""
        ...


@dataclass(frozen=True, slots=True)
class Trial:
    """The first minutes of a running slot."""

    slots: Slots
    watch: Callable[[int], HealthWatch]
    """By how many readers answered before."""
    readers: Callable[[], int]
    """How many answer now."""
    readers_before: Path
    """How many answered when the usual slot was healthy."""
    went_back: Callable[[str], None]
    """Has the board say, with this sentence, that an update was undone."""
    restart: Callable[[], None]
    tell: Callable[[str], None]

    def run(self) -> bool:
        """Judge the running slot, and make it the usual one or leave it; return whether it is healthy."""
        slots = self.slots
        before = slots.choice()
        choice = before.after_start(slots.running)
        slots.write(choice)
        if choice != before:
            self.went_back("The update did not work: the system before it is back, and nothing is lost.")
        on_trial = choice.on_trial(slots.running)
        complaint = self.watch(self._before() if on_trial else 0).complaint()
        if complaint and on_trial:
            self.tell(f"The update is left, and the system before it comes back: {complaint}.")
            self.restart()
        elif complaint:
            self.tell(f"The board is not healthy: {complaint}.")
        else:
            if on_trial:
                slots.write(choice.confirmed(slots.running))
                self.tell(f"The update is healthy: system {slots.running.name} is the usual one now.")
            self._remember(self.readers())
        return not complaint

    def _before(self) -> int:
        try:
            return int(self.readers_before.read_text(encoding="ascii"))
        except (OSError, ValueError):
            return 0

    def _remember(self, count: int) -> None:
        if count != self._before() or not self.readers_before.exists():
            new = self.readers_before.with_suffix(".new")
            new.write_text(f"{count}\n", encoding="ascii")
            new.replace(self.readers_before)
